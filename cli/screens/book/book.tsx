/** A new booking while the customer is on the phone: free times first, then price and law, then who comes. */
import { Box, Text } from "ink";
import { useEffect, useState } from "react";
import { UnusualTime } from "../../../src/capabilities/desk/owner-booking.ts";
import type { Catalog } from "../../../src/catalog/schema.ts";
import { words } from "../../../src/catalog/terms.ts";
import { slotAtAnyTime, whyUnusual, withoutNotice } from "../../../src/domain/owner-slots.ts";
import { endOfHorizon, shopDate } from "../../../src/domain/schedule.ts";
import { openSlots, type Slot, type Start } from "../../../src/domain/slots.ts";
import { timeOfDay } from "../../../src/domain/spoken-dates.ts";
import { resolveWork } from "../../../src/domain/work.ts";
import { winLead } from "../../customers/leads.ts";
import { bookedInWords, bookForScreen, FieldError, readPrice } from "../../diary/owner.ts";
import { startNow } from "../../typed/times.ts";
import { Screen as BookingScreen } from "../diary/booking.tsx";
import { useQuote } from "../estimate/price.ts";
import { LawCheck, VehiclePrices } from "../estimate/quotes.tsx";
import { CatalogIssueScreen } from "../kit/catalog-issues.tsx";
import { Frame } from "../kit/frame.tsx";
import type { ScreenProps } from "../kit/screen-stack.tsx";
import { useAct, useLive, useShop } from "../kit/shop.ts";
import { Lines, Paragraph, wrapTo } from "../kit/text.tsx";
import { BookDialog, type BookQuestion, isBegun } from "./book-dialog.tsx";
import { atField, type BookForm, bookingOf, newBookForm, rowsOf, startOf, textIn } from "./book-form.ts";
import { formKeys, freeDay } from "./book-keys.ts";
import { FORM_WIDTH, FormRows } from "./form-rows.tsx";

const TITLE = "New booking";

/** @param about what is known already, as `startingWith` writes it; or a date */
export function Screen({ about }: ScreenProps) {
  const { catalog } = useShop();
  const [code, setCode] = useState<string | null>(null);
  if (code !== null) return <BookingScreen about={code} />;
  return catalog ? <Form catalog={catalog} about={about} booked={setCode} /> : <CatalogIssueScreen title={TITLE} />;
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
  const freeOn = (date: string) => openSlots(withoutNotice(catalog), date, minutes, busy ?? [], now());
  // A day without a free time is passed over.
  const date = form.time === "" && !form.isDayTyped ? (freeDay(form.date, 1, freeOn, catalog) ?? form.date) : form.date;
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
        return bookedInWords(made);
      } catch (error) {
        if (error instanceof FieldError) setForm((old) => atField(old, rows, error.field));
        if (!(error instanceof UnusualTime)) throw error;
        ask({ about: "anyway", why: error.message });
        return null;
      }
    });
  const priced = quote?.kind === "vehicle" ? quote : null;
  const issues = quote?.kind === "issues" ? Object.values(quote.issues) : [];
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
            now={startNow(catalog, now())}
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
            <Box flexDirection="column" width={width} height={height} overflow="hidden">
              <Box flexDirection="column" flexShrink={0}>
                <Text bold>Free that day</Text>
                <Lines lines={times} width={width} />
              </Box>
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
              {issues[0] && <Paragraph text={`✗ ${issues[0]}`} width={width} most={3} look="error" />}
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
function unusualAt({ date, time }: Start, minutes: number, catalog: Catalog, now: Temporal.Instant): string | null {
  const slot = slotAtAnyTime(catalog, date, time, minutes);
  return slot && whyUnusual(catalog, slot, now);
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
