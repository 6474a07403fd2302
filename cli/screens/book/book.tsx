/** A new booking while the customer is on the phone: free times first, then the car with price and law, then who comes. */
import { Box } from "ink";
import { useEffect, useState } from "react";
import { ShadeNotLegal, UnusualTime } from "../../../src/capabilities/booking/policy.ts";
import { ownerBooking } from "../../../src/capabilities/desk/owner.ts";
import type { Shop } from "../../../src/catalog/shop.ts";
import { blockInTheWay } from "../../../src/domain/bays.ts";
import { timeOfDay } from "../../../src/domain/dates-in-words.ts";
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
import { leadBooked, reopenLead, requireLead } from "../../customers/leads.ts";
import { knownFields, knownInWords } from "../../customers/repeat.ts";
import { closeBooking, reopenBooking, stepInWords } from "../../diary/actions.ts";
import { bayUseAt } from "../../diary/bay-use.ts";
import { readStanding } from "../../diary/entries.ts";
import { bookedInWords, bookForScreen, FieldError, readPrice } from "../../diary/owner.ts";
import { withoutVlt } from "../../estimates/quote-text.ts";
import { momentInWords } from "../../terminal/wording.ts";
import { carMeant } from "../../typed/cars.ts";
import { readDate } from "../../typed/dates.ts";
import { withShades } from "../../typed/shades.ts";
import { readStart, readTime, readWorkLength, startNow } from "../../typed/times.ts";
import { issueIn } from "../../typed/values.ts";
import { Screen as BookingScreen } from "../diary/booking.tsx";
import { useQuote } from "../estimate/price.ts";
import { CatalogIssueScreen } from "../kit/catalog-issues.tsx";
import { type Ask, askToTell, useAsk } from "../kit/dialogs.tsx";
import { Frame } from "../kit/frame.tsx";
import type { Step } from "../kit/history.ts";
import { useNav } from "../kit/navigation.ts";
import type { ScreenProps } from "../kit/screen-stack.tsx";
import { useAct, useLive, useShop } from "../kit/shop.ts";
import {
  atField,
  atRow,
  type BookForm,
  CAR,
  chosenStart,
  filledFrom,
  isBegun,
  isClassOpen,
  newBookForm,
  onSiteService,
  requestBody,
  rowsOf,
  textIn,
  unnamedCar,
} from "./book-form.ts";
import { formKeys, freeDay } from "./book-keys.ts";
import { BOOK_FORM_WIDTH, FormRows } from "./form-rows.tsx";
import { NarrowPanel, WidePanel } from "./panel.tsx";

const TITLE = "New booking";

/** @param about what is known already, as `startingWith` writes it; or a date */
export function Screen({ about }: ScreenProps) {
  const { catalog } = useShop();
  const [code, setCode] = useState<string | null>(null);
  if (code !== null) return <BookingScreen about={code} />;
  return catalog ? (
    <BookingForm catalog={catalog} about={about} booked={setCode} />
  ) : (
    <CatalogIssueScreen title={TITLE} />
  );
}

interface FormProps {
  catalog: Shop;
  about: string;
  booked: (code: string) => void;
}

