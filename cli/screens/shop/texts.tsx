/** The messages to customers and to the shop: switched on and off, reworded, and previewed with a booking of the shop. */
import { useState } from "react";
import { depositAmount } from "../../../src/capabilities/booking/deposit.ts";
import { SAMPLE_CODE, SAMPLE_PERSON } from "../../../src/capabilities/core/samples.ts";
import { pageUrl, RECEIPT_PATH } from "../../../src/catalog/page-addresses.ts";
import type { Path } from "../../../src/catalog/path.ts";
import { SHOP_NEWS_KINDS, type ShopNewsKind } from "../../../src/catalog/sections/messages.ts";
import { fillTemplate } from "../../../src/catalog/sections/template.ts";
import { templateFieldsAt } from "../../../src/catalog/settings.ts";
import type { Shop } from "../../../src/catalog/shop.ts";
import { CUSTOMER_MESSAGES } from "../../../src/constants.ts";
import { estimateAutomotive } from "../../../src/domain/automotive.ts";
import { dateAndTime } from "../../../src/domain/dates-in-words.ts";
import { ballparkOf } from "../../../src/domain/flat-glass.ts";
import { rfc3339 } from "../../../src/domain/schedule.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/lib/durations.ts";
import { valueAt } from "../../../src/lib/fields.ts";
import { toCents } from "../../../src/lib/money.ts";
import { counted, segments } from "../../../src/lib/text.ts";
import { depositFields, paperFields } from "../../../src/messages/customer-messages.ts";
import { bookingsAlertText, shopNews } from "../../../src/messages/plan.ts";
import {
  type Appointment,
  afterWorkFields,
  appointmentWords,
  quoteFields,
  requestWords,
  toSms,
} from "../../../src/messages/words.ts";
import { withRequest } from "../../../src/store/queries/request-in-words.ts";
import { KIND_WORDS, offWayOf } from "../../server/outbox.ts";
import { type Column, LEAST } from "../../terminal/columns.ts";
import { latest, valueChange } from "../editor/draft.ts";
import { type Editor, EditorFrame, editorScreen } from "../editor/editor.tsx";
import { key } from "../kit/bindings.tsx";
import { ListBody } from "../kit/frame.tsx";
import { useList } from "../kit/list.tsx";
import { useLive, useScreen } from "../kit/screen.ts";
import { type Line, linesOf, type Size, wrapTo } from "../kit/text.tsx";

const TITLE = "Texts";

interface Message {
  kind: string;
  path: Path;
  /** Null for those to the shop, which are always on. */
  toCustomer: { kind: (typeof CUSTOMER_MESSAGES)[number]; isOn: boolean } | null;
  text: string;
  /** Of an e-mail. */
  subject: string | null;
}

/** The shop's own messages, which are texts, and most of them e-mails, too. */
const TO_SHOP: Readonly<Record<ShopNewsKind | "many_bookings" | "digest", string>> = {
  booking: "a new booking",
  changed: "a booking was changed",
  rescheduled: "a booking was moved",
  cancelled: "a booking was cancelled",
  refunded: "a deposit was paid too late",
  quote: "a quote request",
  reminder: "nobody was called yet",
  many_bookings: "many bookings",
  digest: "many requests",
};

function messagesOf({ messages, messaging }: Shop): Message[] {
  const toCustomers = CUSTOMER_MESSAGES.flatMap((kind): Message[] => {
    const message = messages[kind];
    if (!message) return [];
    const subject = "subject" in message ? message.subject : null;
    const toCustomer = { kind, isOn: message.enabled === true };
    return [{ kind, path: ["messages", kind, "text"], toCustomer, text: message.text, subject }];
  });
  const texts = Object.keys(TO_SHOP).map((about): Message => {
    const kind = `shop_${about}_sms`;
    const text = String(Object(messages)[kind]);
    return { kind, path: ["messages", kind], toCustomer: null, text, subject: null };
  });
  const mails = SHOP_NEWS_KINDS.map((about): Message => {
    const kind = `shop_${about}_email`;
    return { kind, path: ["messages", kind, "text"], toCustomer: null, ...messaging.shopMails[about] };
  });
  return [...toCustomers, ...texts, ...mails];
}

function textName(kind: string): string {
  const [, about, way] = /^shop_(\w+)_(sms|email)$/.exec(kind) ?? [];
  const words: Record<string, string> = { ...KIND_WORDS, ...TO_SHOP };
  return about === undefined
    ? (words[kind] ?? kind)
    : `${way === "sms" ? "text" : "e-mail"} to the shop: ${words[about]}`;
}

