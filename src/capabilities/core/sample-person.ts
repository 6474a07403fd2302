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

/**
 * Samples for one caller, without the person of the documents' samples: what only the caller can know is left out and named.
 * Source: contract 1.
 */

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
  const isOfSample = (values: Readonly<Record<string, string>>, field: string, value: unknown) =>
    Object.hasOwn(values, field) && values[field] === value;
  const isSamplePerson = fields.some(([field, value]) => isOfSample(CONTACTS, field, value));
  const kept: [string, unknown][] = [];
  const leftOut = new Set<string>();
  for (const [field, value] of fields) {
    const isSample = isSamplePerson && (isOfSample(CONTACTS, field, value) || isOfSample(NAMES, field, value));
    if (isSample || fillIn.includes(field)) leftOut.add(field);
    else kept.push([field, value]);
  }
  // A last name is optional, so no caller is asked for it.
  if (!fillIn.includes("last_name")) leftOut.delete("last_name");
  for (const field of fillIn) leftOut.add(field);
  return { sample: Object.fromEntries(kept), fillIn: [...leftOut] };
}
