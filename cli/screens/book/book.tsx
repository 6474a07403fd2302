/** A new booking while the customer is on the phone: free times first, then the car with price and law, then who comes. */
import { Box } from "ink";
import { useLayoutEffect, useMemo, useState } from "react";
import type { Confirmation } from "../../../src/capabilities/booking/confirmation.ts";
import { ownerBooking } from "../../../src/capabilities/desk/owner.ts";
import type { Shop } from "../../../src/catalog/shop.ts";
import { blockInTheWay } from "../../../src/domain/bays.ts";
import { dayAndDate, timeOfDay } from "../../../src/domain/dates-in-words.ts";
import { addDays, endOfHorizon, shopDate } from "../../../src/domain/schedule.ts";
import {
  ANY_TIME,
  openOwnSlots,
  openSlots,
  ownLength,
  type Start,
  slotAt,
  type WorkLength,
  whyUnusual,
  workedMinutes,
} from "../../../src/domain/slots.ts";
import { resolveWork, type Work } from "../../../src/domain/work.ts";
import { jobOf } from "../../../src/job/job.ts";
import { workWarnings } from "../../../src/job/warnings.ts";
import { toE164 } from "../../../src/lib/phone.ts";
import { tellsCustomers } from "../../../src/messages/customer-messages.ts";
import { knownFields, knownInWords } from "../../customers/customers.ts";
import { leadBooked, reopenLead, requireLead } from "../../customers/leads.ts";
import { closeBooking, reopenBooking, stepInWords } from "../../diary/actions.ts";
import { readStanding } from "../../diary/entries.ts";
import { bayUseAt, bookedInWords, bookForScreen, FieldError, readPrice } from "../../diary/owner.ts";
import { momentInWords } from "../../terminal/wording.ts";
import { carMeant } from "../../typed/cars.ts";
import { readDate } from "../../typed/dates.ts";
import { withShades } from "../../typed/requests.ts";
import { readStart, readTime, readWorkLength, startNow } from "../../typed/times.ts";
import { issueIn } from "../../typed/values.ts";
import { Screen as BookingScreen } from "../diary/booking.tsx";
import { LABEL_WIDTH } from "../estimate/estimate.tsx";
import { jobFields, requestFields, useQuote } from "../estimate/estimate-form.ts";
import { pair } from "../kit/bindings.tsx";
import { type Anyway, askAnyway, askToTell } from "../kit/dialogs.tsx";
import { type Field, Fields, fieldKeys, moveBy, textIn } from "../kit/form.tsx";
import { Frame, withCatalog } from "../kit/frame.tsx";
import { deskOf, type Step, useLive, useScreen, useShop } from "../kit/screen.ts";
import {
  atRow,
  type BookForm,
  CAR,
  filledFrom,
  freeDay,
  isBegun,
  isClassOpen,
  newBookForm,
  onSiteService,
  partKeys,
  requestBody,
  rowsOf,
  type SetForm,
  startKeys,
  unnamedCar,
  withState,
} from "./book-form.ts";
import { Panel } from "./panel.tsx";

const TITLE = "New booking";

/** `about` is what is known already, as `startingWith` writes it; or a date. */
export const Screen = withCatalog(TITLE, ({ catalog, about }) => {
  const [code, setCode] = useState<string | null>(null);
  if (code !== null) return <BookingScreen about={code} />;
  return <BookingForm catalog={catalog} about={about} booked={setCode} />;
});

