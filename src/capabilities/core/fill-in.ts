/**
 * Samples for one caller, without the person of the documents' samples: what only the caller can know is left out and named.
 * Source: contract 1.
 */
import { SAMPLE_CODE, SAMPLE_PERSON } from "./sample-person.ts";

const { name, first_name, last_name, phone, email } = SAMPLE_PERSON;
const CONTACTS: Readonly<Record<string, string>> = {
  customer_phone: phone,
  customer_email: email,
  phone,
  email,
  confirmation_code: SAMPLE_CODE,
};
/** A real customer can have one of these names, but not together with the sample's phone or e-mail. */
const NAMES: Readonly<Record<string, string>> = { customer_name: name, name, first_name, last_name };

interface Sample {
  sample: Record<string, unknown>;
  /** Fields that the caller has to put in. */
  fillIn: string[];
}

export function toFillIn(whole: object, fillIn: readonly string[] = []): Sample {
  const fields = Object.entries(whole);
  const isSample = ([field, value]: [string, unknown]) => Object.hasOwn(CONTACTS, field) && CONTACTS[field] === value;
  const isSamplePerson = fields.some(isSample);
  const isLeftOut = ([field, value]: [string, unknown]) =>
    isSample([field, value]) ||
    fillIn.includes(field) ||
    (isSamplePerson && Object.hasOwn(NAMES, field) && NAMES[field] === value);
  // Nobody has to put in a last name.
  const leftOut = fields.filter(isLeftOut).flatMap(([field]) => (field === "last_name" ? [] : field));
  return {
    sample: Object.fromEntries(fields.filter((field) => !isLeftOut(field))),
    fillIn: [...new Set([...leftOut, ...fillIn])],
  };
}
