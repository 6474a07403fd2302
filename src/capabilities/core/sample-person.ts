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

interface Sample {
  sample: Record<string, unknown>;
  /** Fields that the caller has to put in. */
  fillIn: string[];
}

export function toFillIn(whole: object, asked: readonly string[] = []): Sample {
  const fields = Object.entries(whole);
  const isContact = ([field, value]: [string, unknown]) => CONTACTS.has(field) && CONTACTS.get(field) === value;
  const isName = ([field, value]: [string, unknown]) => NAMES.has(field) && NAMES.get(field) === value;
  const ofPerson = fields.some(isContact) ? fields.filter((field) => isContact(field) || isName(field)) : [];
  const isLeftOut = (field: [string, unknown]) => ofPerson.includes(field) || asked.includes(field[0]);
  const leftOut = fields.filter(isLeftOut).map(([field]) => field);
  if (leftOut.length === 0) return { sample: { ...whole }, fillIn: [...asked] };
  // A last name is optional, so no caller is asked for it.
  const needed = leftOut.filter((field) => field !== "last_name" || asked.includes(field));
  return {
    sample: Object.fromEntries(fields.filter((field) => !isLeftOut(field))),
    fillIn: [...new Set([...needed, ...asked])],
  };
}
