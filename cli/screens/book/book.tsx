/** A new booking while the customer is on the phone: free times first, then price and law, then who comes. */
import { Box, Text } from "ink";
import { useEffect, useState } from "react";
import { UnusualTime } from "../../../src/capabilities/desk/owner-booking.ts";
import type { Catalog } from "../../../src/catalog/schema.ts";
import { words } from "../../../src/catalog/words.ts";
import { freeTimes, slotAtAnyTime, whyUnusual } from "../../../src/domain/owner-slots.ts";
import { endOfHorizon, type Slot, shopDate } from "../../../src/domain/schedule.ts";
import { timeOfDay } from "../../../src/domain/spoken-dates.ts";
import { resolveWork } from "../../../src/domain/work.ts";
import { bookedInWords, bookForScreen, readPrice } from "../../booking/owner.ts";
import { winLead } from "../../leads/moves.ts";
import { Screen as BookingScreen } from "../diary/booking.tsx";
import { addDays } from "../diary/days.ts";
import { erase, turn, typeInField } from "../estimate/estimate-form.ts";
import { useQuote } from "../estimate/use-quote.ts";
import { LawCheck, VehiclePrices } from "../estimate/vehicle.tsx";
import { type KeyBinding, key, pair } from "../kit/input/bindings.ts";
import { typeInto } from "../kit/input/typed-line.ts";
import type { ScreenProps } from "../kit/shell/screen-stack.tsx";
import { useAct, useLive, useShop } from "../kit/shell/shop.ts";
import { wrapTo } from "../kit/text/fit.ts";
import { Lines, Paragraph } from "../kit/text/lines.tsx";
import { CatalogFaultScreen } from "../kit/widgets/catalog-fault.tsx";
import { Frame } from "../kit/widgets/frame.tsx";
import { BookDialog, type BookQuestion, isBegun } from "./book-dialog.tsx";
import {
  type BookForm,
  bookingOf,
  newBookForm,
  nextPart,
  type Row,
  rowsOf,
  startOf,
  type TextName,
  textIn,
} from "./book-form.ts";
import { FORM_WIDTH, FormRows } from "./form-rows.tsx";

const TITLE = "New booking";

/** @param about what is known already, as `startingWith` writes it; or a date */
export function Screen({ about }: ScreenProps) {
  const { catalog } = useShop();
  const [code, setCode] = useState<string | null>(null);
  if (code !== null) return <BookingScreen about={code} />;
  return catalog ? <Form catalog={catalog} about={about} booked={setCode} /> : <CatalogFaultScreen title={TITLE} />;
}

interface FormProps {
  catalog: Catalog;
  about: string;
  booked: (code: string) => void;
}

