/** The form of an inquiry, with the fields of `tint leads add`: a new one, or one that is corrected. */
import type { Shop } from "../../../src/catalog/shop.ts";
import { ApiError } from "../../../src/errors.ts";
import { spaced } from "../../../src/lib/text.ts";
import { personName, phone } from "../../../src/schema/fields.ts";
import type { LeadInFull } from "../../../src/store/store.ts";
import {
  correctedLeadInWords,
  correctInquiry,
  INQUIRY,
  inquiryInWords,
  inquiryServices,
  readCall,
  requireLead,
  writeInquiry,
} from "../../customers/leads.ts";
import { type Desk, issuesInWords } from "../../diary/owner.ts";
import { shopPhone } from "../../shop/clock.ts";
import { CliError } from "../../terminal/output.ts";
import { asWord, readWord } from "../../typed/enums.ts";
import { fieldCheck, issueIn } from "../../typed/values.ts";
import { CatalogIssueScreen } from "../kit/catalog-issues.tsx";
import { Form, type FormValues } from "../kit/form.tsx";
import { useNav } from "../kit/navigation.ts";
import type { OpenShop } from "../kit/open-shop.ts";
import type { ScreenProps } from "../kit/screen-stack.tsx";
import { useAct, useLive, useShop } from "../kit/shop.ts";

/** @param about the reference of the lead that is corrected; empty for a new one */
export function Screen({ about }: ScreenProps) {
  const { catalog } = useShop();
  const lead = useLive(async ({ store }) => (about === "" ? null : store.findLead(about)), about);
  if (!catalog) return <CatalogIssueScreen title="Inquiry" />;
  return lead || about === "" ? <InquiryForm catalog={catalog} lead={lead} /> : null;
}

function InquiryForm({ catalog, lead }: { catalog: Shop; lead: LeadInFull | null }) {
  const { now } = useShop();
  const { back, open } = useNav();
  const act = useAct();
  const services = inquiryServices(catalog);
  const usual = catalog.automotive.defaults.service;
  const others = services.filter((service) => service !== usual);
  const isOneOf = (text: string) => text === "" || /^\d+(?:\.\d+)?$/.test(text);
  const checks: Record<string, (text: string) => string | null> = {
    name: fieldCheck(personName()),
    phone: (text) => (text === "" ? null : fieldCheck(phone())(text)),
    "square-footage": (text) => (isOneOf(text) ? null : "must be a number, like 240"),
  };
  const refusals: Record<string, (text: string) => string | null> = {
    service: (text) => (text === "" ? null : issueIn(() => readWord("a service", text, services))),
    call: (text) => (text === "" ? null : issueIn(() => readCall(text, catalog, now()))),
  };
  const known: FormValues = lead ? leadTexts(lead, catalog) : {};
  const save = (values: FormValues, changed: FormValues) =>
    act(async (shop) => {
      if (!lead) {
        const given = Object.fromEntries(Object.entries(values).filter(([, text]) => text !== ""));
        const made = await issuesSaid(writeInquiry(given, deskOf(shop)));
        back();
        open("lead", made.reference);
        return `${inquiryInWords(made, values, deskOf(shop))} x marks it as lost.`;
      }
      const correct = (given: FormValues) => async (shop: OpenShop) => {
        const before = await requireLead(shop.store, lead.reference);
        return correctedLeadInWords(
          await issuesSaid(correctInquiry(before, given, deskOf(shop))),
          before,
          deskOf(shop),
        );
      };
      const said = await correct(changed)(shop);
      back();
      const were = Object.fromEntries(Object.keys(changed).map((name) => [name, known[name] ?? ""]));
      return { said, step: { undo: correct(were), redo: correct(changed) } };
    });
  return (
    <Form
      title={lead ? `Lead ${lead.reference}` : "A new inquiry"}
      about={lead ? "What was written down." : "Without a time to call back, the reminder comes at the next opening."}
      submit={lead ? "save" : "write it down"}
      fields={INQUIRY.filter(({ name, isSeldom }) => (lead ? name !== "call" : !isSeldom)).map(
        ({ name, label, about }) => ({
          ...{ name, label, initial: known[name], isProse: name === "note" },
          hint: name === "service" ? `${usual} if empty, or ${others.join(", ")}` : about,
          // A building has no car.
          isAsked: ({ service = "" }) => {
            const isBuilding = catalog.terms.siteTypes.includes(asWord(service));
            return name === "vehicle" || name === "film" ? !isBuilding : isBuilding || !BUILDING.includes(name);
          },
          check: checks[name] ?? (() => null),
          refusal: refusals[name] ?? (() => null),
        }),
      )}
      onSubmit={(values, changed) => save(values, changed)}
      onCancel={back}
    />
  );
}

/** The fields of a building alone. */
const BUILDING = ["address", "square-footage"];

function deskOf({ store, catalog, now }: OpenShop): Desk {
  if (!catalog) throw new CliError("Without the catalog no words of the shop are known.");
  return { store, catalog, now: now() };
}

async function issuesSaid<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw error instanceof ApiError ? new CliError(issuesInWords(error).text) : error;
  });
}

/** The fields of a lead as they would be typed, by the names of `INQUIRY`. */
function leadTexts(lead: LeadInFull, catalog: Shop): FormValues {
  const { vehicle_year: year, vehicle_make: make, vehicle_model: model, ...details } = Object(lead.details);
  const car = [year, make, model].filter(Boolean).join(" ");
  const texts = {
    ...{ name: lead.name, phone: shopPhone(lead, catalog), email: lead.email, service: lead.serviceType },
    ...{ vehicle: car || spaced(details.vehicle_type ?? ""), film: details.film_type, note: details.message },
    ...{ address: details.address, "square-footage": details.square_footage },
  };
  return Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, String(value ?? "")]));
}
