/** The price for a walk-in: a form for a car or a building, priced again after each key. */
import { Box, Text } from "ink";
import { useState } from "react";
import type { Shop } from "../../../src/catalog/shop.ts";
import { type KeyBinding, key, pair } from "../kit/bindings.tsx";
import { withCatalog } from "../kit/catalog-issues.tsx";
import { Frame } from "../kit/frame.tsx";
import { useNav } from "../kit/navigation.ts";
import { Paragraph } from "../kit/text.tsx";
import {
  type EstimateField,
  type EstimateForm,
  estimateFields,
  isWhole,
  moveBy,
  newForm,
  otherTab,
  requestFields,
  selectedField,
  startingWith,
  type Tab,
  tabsOf,
} from "./estimate-form.ts";
import { fieldKeys } from "./field-keys.ts";
import { ESTIMATE_FORM_WIDTH, FormFields } from "./form-fields.tsx";
import { useQuote } from "./price.ts";
import { BuildingFilms, BuildingOptions, LawCheck, VehiclePrices } from "./quotes.tsx";

const TITLE = "Estimate";

function Estimate({ catalog }: { catalog: Shop }) {
  const { open } = useNav();
  const [form, setForm] = useState(() => newForm(catalog));
  const quote = useQuote(form, catalog);
  const fields = estimateFields(catalog, form.tab, isWhole(form));
  const field = selectedField(form, fields);
  const { tab } = form;
  const tabs = tabsOf(catalog);
  const issues = quote?.issues ?? {};
  // The issue of the selected field comes first.
  const isWrong = ({ name }: EstimateField) => issues[name] !== undefined;
  const wrong = field && isWrong(field) ? field : fields.find(isWrong);
  // Right after Tab the last quote is still the other tab's.
  const priced = quote?.kind === tab ? quote : null;
  return (
    <Frame
      title={TITLE}
      status={catalog.business.name}
      keys={[
        ...(tab === "vehicle" && (field?.choices || field?.toggle)
          ? [
              key(
                "b",
                "book it",
                () => open("book", startingWith(requestFields(form, fields))),
                "Book what is estimated.",
              ),
            ]
          : []),
        ...estimateKeys(form, fields, tabs, setForm),
      ]}
      about="Prices as the API would quote them. Nothing is stored."
    >
      {({ columns, rows }) => {
        const below = { width: columns, height: rows - fields.length - 1 };
        return (
          <>
            <Text>
              {tabs.map((one) => (
                <Text key={one} inverse={one === tab} bold={one === tab}>{` ${one} `}</Text>
              ))}
            </Text>
            <Box>
              <FormFields form={form} fields={fields} issues={issues} />
              {priced?.kind === "vehicle" && (
                <VehiclePrices quote={priced.quote} warnings={priced.warnings} width={columns - ESTIMATE_FORM_WIDTH} />
              )}
              {priced?.kind === "building" && (
                <BuildingFilms quote={priced.quote} width={columns - ESTIMATE_FORM_WIDTH} />
              )}
            </Box>
            {wrong && <Wrong label={wrong.label} issue={issues[wrong.name] ?? null} width={columns} />}
            {priced?.kind === "vehicle" && <LawCheck law={priced.quote.tint_law} {...below} />}
            {priced?.kind === "building" && <BuildingOptions quote={priced.quote} {...below} />}
          </>
        );
      }}
    </Frame>
  );
}

function estimateKeys(
  form: EstimateForm,
  fields: readonly EstimateField[],
  tabs: readonly Tab[],
  setForm: (form: EstimateForm) => void,
): readonly KeyBinding[] {
  const field = selectedField(form, fields);
  return [
    pair(["up"], ["down", "enter"], { label: "↑↓", does: "field", help: "Go to the field above or below." }, (by) =>
      setForm(moveBy(form, fields, by)),
    ),
    ...(field ? fieldKeys(form, field, (next) => setForm(next(form))) : []),
    ...(tabs.length > 1
      ? [
          key(
            "tab",
            form.tab === "vehicle" ? "building" : "vehicle",
            () => setForm(otherTab(form, tabs)),
            "Vehicle or building.",
          ),
        ]
      : []),
  ];
}

function Wrong({ label, issue, width }: { label: string; issue: string | null; width: number }) {
  return issue === null ? (
    <Paragraph text={`${label}: type it to see the price.`} width={width} most={1} look="warning" />
  ) : (
    <Paragraph text={`✗ ${label} ${issue}`} width={width} most={3} look="error" />
  );
}

export const Screen = withCatalog(Estimate, TITLE);