function Form({ catalog, about, booked }: FormProps) {
  const { now, store } = useShop();
  const act = useAct();
  const today = shopDate(catalog, now());
  const [form, setForm] = useState(() => newBookForm(catalog, today, about));
  const [question, ask] = useState<BookQuestion | null>(null);
  const quote = useQuote(form.job, catalog);
  const busy = useLive(({ store }) => store.busyBetween(now().epochMilliseconds, endOfHorizon(catalog, now())));
  const rows = rowsOf(catalog);
  const minutes = minutesOf(form, catalog);
  const freeOn = (date: string) => freeTimes(catalog, date, minutes, busy ?? [], now());
  // A day without a free time is passed over.
  const date = form.time === "" && !form.isDayTyped ? firstFreeDay(form.date, freeOn, catalog) : form.date;
  const free = freeOn(date);
  const shown = { ...form, date };
  const start = startOf(shown, free);
  const isFree = start !== null && free.some(({ time }) => time === start.time);
  const unusual = start && !isFree ? unusualAt(start, minutes, catalog, now()) : null;
  // The time that the owner has told the customer never changes by itself.
  useEffect(() => {
    if (busy && form.time === "" && start) setForm((old) => ({ ...old, ...start }));
  });
  const save = (anyway: boolean) =>
    act(async () => {
      const price = textIn(form, "price");
      const terms = { anyway, price: price === "" ? undefined : readPrice(price) };
      const input = bookingOf(form, start ?? { date, time: "" }, catalog);
      try {
        const made = await bookForScreen(input, { store, catalog, now: now() }, terms);
        const { confirmation_code: code } = made.confirmation;
        if (form.lead !== "") await winLead(store, form.lead, code, now().epochMilliseconds);
        booked(code);
        return bookedInWords(made, catalog);
      } catch (error) {
        if (!(error instanceof UnusualTime)) throw error;
        ask({ about: "anyway", why: error.message });
        return null;
      }
    });
  const priced = quote?.kind === "vehicle" ? quote : null;
  const faults = quote?.kind === "faults" ? Object.values(quote.faults) : [];
  return (
    <Frame
      title={TITLE}
      status={catalog.business.name}
      about="Books a customer on the phone or at the counter, at any time that is free. Nobody else can take that time meanwhile unnoticed: a full bay is refused."
      keys={formKeys({ form: shown, rows, free, freeOn, catalog, setForm, ask, save: () => save(false) })}
      beforeLeaving={(leave) => (isBegun(form) ? ask({ about: "leaving", leave }) : leave())}
      dialog={
        question && (
          <BookDialog
            question={question}
            form={shown}
            today={today}
            change={setForm}
            bookAnyway={() => save(true)}
            close={() => ask(null)}
          />
        )
      }
    >
      {({ columns, rows: height }) => {
        const width = columns - FORM_WIDTH;
        const times = timesInLines(free, start?.time ?? "", width);
        return (
          <Box>
            <FormRows
              form={shown}
              rows={rows}
              time={start?.time ?? ""}
              isFull={start !== null && !isFree && unusual === null}
              height={height}
            />
            <Box flexDirection="column" width={width}>
              <Text bold>Free that day</Text>
              <Lines lines={times} width={width} />
              {unusual && (
                <Paragraph
                  text={`At ${timeOfDay(start?.time ?? "")} ${unusual}.`}
                  width={width}
                  most={3}
                  look="warning"
                />
              )}
              <Text> </Text>
              {priced && <VehiclePrices quote={priced.quote} warnings={[]} width={width} />}
              {faults[0] && <Paragraph text={`✗ ${faults[0]}`} width={width} most={3} look="error" />}
              {priced && (
                <LawCheck law={priced.quote.tint_law} width={width} height={Math.max(1, height - times.length - 9)} />
              )}
            </Box>
          </Box>
        );
      }}
    </Frame>
  );
}

function minutesOf({ job: { values } }: BookForm, catalog: Catalog): number {
  const addons = words(catalog).addons.filter((addon) => values[addon]);
  const { vehicle_type, service, film_type, coverage, remove_old_film: removal = "" } = values;
  const request = { vehicle_type, service, film_type, coverage, addons, remove_old_film: removal !== "" };
  return resolveWork(catalog, request).minutes;
}

/** Why customers could not book that time; null for a usual one. */
function unusualAt(
  { date, time }: { date: string; time: string },
  minutes: number,
  catalog: Catalog,
  now: Temporal.Instant,
): string | null {
  const slot = slotAtAnyTime(catalog, date, time, minutes);
  return slot && whyUnusual(catalog, slot, now);
}

type FreeOn = (date: string) => readonly Slot[];

function firstFreeDay(from: string, freeOn: FreeOn, { scheduling }: Catalog): string {
  for (let days = 0; days <= scheduling.horizon_days; days++) {
    const date = addDays(from, days);
    if (freeOn(date).length > 0) return date;
  }
  return from;
}

/** The most lines for the free times of a morning, or of an afternoon. */
const TIMES_LINES = 2;

/** `AM  9:00 [10:00] 11:00`, and the same for the afternoon. */
function timesInLines(free: readonly Slot[], chosen: string, width: number): string[] {
  if (free.length === 0) return ["none for work of this length"];
  return ["AM", "PM"].flatMap((half) => {
    const times = free.flatMap(({ time }) => {
      const [hour = "", ending] = timeOfDay(time).split(" ");
      return ending === half ? [time === chosen ? `[${hour}]` : hour] : [];
    });
    return times.length === 0 ? [] : wrapTo(`${half} ${times.join(" ")}`, width, TIMES_LINES);
  });
}

interface KeyProps {
  form: BookForm;
  rows: readonly Row[];
  free: readonly Slot[];
  freeOn: FreeOn;
  catalog: Catalog;
  setForm: (change: (form: BookForm) => BookForm) => void;
  ask: (question: BookQuestion) => void;
  save: () => void;
}

/** The first character of a day or a time opens the question for it. */
function typed(help: string, begin: (text: string) => void): KeyBinding {
  return { on: LETTERS, label: "a-z 0-9", does: "other", help, run: ({ text }) => begin(text) };
}

/** Letters that find a choice. `?` and `q` keep their meaning there. */
const LETTERS = [..."0123456789abcdefghijklmnoprstuvwxyz"];

