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
import { issuesInWords } from "../../diary/owner.ts";
import { shopPhone } from "../../shop/clock.ts";
import { CliError } from "../../terminal/output.ts";
import { asWord, readWord } from "../../typed/enums.ts";
import { fieldCheck, issueIn } from "../../typed/values.ts";
import { asTexts, type Filled, Form, type FormValues } from "../kit/form.tsx";
import { withCatalog } from "../kit/frame.tsx";
import type { OpenShop } from "../kit/open-shop.ts";
import { goodDeskOf, undoable, useLive, useScreen } from "../kit/screen.ts";

/** A new inquiry, or that of the lead whose reference is `about`. */
export const Screen = withCatalog("Inquiry", ({ catalog, about }) => {
  const lead = useLive(async ({ store }) => (about === "" ? null : store.findLead(about)), about);
  return lead || about === "" ? <InquiryForm catalog={catalog} lead={lead ?? null} /> : null;
});

function InquiryForm({ catalog, lead }: { catalog: Shop; lead: LeadInFull | null }) {
  const { now, back, open, act } = useScreen();
  const services = inquiryServices(catalog);
  const usual = catalog.automotive.defaults.service;
  const others = services.filter((service) => service !== usual);
  const isOneOf = (text: string) => text === "" || /^\d+(?:\.\d+)?$/.test(text);
  const checks: Record<string, (text: string) => string | null> = {
    name: fieldCheck("Name", personName()),
    phone: (text) => (text === "" ? null : fieldCheck("Phone", phone())(text)),
    "square-footage": (text) => (isOneOf(text) ? null : "Square feet must be a number, like 240"),
    service: (text) => (text === "" ? null : issueIn(() => readWord("a service", text, services))),
    call: (text) => (text === "" ? null : issueIn(() => readCall(text, catalog, now()))),
  };
  const known: FormValues = lead ? leadTexts(lead, catalog) : {};
  const save = (values: FormValues, { changed, were }: Filled) =>
    act(async (shop) => {
      if (!lead) {
        const given = Object.fromEntries(Object.entries(values).filter(([, text]) => text !== ""));
        const made = await issuesSaid(writeInquiry(given, goodDeskOf(shop)));
        back();
        open("lead", made.reference);
        return `${inquiryInWords(made, values, goodDeskOf(shop))} x marks it as lost.`;
      }
      const correct = (given: FormValues) => async (shop: OpenShop) => {
        const before = await requireLead(shop.store, lead.reference);
        const after = await issuesSaid(correctInquiry(before, given, goodDeskOf(shop)));
        return correctedLeadInWords(after, before, goodDeskOf(shop));
      };
      const done = await undoable({ redo: correct(changed), undo: correct(were) })(shop);
      back();
      return done;
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
          check: checks[name],
        }),
      )}
      onSubmit={save}
      onCancel={back}
    />
  );
}

const BUILDING = ["address", "square-footage"];

async function issuesSaid<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw error instanceof ApiError ? new CliError(issuesInWords(error).text) : error;
  });
}

/** The fields of a lead as they would be typed, by the names of `INQUIRY`. */
function leadTexts(lead: LeadInFull, catalog: Shop): FormValues {
  const { vehicle_year: year, vehicle_make: make, vehicle_model: model, ...details } = Object(lead.details);
  const car = [year, make, model].filter(Boolean).join(" ");
  return asTexts({
    ...{ name: lead.name, phone: shopPhone(lead, catalog), email: lead.email, service: lead.serviceType },
    ...{ vehicle: car || spaced(details.vehicle_type ?? ""), film: details.film_type, note: details.message },
    ...{ address: details.address, "square-footage": details.square_footage },
  });
}