function BookingForm({ catalog, about, booked }: { catalog: Shop; about: string; booked: (code: string) => void }) {
  const { now, say, act, ask } = useScreen();
  const today = shopDate(catalog, now());
  const [opened] = useState(() => newBookForm(catalog, today, about));
  const [form, setForm] = useState(opened);
  const site = onSiteService(form, catalog);
  const priced = useQuote("vehicle", requestFields(form.state, jobFields(catalog, "vehicle")), catalog);
  const car = textIn(form.state, CAR);
  const isOpen = isClassOpen(form, catalog);
  const quote = site || isOpen ? null : priced;
  const busy = useLive(({ store }) =>
    store.busyBetween(now().epochMilliseconds, endOfHorizon(catalog, now()), now().epochMilliseconds),
  );
  const known = useKnownCustomer(form, catalog, setForm);
  const work = lengthOf(form, catalog);
  const lengthAt = typedLength(form, catalog, now());
  const freeOn = (date: string) =>
    lengthAt
      ? openOwnSlots(catalog, date, lengthAt, busy ?? [], now())
      : openSlots(catalog, date, { ...work, notice: false }, busy ?? [], now());
  // A day without a free time is passed over.
  const date = form.time === "" && !form.isDayTyped ? (freeDay(form.date, 1, freeOn, catalog) ?? form.date) : form.date;
  const free = freeOn(date);
  const shown = { ...form, date };
  const time = form.time || (free[0]?.time ?? "");
  const start = time === "" ? null : { date, time };
  const usual = free.find(({ time }) => time === start?.time);
  const isOnGrid = usual !== undefined;
  const ownEnd = usual && (lengthAt || usual.parts) ? `Work ends ${momentInWords(catalog, usual.endAt, now())}` : "";
  // The grid has the usual starts; the owner books any time that finds a bay.
  const lengthOfStart = (at: Start) => (lengthAt ? ownLength(lengthAt(at)) : { ...work, ...ANY_TIME });
  const slot = start && !isOnGrid ? (slotAt(catalog, start, lengthOfStart(start), now()) ?? null) : null;
  const chosen = usual ?? slot;
  const end = slot ? shopDate(catalog, slot.busyUntil) : date;
  const to = addDays(end, 1);
  const standing = useLive(({ store }) => readStanding(store, { from: date, to }, catalog), `${date} ${to}`);
  const bays = slot && standing && bayUseAt(catalog, slot, standing);
  const unusual = slot && (whyUnusual(catalog, slot, now()) ?? blockInTheWay(catalog, slot, busy ?? []));
  // A time that the owner may have said on the phone never changes by itself.
  useLayoutEffect(() => {
    if (busy && form.time === "" && start) setForm((old) => ({ ...old, ...start }));
  });
  const unstocked = useUnstockedShade(form, catalog);
  const book = (isQuiet: boolean, agreed: Anyway) =>
    act(async (shop) => {
      const price = textIn(form.state, "price");
      const length = readWorkLength(textIn(form.state, "length"), { date, time }, catalog, now());
      const terms = { anyway: false, evenIllegal: false, isQuiet, ...agreed, ...length };
      try {
        if (isOpen) throw new FieldError(`${car} is not known: say which class of car it is.`, "vehicle_type");
        const priced = { ...terms, price: price === "" ? undefined : readPrice(price) };
        const made = await bookForScreen(
          requestBody(form, { date, time }, catalog),
          { ...deskOf(shop), catalog },
          priced,
        );
        const { confirmation } = made;
        if (form.lead !== "") await leadBooked(shop.store, form.lead, confirmation, now().epochMilliseconds);
        booked(confirmation.confirmation_code);
        const said = bookedInWords(made, now()) + unnamedCar(form, catalog);
        return { said, step: bookingStep(confirmation, form.lead, isQuiet) };
      } catch (error) {
        if (error instanceof FieldError) setForm((old) => atRow(old, error.field, catalog, true));
        throw error;
      }
    });
  const save = async () => {
    if (unstocked !== "" && !(await ask.yes(`${unstocked} Book it anyway?`, "book it anyway"))) return;
    const contact = { phone: textIn(form.state, "customer_phone"), email: textIn(form.state, "customer_email") };
    const isQuiet = tellsCustomers("booked", contact, catalog) ? await askToTell(ask) : false;
    if (isQuiet !== undefined) await askAnyway(ask, "book", (agreed) => book(isQuiet, agreed));
  };
  const rowAfterTime = rowsOf(form, catalog)[2]?.name ?? "";
  const prompt = { submit: "take it", isInForm: true };
  const take = (at: Partial<BookForm>, row: string) => setForm(() => atRow({ ...shown, ...at }, row, catalog));
  const askForDay = async (begun: string) => {
    const read = (text: string) => dayAndPerhapsTime(text, startNow(catalog, now()));
    const at = await ask.read(read, { label: "Which day, like friday, 11/27 or tues 10am", begun, ...prompt });
    if (at) take({ ...at, isDayTyped: true }, at.time === "" ? "time" : rowAfterTime);
  };
  const askForTime = async (begun: string) => {
    const read = (text: string) => readTime(text, () => startNow(catalog, now()).time);
    const time = await ask.read(read, { label: "Which time, like 9am or 2:30pm", begun, ...prompt });
    if (time) take({ time }, rowAfterTime);
  };
  const leaving = async (leave: () => void) => {
    const question = "Leave without booking? What was typed is lost.";
    if (!isBegun(form, opened) || (await ask.yes(question, "drop it and leave"))) leave();
  };
  const isBusy = bays?.isFree === false;
  const panel = {
    free,
    time,
    quote,
    known: [site ? "" : (carMeant(car, catalog)?.understood ?? ""), known].filter(Boolean).join(" "),
    unstocked,
    issue: isOpen ? `${car} is not known: which class?` : "",
    // A full bay is refused, whatever else there is about the time.
    warning: isBusy ? (bays?.text ?? "") : unusual ? `At ${timeOfDay(time)} ${unusual}.` : "",
    minutes: lengthAt && chosen ? workedMinutes(catalog, chosen) : null,
    verdict: bays?.isFree && unusual === null ? bays.text : ownEnd,
  };
  const own: Record<string, Field["own"]> = {
    day: { text: dayAndDate(date, today), keys: startKeys("day", shown, freeOn, catalog, setForm, askForDay) },
    time: {
      text: time === "" ? "none free" : timeOfDay(time) + (isBusy ? " busy" : ""),
      isWrong: isBusy || time === "",
      keys: startKeys("time", shown, freeOn, catalog, setForm, askForTime),
    },
    more: { text: "", keys: [] },
  };
  const rows = rowsOf(form, catalog).map((row) => ({ ...row, own: own[row.name] }));
  const field = rows.find(({ name }) => name === form.state.at);
  return (
    <Frame
      title={site ? `${TITLE}: ${site.name}` : TITLE}
      status={catalog.business.name}
      about="Books a customer on the phone or at the counter, at any time that is free. Nobody else can take that time meanwhile unnoticed: a full bay is refused."
      keys={[
        pair(["up"], ["down"], "↑↓", "field", "Go to the field above or below.", (by) =>
          setForm(() => ({ ...shown, state: moveBy(shown.state, rowsOf(shown, catalog), by) })),
        ),
        ...partKeys(shown, catalog, setForm, { save, say: (text) => say({ kind: "error", text }) }),
        ...(field
          ? fieldKeys(field, form.state, (next) => setForm((old) => withState(old, next(old.state), catalog)))
          : []),
      ]}
      beforeLeaving={(leave) => leaving(leave)}
      dialog={ask.dialog}
    >
      {({ columns, rows: height }) => {
        const isWide = columns >= BOOK_FORM_WIDTH + LEAST_PANEL;
        const formHeight = isWide ? height : Math.min(rows.length, Math.ceil(height * FORM_SHARE));
        const parts = (
          <>
            <Box width={BOOK_FORM_WIDTH}>
              <Fields
                fields={rows}
                state={form.state}
                label={LABEL_WIDTH}
                size={{ columns: BOOK_FORM_WIDTH - 1, rows: formHeight }}
              />
            </Box>
            <Panel
              {...panel}
              isWide={isWide}
              size={
                isWide ? { columns: columns - BOOK_FORM_WIDTH, rows: height } : { columns, rows: height - formHeight }
              }
            />
          </>
        );
        return isWide ? <Box>{parts}</Box> : <Box flexDirection="column">{parts}</Box>;
      }}
    </Frame>
  );
}