type Part = "text" | "subject";

function Texts({ editor }: { editor: Editor }) {
  const { now, ask } = useScreen();
  const server = useLive(({ askServer }) => askServer(), "", false) ?? null;
  const { catalog, source } = latest(editor.draft);
  const messages = messagesOf(catalog);
  const sent = ({ toCustomer }: Message) => {
    if (!toCustomer?.isOn) return toCustomer ? "off" : "always";
    const way = server && offWayOf(toCustomer.kind, server);
    return isIdle(toCustomer, catalog) ? "not yet" : way === null ? "on" : `on, but ${way} are off`;
  };
  const columns: Column<Message>[] = [
    { name: "message", value: ({ kind }) => textName(kind), min: LEAST },
    { name: "sent", value: sent },
  ];
  const list = useList(messages, { id: ({ kind }) => kind, columns, isFilterable: false });
  const [isReworded, setReworded] = useState(false);
  const message = list.row;
  const toCustomer = message?.toCustomer;
  const changeOf = (path: Path, now: string | boolean | object) =>
    valueChange(editor.draft, path, now, path.slice(1).join("."));
  const turn = ({ kind, isOn }: NonNullable<Message["toCustomer"]>) =>
    editor.make(changeOf(["messages", kind, "enabled"], !isOn));
  const typedChange = (message: Message, part: Part, typed: string) => {
    const words = part === "text" ? typed.replaceAll("\\n", "\n") : typed;
    const group = message.path.slice(0, 2);
    // An e-mail that the file does not have yet is written as a whole.
    return message.subject !== null && valueAt(source, group) === undefined
      ? changeOf(group, { subject: message.subject, text: message.text, [part]: words })
      : changeOf(part === "text" ? message.path : [...group, part], words);
  };
  const reword = async (message: Message, part: Part) => {
    setReworded(part === "text");
    const typed = await ask.text({
      label: part === "text" ? "Text" : "Subject",
      begun: (part === "text" ? message.text : (message.subject ?? "")).replaceAll("\n", "\\n"),
      submit: "accept",
      check: (typed) => editor.refusal(typedChange(message, part, typed)),
    });
    setReworded(false);
    if (typed !== undefined) editor.make(typedChange(message, part, typed));
  };
  return (
    <EditorFrame
      title={TITLE}
      about="What customers and you are sent, with a preview of a booking. The words in braces are filled in; nothing is written before you save."
      editor={editor}
      keys={[
        ...list.keys,
        message && key("enter", "reword", () => reword(message, "text"), "Change the words."),
        typeof message?.subject === "string" &&
          key("e", "edit the subject", () => reword(message, "subject"), "Change the subject of the e-mail."),
        toCustomer &&
          key(
            "space",
            toCustomer.isOn ? "switch off" : "switch on",
            () => turn(toCustomer),
            "Whether it is sent at all.",
          ),
      ]}
      dialog={ask.dialog}
    >
      {(size) => (
        <ListBody
          list={list}
          isDim={({ toCustomer }) => toCustomer?.isOn === false}
          below={() => (message ? previewLines(message, catalog, now(), size, isReworded) : [])}
          empty="The catalog has no messages."
          size={size}
        />
      )}
    </EditorFrame>
  );
}

export const Screen = editorScreen(Texts, TITLE);

const PREVIEW = 0.5;

/** Whether a message is on, and does not go out all the same. */
function isIdle({ kind, isOn }: NonNullable<Message["toCustomer"]>, { messaging }: Shop): boolean {
  return isOn && !messaging.customerMessages.has(kind);
}

const idleReason = (kind: string) =>
  kind.startsWith("deposit_")
    ? "It goes out once the catalog asks for a deposit, and bookings are confirmed the same way."
    : "It goes out once the confirmation by e-mail is on, whose calendar entry it corrects.";

/** The message as it arrives, for a booking of tomorrow, below the fields that it may name while it is reworded. */
function previewLines(
  message: Message,
  catalog: Shop,
  now: Temporal.Instant,
  { columns, rows }: Size,
  isReworded: boolean,
): Line[] {
  const { kind, path, toCustomer } = message;
  const { subject, text } = filledIn(message, catalog, now);
  const length = message.subject === null ? ` (${text.length} characters, ${counted(segments(text), "text")})` : "";
  const room = Math.max(2, Math.floor(rows * PREVIEW));
  const fields = isReworded
    ? templateFieldsAt(path)
        .map((field) => `{${field}}`)
        .join(" ")
    : "";
  return [
    { text: `Preview of the ${textName(kind)}${length}`, look: "dim" } as const,
    ...linesOf(fields && `It may name ${fields}`, columns, 4, "dim"),
    ...linesOf(toCustomer && isIdle(toCustomer, catalog) ? idleReason(kind) : "", columns, 2, "dim"),
    ...linesOf(subject, columns, 2, "bold"),
    ...text.split("\n").flatMap((part) => wrapTo(part, columns, room).map((line): Line => ({ text: line }))),
  ].slice(0, room);
}

