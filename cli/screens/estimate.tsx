/** A walk-in's price: a form for a car or a building that reprices as it is filled in. */
import { Box, Text } from "ink";
import { useEffect, useState } from "react";
import { BuildingOptions, LawCheck, VehiclePrices } from "./estimate-quote.tsx";
import { cut, fit } from "./kit/fit.ts";
import { Frame } from "./kit/frame.tsx";
import { type KeyBinding, key } from "./kit/keys.tsx";
import { useShop } from "./kit/shop.tsx";
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
  typeInto,
} from "./state/estimate-form.ts";
import { type Quote, quoteFor } from "./state/estimate-quote.ts";

/** Everything that can be part of a value; `q` and `?` keep their meaning, for no value needs them. */
const TYPED = [..."0123456789.%abcdefghijklmnoprstuvwxyzABCDEFGHIJKLMNOPRSTUVWXYZ"];
const FORM_WIDTH = 38;

export function Screen() {
  const { catalog, now } = useShop();
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
    { on: ["up"], label: "↑↓", does: "field", run: () => setForm(moveBy(form, fields, -1)) },
    {
      on: ["down", "enter"],
      label: "↓",
      does: null,
      help: "The next field.",
      run: () => setForm(moveBy(form, fields, 1)),
    },
    { on: ["left"], label: "←→", does: "choose", run: change((one) => turn(form, one, -1)) },
    { on: ["right"], label: "→", does: null, help: "The next choice.", run: change((one) => turn(form, one, 1)) },
    { on: ["space"], label: "Space", does: "on/off", run: change((one) => typeInto(form, one, " ")) },
    {
      on: TYPED,
      label: "a-z 0-9",
      does: "type",
      help: "Type a number or a shade; in a choice, the first letters of a name find it.",
      run: ({ text }) => field && setForm(typeInto(form, field, text)),
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
      title="Estimate"
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
          </Box>
          {wrong && (
            <Text color={faults[wrong.name] === "is missing" ? "yellow" : "red"}>
              {fit(
                faults[wrong.name] === "is missing"
                  ? `${wrong.label}: type it to see the price.`
                  : `✗ ${wrong.label} ${faults[wrong.name]}`,
                columns,
              )}
            </Text>
          )}
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
                <Text {...(isWrong && { color: "red" })}>{value + (isHere ? "▏" : "")}</Text>
                {value === "" && <Text dimColor>{field.hint}</Text>}
              </>
            )}
          </Text>
        );
      })}
    </Box>
  );
}
