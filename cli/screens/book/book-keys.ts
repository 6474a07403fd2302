/** The keys of the booking form: from field to field, and what they change in each kind of field. */
import type { Shop } from "../../../src/catalog/shop.ts";
import { addDays } from "../../../src/domain/schedule.ts";
import type { Slot } from "../../../src/domain/slots.ts";
import { carMeant } from "../../typed/cars.ts";
import { fieldKeys, LETTERS } from "../estimate/field-keys.ts";
import { type KeyBinding, key, pair } from "../kit/bindings.tsx";
import { REPLACE } from "../kit/dialogs.tsx";
import { typeInto } from "../kit/typed-line.ts";
import { atRow, type BookForm, CAR, type FormRow, nextPart, textIn, withText } from "./book-form.ts";

/** The free slots of a day. */
type FreeOn = (date: string) => readonly Slot[];

interface KeyProps {
  form: BookForm;
  rows: readonly FormRow[];
  free: readonly Slot[];
  freeOn: FreeOn;
  catalog: Shop;
  setForm: (change: (form: BookForm) => BookForm) => void;
  /** Asks for another day or time, given the character that was typed. */
  ask: (what: "day" | "time", typed: string) => void;
  save: () => void;
  say: (text: string) => void;
}

export function formKeys({
  form,
  rows,
  free,
  freeOn,
  catalog,
  setForm,
  ask,
  save,
  say,
}: KeyProps): readonly KeyBinding[] {
  const row = rows[form.row];
  const go = (by: number) => setForm(() => atRow(form, (form.row + by + rows.length) % rows.length, rows));
  return [
    pair(["up"], ["down"], { label: "↑↓", does: "field", help: "Go to the field above or below." }, go),
    enterKey({ form, rows, go, setForm, save, say, catalog }),
    key(
      "tab",
      "next part",
      () => setForm(() => nextPart(form, rows, catalog)),
      "Go to the car, to the customer, to the rest, to the time.",
    ),
    ...(row ? rowKeys(row, { form, free, freeOn, catalog, setForm, ask }) : []),
  ];
}

/** Enter goes on to the next field; from the phone on it books, as soon as the customer has a name. */
function enterKey({
  form,
  rows,
  go,
  setForm,
  save,
  say,
  catalog,
}: Omit<KeyProps, "free" | "freeOn" | "ask"> & { go: (by: number) => void }): KeyBinding {
  const help = "Go on; from the phone on, book as soon as the name is there.";
  const row = rows[form.row];
  const to = (at: number) => key("enter", "next", () => setForm(() => atRow(form, at, rows)), help);
  if (row?.kind === "more")
    return key(
      "enter",
      "show",
      () => setForm(() => ({ ...form, isWhole: true })),
      "Show what else a booking can have.",
    );
  // The class of a car that the catalog knows needs no look.
  if (row?.kind === "text" && row.name === CAR && carMeant(textIn(form, CAR), catalog)) return to(form.row + 2);
  if (row?.kind !== "text" || row.name === CAR) return key("enter", "next", () => go(1), help);
  const name = rows.findIndex((one) => one.kind === "text" && one.name === "customer_name");
  const isNamed = textIn(form, "customer_name") !== "";
  if (!isNamed && form.row !== name)
    return key(
      "enter",
      "next",
      () => {
        say("A name is needed; any will do.");
        setForm(() => atRow(form, name, rows));
      },
      help,
    );
  if (form.row === name && (!isNamed || textIn(form, "customer_phone") === "")) return to(name + 1);
  return key("enter", textIn(form, "customer_phone") === "" ? "book without a phone" : "book", save, help);
}

function rowKeys(
  row: FormRow,
  { form, free, freeOn, catalog, setForm, ask }: Omit<KeyProps, "rows" | "save" | "say">,
): KeyBinding[] {
  switch (row.kind) {
    case "more":
      return [];
    case "day":
      return [
        pair(
          ["left"],
          ["right"],
          { label: "←→", does: "day", help: "The day with a free time before or after." },
          (by) => setForm(() => ({ ...form, ...otherDay(form.date, by, freeOn, catalog), isDayTyped: false })),
        ),
        typed("Any other day: type it, like friday or 11/27.", (text) => ask("day", text)),
      ];
    case "time":
      return [
        pair(["left"], ["right"], { label: "←→", does: "time", help: "The free time before or after." }, (by) =>
          setForm(() => ({ ...form, time: otherTime(form.time, by, free) })),
        ),
        typed("Any other time: type it, like 2:30pm.", (text) => ask("time", text)),
      ];
    case "text":
      return [
        {
          on: ["left", "right", "home", "end", "backspace", "delete", "ctrl+a", "ctrl+e", "ctrl+u"],
          takesText: true,
          label: "a-z",
          does: form.texts[row.name].isSelected ? REPLACE.does : "type",
          run: (press) => setForm((old) => withText(old, row.name, typeInto(old.texts[row.name], press), catalog)),
        },
      ];
    case "job": {
      const change = (next: (job: BookForm["job"]) => BookForm["job"]) =>
        setForm((old) => {
          const isClassSaid = old.isClassSaid || row.field.name === "vehicle_type";
          return { ...old, job: next(old.job), isClassSaid };
        });
      return fieldKeys(form.job, row.field, change);
    }
  }
}

/** The first character of a day or a time opens the question for it. */
function typed(help: string, begin: (text: string) => void): KeyBinding {
  return { on: LETTERS, label: "a-z 0-9", does: "other", help, run: ({ text }) => begin(text) };
}

/** The day before or after with a free time, at its first one; the day itself where there is none. */
function otherDay(date: string, by: number, freeOn: FreeOn, catalog: Shop): Pick<BookForm, "date" | "time"> {
  const other = freeDay(addDays(date, by), by, freeOn, catalog) ?? date;
  return { date: other, time: freeOn(other)[0]?.time ?? "" };
}

/** The first day with a free time, from a date on in steps of `by` days; undefined when there is none. */
export function freeDay(from: string, by: number, freeOn: FreeOn, { scheduling }: Shop): string | undefined {
  for (let days = 0; days <= scheduling.horizon_days; days++) {
    const date = addDays(from, by * days);
    if (freeOn(date).length > 0) return date;
  }
  return undefined;
}

function otherTime(time: string, by: number, free: readonly Slot[]): string {
  const times = free.map((slot) => slot.time);
  const at = Math.max(0, times.indexOf(time));
  return times[(at + by + times.length) % times.length] ?? "";
}