const BOOK_FORM_WIDTH = 40;
/** Columns beside the form in which a price has room; with less it is under the form. */
const LEAST_PANEL = 32;
/** The share of a narrow terminal that the fields have. */
const FORM_SHARE = 0.6;

/** The customer whose phone is typed; what is known of them fills the fields that are still empty. @returns a line about them */
function useKnownCustomer(form: BookForm, catalog: Shop, setForm: SetForm): string {
  const { now } = useShop();
  const phone = toE164(textIn(form.state, "customer_phone"), catalog.business.address.country) ?? "";
  const live = useLive(async ({ store }) => (phone === "" ? null : await store.customer(phone)), phone);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the arrival of a customer fills the form
  useLayoutEffect(() => {
    if (live) setForm((old) => filledFrom(old, knownFields(live, catalog)));
  }, [live?.phone]);
  return knownInWords(live ?? null, now());
}

/** `friday`, or `tues 10am`, which fills the time too. @throws UsageError */
function dayAndPerhapsTime(typed: string, now: Start): Start {
  const isDay = issueIn(() => readDate(typed, () => now.date)) === null;
  const bare = { date: now.date, time: "" };
  return isDay ? { ...bare, date: readDate(typed, () => now.date) } : readStart(typed, now, bare);
}

/** A booking is taken back as one that the shop cancels; the lead that it came from is open again, and won when it is redone. */
function bookingStep(booked: Confirmation, lead: string, isQuiet: boolean): Step {
  const code = booked.confirmation_code;
  return {
    async undo(shop) {
      const { store, now } = shop;
      const ended = await closeBooking(deskOf(shop), code, "cancelled_by_shop", [], isQuiet);
      const said = stepInWords(ended, "confirmed", now());
      if (lead !== "") await reopenLead(store, await requireLead(store, lead), now().epochMilliseconds);
      return said;
    },
    async redo(shop) {
      const { store, now } = shop;
      const { booking } = await reopenBooking(deskOf(shop), code, isQuiet);
      if (lead !== "") await leadBooked(store, lead, booked, now().epochMilliseconds);
      return stepInWords(booking, "cancelled_by_shop", now());
    },
  };
}

