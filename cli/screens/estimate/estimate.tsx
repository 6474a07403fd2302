/** The price for a walk-in: a form for a car or a building, priced again after each key. */
import { Box, Text } from "ink";
import { useState } from "react";
import type { Shop } from "../../../src/catalog/shop.ts";
import { startingWith } from "../../typed/requests.ts";
import { key, pair } from "../kit/bindings.tsx";
import { Fields, type FormState, fieldKeys, focusOn, moveBy, newState } from "../kit/form.tsx";
import { Frame, withCatalog } from "../kit/frame.tsx";
import { useNav } from "../kit/screen.ts";
import { type Line, Lines, linesOf } from "../kit/text.tsx";
import { jobFields, MISSING, requestFields, type Tab, tabsOf, useQuote } from "./estimate-form.ts";
import { BuildingFilms, BuildingOptions, LawCheck, VehiclePrices } from "./quotes.tsx";

const TITLE = "Estimate";
/** Columns for the form; its labels are as wide as in a booking. */
const FORM_WIDTH = 38;
export const LABEL_WIDTH = 17;

function Estimate({ catalog }: { catalog: Shop }) {
  const { open } = useNav();
  const [tab, setTab] = useState<Tab>("vehicle");
  const [states, setStates] = useState(() => ({
    vehicle: newState(jobFields(catalog, "vehicle")),
    building: newState(jobFields(catalog, "building")),
  }));
  const fields = jobFields(catalog, tab, states[tab]);
  // "more…" has unfolded into the first of what is seldom asked.
  const field = fields.find(({ name }) => name === states[tab].at) ?? fields.find(({ isSeldom }) => isSeldom);
  const state = field ? { ...states[tab], at: field.name } : states[tab];
  const change = (next: (state: FormState) => FormState) => setStates((old) => ({ ...old, [tab]: next(state) }));
  const quote = useQuote(tab, requestFields(state, jobFields(catalog, tab)), catalog);
  const tabs = tabsOf(catalog);
  const issues = quote?.issues ?? {};
  // The issue of the selected field comes first.
  const wrong = (field && issues[field.name] ? field : undefined) ?? fields.find(({ name }) => issues[name]);
  // Right after Tab the last quote is still the other tab's.
  const priced = quote?.kind === tab ? quote : null;
  const book = () => open("book", startingWith(requestFields(state, fields)));
  const turnTo = (other: Tab) => {
    if (field) change((old) => focusOn(old, field));
    setTab(other);
  };
  return (
    <Frame
      title={TITLE}
      status={catalog.business.name}
      keys={[
        ...(tab === "vehicle" && (field?.choices || field?.isToggle)
          ? [key("b", "book it", book, "Book what is estimated.")]
          : []),
        pair(["up"], ["down", "enter"], "↑↓", "field", "Go to the field above or below.", (by) =>
          change((old) => moveBy(old, fields, by)),
        ),
        ...(field ? fieldKeys(field, state, change) : []),
        ...tabs.flatMap((one) => (one === tab ? [] : [key("tab", one, () => turnTo(one), "Vehicle or building.")])),
      ]}
      about="Prices as the API would quote them. Nothing is stored."
    >
      {({ columns, rows }) => {
        const below = { width: columns, height: rows - fields.length - 1 };
        const beside = columns - FORM_WIDTH;
        return (
          <>
            <Text>
              {tabs.map((one) => (
                <Text key={one} inverse={one === tab} bold={one === tab}>{` ${one} `}</Text>
              ))}
            </Text>
            <Box>
              <Box width={FORM_WIDTH}>
                <Fields
                  {...{ fields, state, issues }}
                  label={LABEL_WIDTH}
                  size={{ columns: FORM_WIDTH - 2, rows: fields.length }}
                />
              </Box>
              {priced?.kind === "vehicle" && (
                <VehiclePrices quote={priced.quote} warnings={priced.warnings} width={beside} />
              )}
              {priced?.kind === "building" && <BuildingFilms quote={priced.quote} width={beside} />}
            </Box>
            <Lines lines={wrong ? wrongLines(wrong.label, issues[wrong.name] ?? "", columns) : []} width={columns} />
            {priced?.kind === "vehicle" && <LawCheck law={priced.quote.tint_law} {...below} />}
            {priced?.kind === "building" && <BuildingOptions quote={priced.quote} {...below} />}
          </>
        );
      }}
    </Frame>
  );
}

function wrongLines(label: string, issue: string, width: number): Line[] {
  if (issue === MISSING) return linesOf(`${label}: type it to see the price.`, width, 1, "warning");
  return linesOf(`✗ ${label} ${issue}`, width, 3, "error");
}

export const Screen = withCatalog(TITLE, Estimate);