function BookingForm({ catalog, about, booked }: FormProps) {
  const { say } = useNav();
  const { now } = useShop();
  const today = shopDate(catalog, now());
  const [opened] = useState(() => newBookForm(catalog, today, about));
  const [form, setForm] = useState(opened);
  const ask = useAsk();
  const site = onSiteService(form, catalog);
  const priced = useQuote(form.job, catalog);
  const car = textIn(form, CAR);
  const isOpen = isClassOpen(form, catalog);
  const quote = site || isOpen ? null : priced;
  const busy = useLive(({ store }) =>
    store.busyBetween(now().epochMilliseconds, endOfHorizon(catalog, now()), now().epochMilliseconds),
  );
  const known = useKnownCustomer(form, catalog, setForm);
  const rows = rowsOf(form, catalog);
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
  const start = chosenStart(shown, free);
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
  useEffect(() => {
    if (busy && form.time === "" && start) setForm((old) => ({ ...old, ...start }));
  });
  const save = useSave({ form, start: start ?? { date, time: "" }, catalog, setForm, ask, booked });
  const askForDay = async (begun: string) => {
    const read = (text: string) => dayAndPerhapsTime(text, startNow(catalog, now()));
    const label = "Which day, like friday, 11/27 or tues 10am";
    const at = await ask.read(read, { label, begun, submit: "take it", isInForm: true });
    if (at) setForm(() => atRow({ ...shown, ...at, isDayTyped: true }, form.row + (at.time === "" ? 1 : 2), rows));
  };
  const askForTime = async (begun: string) => {
    const read = (text: string) => readTime(text, () => startNow(catalog, now()).time);
    const label = "Which time, like 9am or 2:30pm";
    const time = await ask.read(read, { label, begun, submit: "take it", isInForm: true });
    if (time) setForm(() => atRow({ ...shown, time }, form.row + 1, rows));
  };
  const leaving = async (leave: () => void) => {
    const question = "Leave without booking? What was typed is lost.";
    if (!isBegun(form, opened) || (await ask.yes(question, "drop it and leave"))) leave();
  };
  const panel = {
    free,
    time: start?.time ?? "",
    quote,
    known: [site ? "" : (carMeant(car, catalog)?.understood ?? ""), known].filter(Boolean).join(" "),
    unstocked: unstockedShade(form, catalog),
    issue: isOpen ? `${car} is not known: which class?` : "",
    // A full bay is refused, whatever else there is about the time.
    warning: bays?.isFree === false ? bays.text : unusual ? `At ${timeOfDay(start?.time ?? "")} ${unusual}.` : "",
    minutes: lengthAt && chosen ? workedMinutes(catalog, chosen) : null,
    verdict: bays?.isFree && unusual === null ? bays.text : ownEnd,
  };
  return (
    <Frame
      title={site ? `${TITLE}: ${site.name}` : TITLE}
      status={catalog.business.name}
      about="Books a customer on the phone or at the counter, at any time that is free. Nobody else can take that time meanwhile unnoticed: a full bay is refused."
      keys={formKeys({
        form: shown,
        rows,
        free,
        freeOn,
        catalog,
        setForm,
        ask: (what, typed) => void (what === "day" ? askForDay : askForTime)(typed),
        save: () => void save(),
        say: (text) => say({ kind: "error", text }),
      })}
      beforeLeaving={(leave) => void leaving(leave)}
      dialog={ask.dialog}
    >
      {({ columns, rows: height }) => {
        const isWide = columns >= BOOK_FORM_WIDTH + LEAST_PANEL;
        const formHeight = isWide ? height : Math.min(rows.length, Math.ceil(height * FORM_SHARE));
        const parts = (
          <>
            <FormRows form={shown} rows={rows} time={panel.time} isBusy={bays?.isFree === false} height={formHeight} />
            {isWide ? (
              <WidePanel {...panel} size={{ columns: columns - BOOK_FORM_WIDTH, rows: height }} />
            ) : (
              <NarrowPanel {...panel} size={{ columns, rows: height - formHeight }} />
            )}
          </>
        );
        return isWide ? <Box>{parts}</Box> : <Box flexDirection="column">{parts}</Box>;
      }}
    </Frame>
  );
}

/** Columns beside the form in which a price has room; with less it is under the form. */
const LEAST_PANEL = 32;
/** The share of a narrow terminal that the fields have. */
const FORM_SHARE = 0.6;

/** The customer whose phone is typed; what is known of them fills the fields that are still empty. @returns a line about them */
function useKnownCustomer(form: BookForm, catalog: Shop, setForm: SetForm): string {
  const phone = toE164(textIn(form, "customer_phone"), catalog.business.address.country) ?? "";
  const live = useLive(async ({ store }) => (phone === "" ? null : await store.customer(phone)), phone);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the arrival of a customer fills the form
  useEffect(() => {
    if (live) setForm((old) => filledFrom(old, knownFields(live, catalog)));
  }, [live?.phone]);
  return knownInWords(live);
}

type SetForm = (change: (form: BookForm) => BookForm) => void;

/** `friday`, or `tues 10am`, which fills the time too. @throws UsageError */
function dayAndPerhapsTime(typed: string, now: Start): Start {
  const isDay = issueIn(() => readDate(typed, () => now.date)) === null;
  const bare = { date: now.date, time: "" };
  return isDay ? { ...bare, date: readDate(typed, () => now.date) } : readStart(typed, now, bare);
}

interface SaveProps {
  form: BookForm;
  start: Start;
  catalog: Shop;
  setForm: SetForm;
  ask: Ask;
  booked: (code: string) => void;
}