/** The length that the owner has typed, for each start; null without one, or while it is none yet. */
function typedLength(form: BookForm, catalog: Shop, now: Temporal.Instant) {
  const typed = textIn(form.state, "length");
  const lengthAt = (start: Start) => readWorkLength(typed, start, catalog, now);
  const { date, time } = form;
  const isLength = typed.trim() !== "" && issueIn(() => lengthAt({ date, time: time || "00:00" })) === null;
  return isLength ? lengthAt : null;
}

/** That the film does not come in a shade, with the nearest; empty where it does. To make the schemas takes a tenth of a drawing. */
function useUnstockedShade(form: BookForm, catalog: Shop): string {
  const { shape } = useMemo(() => ownerBooking.input(catalog), [catalog]);
  if (onSiteService(form, catalog)) return "";
  const job = {
    shade: shape.shade.safeParse(withShades({ shade: textIn(form.state, "shade") }, catalog).shade).data,
    windshield_shade: shape.windshield_shade.safeParse(textIn(form.state, "windshield_shade")).data,
  };
  return workWarnings(jobOf(job, catalog, workOf(form, catalog)), catalog)
    .flatMap(({ code, message }) => (code === "SHADE_NOT_STOCKED" ? [message] : []))
    .join(" ");
}

/** The usual length of the work; on a site, which may have none, the length of one step of the starts. */
function lengthOf(form: BookForm, catalog: Shop): WorkLength {
  const { default_minutes: usual, grid_minutes: step } = catalog.scheduling;
  const site = onSiteService(form, catalog);
  return site ? { minutes: usual[site.id] ?? step } : workOf(form, catalog);
}

function workOf({ state }: BookForm, catalog: Shop): Work {
  const vehicle_type = textIn(state, "vehicle_type");
  return resolveWork(catalog, {
    ...(vehicle_type !== "" && { vehicle_type }),
    service: textIn(state, "service"),
    film_type: textIn(state, "film_type"),
    coverage: textIn(state, "coverage"),
    addons: catalog.terms.addons.filter((addon) => textIn(state, addon) !== ""),
    remove_old_film: textIn(state, "remove_old_film") !== "",
  });
}