/** The words of a message, with a booking of tomorrow or a quote request filled in. The subject of a text is empty. */
function filledIn({ kind, text, subject }: Message, catalog: Shop, now: Temporal.Instant) {
  const appointment = sampleOf(catalog, now);
  const words = appointmentWords(appointment, catalog);
  const asked = quoteOf(appointment.name, catalog);
  const about = SHOP_NEWS_KINDS.find((one) => kind.startsWith(`shop_${one}_`));
  const asText = (sms: string) => ({ subject: "", text: sms });
  if (about !== undefined) {
    const isRequest = about === "quote" || about === "reminder";
    const { phone, extension, email } = appointment.job;
    const details = asked.sqft === undefined ? {} : { square_footage: asked.sqft };
    const told = isRequest ? requestWords({ ...asked, phone, extension, email, details }, catalog) : words;
    const { text: sms, mail } = shopNews(about, told, catalog);
    return subject === null || !mail ? asText(sms) : withRequest(mail, {});
  }
  if (kind === "shop_many_bookings_sms") return asText(bookingsAlertText(words, catalog));
  if (kind === "shop_digest_sms") {
    const count = String(catalog.messages.digest_above_per_hour + 1);
    const since = dateAndTime(rfc3339(catalog, appointment.startAt)).time;
    return asText(toSms(text, { count, since, shop: catalog.business.name }));
  }
  const { reference, request, range } = quoteFields(asked, catalog);
  const url = `${pageUrl(catalog, RECEIPT_PATH) ?? ""}/…`;
  const more = {
    ...{ reference, request, range },
    ...afterWorkFields(catalog),
    ...paperFields({ kind: "receipt", whole: "…", url }),
    ...depositOf(appointment, catalog, now),
  };
  if (subject === null) return asText(toSms(text, { ...words.text, ...more }));
  const fields = { ...words.mail, ...more };
  return { subject: fillTemplate(subject, fields), text: fillTemplate(text, fields) };
}

/** A quote request for glass, or for the usual work where the shop does none on buildings. */
function quoteOf(name: string, catalog: Shop) {
  const [serviceType = catalog.automotive.defaults.service] = catalog.terms.siteTypes;
  const sqft = catalog.flat_glass ? 120 : undefined;
  const range = sqft === undefined ? undefined : ballparkOf(catalog, sqft, {}).total;
  return { reference: "Q-7F3A1B", name, serviceType, sqft, range };
}

/** The deposit of the appointment, to be paid within an hour; some amount where the shop asks for none. */
function depositOf({ service, price }: Pick<Appointment, "service" | "price">, catalog: Shop, now: Temporal.Instant) {
  const at = now.epochMilliseconds;
  const amount = depositAmount(service, price, catalog) ?? toCents(50);
  const url = "https://checkout.stripe.com/…";
  return depositFields({ amount, currency: catalog.currency, payUntil: at + HOUR_MS, url }, at, catalog);
}

function sampleOf(catalog: Shop, now: Temporal.Instant) {
  const startAt = Math.ceil(now.epochMilliseconds / HOUR_MS) * HOUR_MS + DAY_MS;
  const { vehicle_type, vehicle_year, vehicle_make, vehicle_model, film_type } = catalog.terms.example;
  const { service, coverage } = catalog.automotive.defaults;
  const { name, phone, email } = SAMPLE_PERSON;
  const vehicle = {
    type: vehicle_type,
    year: vehicle_year ?? null,
    make: vehicle_make ?? null,
    model: vehicle_model ?? null,
  };
  return {
    ...{ code: SAMPLE_CODE, name, service },
    ...{ startAt, endAt: startAt + 180 * MINUTE_MS, previousStartAt: startAt - DAY_MS },
    price: estimateAutomotive(catalog, { vehicle_type, film_type }).chosen.total,
    job: { phone: phone.replaceAll("-", ""), extension: "", email, film: film_type, coverage, vehicle },
  };
}
