/** The form for an inquiry on the phone, with the fields of `tint leads add`. */

import type { Shop } from "../../../src/catalog/shop.ts";
import { ApiError } from "../../../src/errors.ts";
import { personName, phone } from "../../../src/schema/fields.ts";
import { INQUIRY, inquiryInWords, inquiryServices, writeInquiry } from "../../customers/inquiry.ts";
import { readCall } from "../../customers/leads.ts";
import { issuesInWords } from "../../diary/owner.ts";
import { CliError } from "../../terminal/output.ts";
import { asWord, readWord } from "../../typed/enums.ts";
import { issueIn, readField } from "../../typed/values.ts";
import { useAct, useShop } from "../kit/shop.ts";
import { TextForm } from "../kit/text-form.tsx";

const ASKED = INQUIRY.flatMap((field) => (field.label === undefined ? [] : [{ ...field, label: field.label }]));

const SERVICE = ASKED.findIndex(({ name }) => name === "service");

interface InquiryFormProps {
  catalog: Shop;
  onAdded: (reference: string) => void;
  onCancel: () => void;
}

export function InquiryForm({ catalog, onAdded, onCancel }: InquiryFormProps) {
  const { store, now } = useShop();
  const act = useAct();
  const services = inquiryServices(catalog);
  const { service: usual } = catalog.automotive.defaults;
  const others = services.filter((service) => service !== usual);
  const checks: Record<string, (text: string) => string | null> = {
    name: (text) => readField(personName(), text).issue ?? null,
    phone: (text) => (text === "" ? null : (readField(phone(), text).issue ?? null)),
    "square-footage": (text) => (text === "" || /^\d+(?:\.\d+)?$/.test(text) ? null : "must be a number, like 240"),
    service: (text) => (text === "" ? null : issueIn(() => readWord("a service", text, services))),
    call: (text) => (text === "" ? null : issueIn(() => readCall(text, catalog, now()))),
  };
  return (
    <TextForm
      title="A new inquiry"
      about="Without a time to call back, the reminder comes at the next opening."
      submit="write it down"
      fields={ASKED.map(({ name, label, about }) => ({
        label,
        hint: name === "service" ? `${usual} if empty, or ${others.join(", ")}` : about,
        isProse: name === "note",
        // A building has no car.
        isAsked: (texts) => {
          const isBuilding = catalog.terms.siteTypes.includes(asWord(texts[SERVICE] ?? ""));
          return name === "vehicle" ? !isBuilding : isBuilding || !["address", "square-footage"].includes(name);
        },
        check: checks[name] ?? (() => null),
      }))}
      onSubmit={(texts) => {
        const given = Object.fromEntries(ASKED.map(({ name }, i) => [name, texts[i] || undefined]));
        act(async () => {
          const desk = { store, catalog, now: now() };
          try {
            const lead = await writeInquiry(given, desk);
            onAdded(lead.reference);
            return `${inquiryInWords(lead, desk)} x marks it as lost.`;
          } catch (error) {
            throw error instanceof ApiError ? new CliError(issuesInWords(error).text) : error;
          }
        });
      }}
      onCancel={onCancel}
    />
  );
}