function formKeys({ form, rows, free, freeOn, catalog, setForm, ask, save }: KeyProps): readonly KeyBinding[] {
  const row = rows[form.row];
  const go = (by: number) => setForm(() => ({ ...form, row: (form.row + by + rows.length) % rows.length }));
  return [
    pair(["up"], ["down"], { label: "↑↓", does: "field", help: "Go to the field above or below." }, go),
    enterKey(form, rows, go, setForm, save),
    key("tab", "next part", () => setForm(() => nextPart(form, rows)), "Go to the job, to the customer, to the time."),
    ...(row ? rowKeys(row, { form, free, freeOn, catalog, setForm, ask }) : []),
  ];
}

/** Enter goes on to the next field; among the customer's, to what is still missing, and then it books. */
function enterKey(
  form: BookForm,
  rows: readonly Row[],
  go: (by: number) => void,
  setForm: KeyProps["setForm"],
  save: () => void,
): KeyBinding {
  const help = "Go on; in the fields of the customer, book as soon as name and phone are there.";
  if (rows[form.row]?.kind !== "text") return key("enter", "next", () => go(1), help);
  const missing = rows.findIndex(
    (row) => row.kind === "text" && NEEDED.includes(row.name) && textIn(form, row.name) === "",
  );
  if (missing < 0) return key("enter", "book", save, help);
  return missing === form.row
    ? key("enter", "next", () => go(1), help)
    : key("enter", "next", () => setForm(() => ({ ...form, row: missing })), help);
}
const NEEDED: readonly TextName[] = ["customer_name", "customer_phone"];

function rowKeys(
  row: Row,
  { form, free, freeOn, catalog, setForm, ask }: Omit<KeyProps, "rows" | "save">,
): KeyBinding[] {
  switch (row.kind) {
    case "day":
      return [
        pair(
          ["left"],
          ["right"],
          { label: "←→", does: "day", help: "The day with a free time before or after." },
          (by) => setForm(() => ({ ...form, ...otherDay(form.date, by, freeOn, catalog), isDayTyped: false })),
        ),
        typed("Any other day: type it, like friday or 11/27.", (text) => ask({ about: "day", typed: text })),
      ];
    case "time":
      return [
        pair(["left"], ["right"], { label: "←→", does: "time", help: "The free time before or after." }, (by) =>
          setForm(() => ({ ...form, time: otherTime(form.time, by, free) })),
        ),
        typed("Any other time: type it, like 2:30pm.", (text) => ask({ about: "time", typed: text })),
      ];
    case "text":
      return [
        {
          on: ["left", "right", "home", "end", "backspace", "delete", "ctrl+a", "ctrl+e", "ctrl+u"],
          takesText: true,
          label: "a-z",
          does: "type",
          run: (press) =>
            setForm((old) => ({ ...old, texts: { ...old.texts, [row.name]: typeInto(old.texts[row.name], press) } })),
        },
      ];
    case "job": {
      const change = (next: (job: BookForm["job"]) => BookForm["job"]) =>
        setForm((old) => ({ ...old, job: next(old.job) }));
      return [
        pair(["left"], ["right"], { label: "←→", does: "choose", help: "The choice before or after." }, (by) =>
          change((job) => turn(job, row.field, by)),
        ),
        key("space", "on/off", () => change((job) => typeInField(job, row.field, " ")), "Put an extra on or off."),
        {
          on: row.field.choices || row.field.toggle ? LETTERS : [...LETTERS, "q", "%", "."],
          label: "a-z",
          does: "type",
          help: "Type a shade; in a choice, the first letters of a name find it.",
          run: ({ text }) => change((job) => typeInField(job, row.field, text)),
        },
        { on: ["backspace", "delete"], label: "⌫", does: null, run: () => change((job) => erase(job, row.field)) },
      ];
    }
  }
}

/** The nearest day before or after with a free time, at its first one; today is the first. */
function otherDay(date: string, by: number, freeOn: FreeOn, { scheduling }: Catalog): Pick<BookForm, "date" | "time"> {
  for (let days = 1; days <= scheduling.horizon_days; days++) {
    const other = addDays(date, by * days);
    const [first] = freeOn(other);
    if (first) return { date: other, time: first.time };
  }
  return { date, time: freeOn(date)[0]?.time ?? "" };
}

function otherTime(time: string, by: number, free: readonly Slot[]): string {
  const times = free.map((slot) => slot.time);
  const at = Math.max(0, times.indexOf(time));
  return times[(at + by + times.length) % times.length] ?? "";
}
