/** A walk-in's price: a form for a car or a building that reprices as it is filled in. */
import { Box, Text } from "ink";
import { useEffect, useState } from "react";
import type { Catalog } from "../../../src/catalog/schema.ts";
import { type KeyBinding, key, pair } from "../kit/input/bindings.ts";
import { CARET } from "../kit/input/typed-line.ts";
import { useShop } from "../kit/shell/shop.ts";
import { cut, fit } from "../kit/text/fit.ts";
import { Paragraph } from "../kit/text/lines.tsx";
import { withCatalog } from "../kit/widgets/catalog-fault.tsx";
import { Frame } from "../kit/widgets/frame.tsx";
import { BuildingFilms, BuildingOptions } from "./building.tsx";
import {
  type EstimateForm,
  erase,
  type Field,
  fieldsOf,
  moveBy,
  newForm,
  otherTab,
  selectedField,
  TABS,
  turn,
  typeInField,
} from "./estimate-form.ts";
import { type Quote, quoteFor } from "./price.ts";
import { LawCheck, VehiclePrices } from "./vehicle.tsx";

/** Everything that can be part of a value; `q` and `?` keep their meaning, for no value needs them. */
const TYPED = [..."0123456789.%abcdefghijklmnoprstuvwxyzABCDEFGHIJKLMNOPRSTUVWXYZ"];
const FORM_WIDTH = 38;
const TITLE = "Estimate";

function Estimate({ catalog }: { catalog: Catalog }) {
  const { now } = useShop();
  const [form, setForm] = useState(() => newForm(catalog));
  const [quote, setQuote] = useState<Quote | null>(null);
  const fields = fieldsOf(catalog, form.tab);
  const field = selectedField(form, fields);
  const { tab, values } = form;
  // biome-ignore lint/correctness/useExhaustiveDependencies: moving about in the form changes no price
  useEffect(() => {
    let isWanted = true;
    // What is no refusal is a fault of the program: unhandled, it ends it.
    void quoteFor(form, catalog, now()).then((priced) => isWanted && setQuote(priced));
    return () => {
      isWanted = false;
    };
  }, [tab, values, catalog]);

  const change = (next: (chosen: Field) => EstimateForm) => () => field && setForm(next(field));
  const keys: KeyBinding[] = [
    pair(["up"], ["down", "enter"], { label: "↑↓", does: "field", help: "Go to the field above or below." }, (by) =>
      setForm(moveBy(form, fields, by)),
    ),
    pair(["left"], ["right"], { label: "←→", does: "choose", help: "The choice before or after." }, (by) =>
      change((one) => turn(form, one, by))(),
    ),
    {
      on: ["space"],
      label: "Space",
      does: "on/off",
      help: "Put an extra on or off.",
      run: change((one) => typeInField(form, one, " ")),
    },
    {
      on: TYPED,
      label: "a-z 0-9",
      does: "type",
      help: "Type a number or a shade; in a choice, the first letters of a name find it.",
      run: ({ text }) => field && setForm(typeInField(form, field, text)),
    },
    {
      on: ["backspace", "delete"],
      label: "⌫",
      does: null,
      help: "Take back a letter.",
      run: change((one) => erase(form, one)),
    },
    key("tab", tab === "vehicle" ? "building" : "vehicle", () => setForm(otherTab(form)), "Vehicle or building."),
  ];
  const faults = quote?.kind === "faults" ? quote.faults : {};
  const wrong = (field && faults[field.name] ? field : undefined) ?? fields.find(({ name }) => faults[name]);
  return (
    <Frame
      title={TITLE}
      status={catalog.business.name}
      keys={keys}
      about="Prices as the API would quote them. Nothing is stored."
    >
      {({ columns, rows }) => (
        <>
          <Text>
            {TABS.map((one) => (
              <Text key={one} inverse={one === tab} bold={one === tab}>{` ${one} `}</Text>
            ))}
          </Text>
          <Box>
            <FormFields form={form} fields={fields} faults={faults} />
            {quote?.kind === "vehicle" && tab === "vehicle" && (
              <VehiclePrices quote={quote.quote} warnings={quote.warnings} width={columns - FORM_WIDTH} />
            )}
            {quote?.kind === "building" && tab === "building" && (
              <BuildingFilms quote={quote.quote} width={columns - FORM_WIDTH} />
            )}
          </Box>
          {wrong && <Wrong label={wrong.label} fault={faults[wrong.name] ?? ""} width={columns} />}
          {quote?.kind === "vehicle" && tab === "vehicle" && (
            <LawCheck law={quote.quote.tint_law} width={columns} height={rows - fields.length - 1} />
          )}
          {quote?.kind === "building" && tab === "building" && (
            <BuildingOptions quote={quote.quote} width={columns} height={rows - fields.length - 1} />
          )}
        </>
      )}
    </Frame>
  );
}

function Wrong({ label, fault, width }: { label: string; fault: string; width: number }) {
  return fault === "is missing" ? (
    <Paragraph text={`${label}: type it to see the price.`} width={width} most={1} look="warning" />
  ) : (
    <Paragraph text={`✗ ${label} ${fault}`} width={width} most={3} look="error" />
  );
}

interface FormProps {
  form: EstimateForm;
  fields: readonly Field[];
  faults: Record<string, string>;
}

const LABEL = 17;
const VALUE = FORM_WIDTH - LABEL - 4;

function FormFields({ form, fields, faults }: FormProps) {
  return (
    <Box flexDirection="column" width={FORM_WIDTH}>
      {fields.map((field, i) => {
        const isHere = i === form.row[form.tab];
        const value = form.values[field.addon ?? field.name] ?? "";
        const isWrong = value !== "" && faults[field.name] !== undefined;
        const mark = isHere ? "› " : "  ";
        if (field.addon) {
          return (
            <Text key={field.addon} bold={isHere}>
              {mark}
              <Text inverse={isHere}>{value ? "[x]" : "[ ]"}</Text> {cut(field.label, FORM_WIDTH - 8)}
            </Text>
          );
        }
        const choice = field.choices?.find((one) => one.value === value);
        return (
          <Text key={field.name}>
            <Text bold={isHere}>{mark + fit(field.label, LABEL)}</Text>
            {field.choices ? (
              <Text inverse={isHere}>{`‹ ${cut(choice?.label ?? "", VALUE - 4)} ›`}</Text>
            ) : (
              <>
                <Text {...(isWrong && { color: "red" })}>{value + (isHere ? CARET : "")}</Text>
                {value === "" && <Text dimColor>{field.hint}</Text>}
              </>
            )}
          </Text>
        );
      })}
    </Box>
  );
}

export const Screen = withCatalog(Estimate, TITLE);
