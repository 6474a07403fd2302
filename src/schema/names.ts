/** Other names under which callers send the fields of a request. Source: contract 1, "Understood". */

/** By the proper name. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  film_type: ["film"],
  vehicle_type: ["vehicle", "body_type", "car_type", "vehicle_class"],
  vehicle_year: ["year"],
  vehicle_make: ["make"],
  vehicle_model: ["model"],
  jurisdiction: ["state"],
  service_type: ["service"],
  service: ["service_type"],
  shade: ["tint", "darkness", "vlt"],
  customer_name: ["name", "full_name"],
  name: ["full_name"],
  first_name: ["full_name"],
  customer_phone: ["phone", "phone_number", "telephone", "mobile"],
  customer_email: ["email", "email_address"],
  phone: ["customer_phone", "phone_number", "telephone", "mobile"],
  email: ["customer_email", "email_address"],
  confirmation_code: ["code", "booking_code"],
  quantity: ["qty", "count"],
  total_sqft: ["sqft", "square_feet", "square_footage"],
  square_footage: ["sqft", "square_feet", "total_sqft"],
};

/**
 * The field that a name can only mean: the same name in another notation (`vehicleType`), or an alias.
 * @param fields the fields of the request
 * @returns undefined for a field of the request itself, and for a name that means none of them
 */
export function properName(name: string, fields: object): string | undefined {
  if (Object.hasOwn(fields, name)) return undefined;
  const plain = snakeCase(name);
  if (Object.hasOwn(fields, plain)) return plain;
  return Object.keys(ALIASES).find((field) => Object.hasOwn(fields, field) && ALIASES[field]?.includes(plain));
}

/** `vehicleType`, `Vehicle Type` and `vehicle-type` as `vehicle_type`. */
function snakeCase(name: string): string {
  return wordForm(name.replace(/([a-z0-9])([A-Z])/g, "$1_$2"));
}

/** A word in small letters, with underscores for spaces and hyphens. */
export function wordForm(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
}