/** @returns a function that books, after asking what needs a yes */
function useSave({ form, start, catalog, setForm, ask, booked }: SaveProps): () => Promise<void> {
  const act = useAct();
  const contact = { phone: textIn(form, "customer_phone"), email: textIn(form, "customer_email") };
  const book = async (terms: { anyway: boolean; evenIllegal: boolean; isQuiet: boolean }) => {
    let doubt: UnusualTime | ShadeNotLegal | null = null;
    await act(async ({ store, now }) => {
      const price = textIn(form, "price");
      const length = readWorkLength(textIn(form, "length"), start, catalog, now());
      const agreed = { ...terms, price: price === "" ? undefined : readPrice(price), ...length };
      try {
        if (isClassOpen(form, catalog))
          throw new FieldError(`${textIn(form, CAR)} is not known: say which class of car it is.`, "vehicle_type");
        const made = await bookForScreen(requestBody(form, start, catalog), { store, catalog, now: now() }, agreed);
        if (form.lead !== "") await leadBooked(store, form.lead, made.confirmation, now().epochMilliseconds);
        booked(made.confirmation.confirmation_code);
        const step = bookingStep(made.confirmation.confirmation_code, form.lead, terms.isQuiet);
        return { said: bookedInWords(made) + unnamedCar(form, catalog), step };
      } catch (error) {
        if (error instanceof FieldError) setForm((old) => atField(old, catalog, error.field));
        if (!(error instanceof UnusualTime || error instanceof ShadeNotLegal)) throw error;
        doubt = error;
        return null;
      }
    });
    const asked = doubt as UnusualTime | ShadeNotLegal | null;
    if (asked === null) return;
    const isShade = asked instanceof ShadeNotLegal;
    const isYes = isShade
      ? await ask.yes(`${asked.message}: book it anyway?`, ANYWAY, asked.reasons.map(withoutVlt).join(" "))
      : await ask.yes(
          `Customers could not book this: ${asked.message}.`,
          ANYWAY,
          "You can book it all the same; a full bay is refused always.",
        );
    if (isYes) await book({ ...terms, ...(isShade ? { evenIllegal: true } : { anyway: true }) });
  };
  return async () => {
    const unstocked = unstockedShade(form, catalog);
    if (unstocked !== "" && !(await ask.yes(`${unstocked} Book it anyway?`, ANYWAY))) return;
    const isQuiet = tellsCustomers("booked", contact, catalog) ? await askToTell(ask) : false;
    if (isQuiet !== undefined) await book({ anyway: false, evenIllegal: false, isQuiet });
  };
}

const ANYWAY = "book it anyway";

/** A booking is taken back as one that the shop cancels; the lead that it came from is open again. */
function bookingStep(code: string, lead: string, isQuiet: boolean): Step {
  return {
    async undo({ store, catalog, now }) {
      const desk = { store, catalog, now: now() };
      const said = stepInWords(await closeBooking(desk, code, "cancelled_by_shop", [], isQuiet), "confirmed");
      if (lead !== "") await reopenLead(store, await requireLead(store, lead), now().epochMilliseconds);
      return said;
    },
    async redo({ store, catalog, now }) {
      const { booking } = await reopenBooking({ store, catalog, now: now() }, code, isQuiet);
      return stepInWords(booking, "cancelled_by_shop");
    },
  };
}

/** The length that the owner has typed, for each start; null without one, or while it is none yet. */
function typedLength(form: BookForm, catalog: Shop, now: Temporal.Instant) {
  const typed = textIn(form, "length");
  const lengthAt = (start: Start) => readWorkLength(typed, start, catalog, now);
  const { date, time } = form;
  const isLength = typed.trim() !== "" && issueIn(() => lengthAt({ date, time: time || "00:00" })) === null;
  return isLength ? lengthAt : null;
}

/** That the film does not come in a shade, with the nearest; empty where it does. */
function unstockedShade(form: BookForm, catalog: Shop): string {
  if (onSiteService(form, catalog)) return "";
  const { shade = "", windshield_shade: windshield = "" } = form.job.values;
  const wishes = { ...(shade !== "" && { shade }), ...(windshield !== "" && { windshield_shade: windshield }) };
  const { shape } = ownerBooking.input(catalog);
  const job = {
    shade: shape.shade.safeParse(withShades(wishes, catalog).shade).data,
    windshield_shade: shape.windshield_shade.safeParse(windshield).data,
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

function workOf(form: BookForm, catalog: Shop): Work {
  const { values } = form.job;
  const addons = catalog.terms.addons.filter((addon) => values[addon]);
  const { vehicle_type = "", service, film_type, coverage, remove_old_film: removal = "" } = values;
  const request = {
    ...(vehicle_type !== "" && { vehicle_type }),
    service,
    film_type,
    coverage,
    addons,
    remove_old_film: removal !== "",
  };
  return resolveWork(catalog, request);
}
