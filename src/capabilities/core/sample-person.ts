/**
 * The person of the samples, and samples for one caller, in which what only the caller can know is left out and named
 * instead. Source: contract 1.
 */

/** A person who does not exist, for samples. Nothing is stored for this e-mail address. */
export const SAMPLE_PERSON = {
  name: "Jordan Sample",
  first_name: "Jordan",
  last_name: "Sample",
  phone: "+1-404-555-0123",
  email: "jordan.sample@example.com",
};

/** A confirmation code that no booking has. */
export const SAMPLE_CODE = "7K2MQ9XA";

const { name, first_name, last_name, phone, email } = SAMPLE_PERSON;
const CONTACTS = new Map<string, unknown>([
  ["customer_phone", phone],
  ["customer_email", email],
  ["phone", phone],
  ["email", email],
  ["confirmation_code", SAMPLE_CODE],
]);
/** A real customer can have one of these names, but not together with the sample's phone or e-mail. */
const NAMES = new Map<string, unknown>([
  ["customer_name", name],
  ["name", name],
  ["first_name", first_name],
  ["last_name", last_name],
]);

interface Incomplete {
  input: Record<string, unknown>;
  /** Fields that the caller has to put in. */
  fillIn: string[];
}

/**
 * A sample, or the caller's own request where they tried one, without the person.
 * @param asked fields that the caller has to put in besides those of the person
 */
export function toFillIn(whole: object, asked: readonly string[] = []): Incomplete {
  let isOfPerson = false;
  const input: Record<string, unknown> = {};
  const fillIn: string[] = [];
  for (const [field, value] of Object.entries(whole))
    isOfPerson ||= CONTACTS.has(field) && CONTACTS.get(field) === value;
  for (const [field, value] of Object.entries(whole)) {
    const theirs = CONTACTS.has(field) ? CONTACTS.get(field) : NAMES.get(field);
    const isTheirs = isOfPerson && theirs !== undefined && theirs === value;
    if (!isTheirs && !asked.includes(field)) input[field] = value;
    // A last name is optional, so no caller is asked for it.
    else if (field !== "last_name" || asked.includes(field)) fillIn.push(field);
  }
  return { input, fillIn: [...new Set([...fillIn, ...asked])] };
}
