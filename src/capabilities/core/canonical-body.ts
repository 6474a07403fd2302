/**
 * The canonical form in which requests are compared: two ways to write the same request are one request. Source:
 * contract 6.
 */
import type { Shop } from "../../catalog/shop.ts";
import { parseShade } from "../../domain/shade.ts";
import { isObject } from "../../lib/fields.ts";

const lowerCase = (value: unknown) => (typeof value === "string" ? value.toLowerCase() : value);

/** Fields that can say the same in several ways. Phone numbers are compared in E.164 anyway. */
const READ: Readonly<Record<string, (value: unknown, catalog: Shop) => unknown>> = {
  shade: percentOf,
  windshield_shade: percentOf,
  addons: (codes) => (Array.isArray(codes) ? [...new Set(codes)].sort() : codes),
  customer_email: lowerCase,
  email: lowerCase,
};

export function canonicalBody(body: Readonly<Record<string, unknown>>, catalog: Shop): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body).map(([field, value]) => [
      field,
      Object.hasOwn(READ, field) ? READ[field]?.(value, catalog) : value,
    ]),
  );
}

/** 35 for "35%" and for a shop's word, also inside `{front_side, …}`. */
function percentOf(shade: unknown, catalog: Shop): unknown {
  if (isObject(shade))
    return Object.fromEntries(Object.entries(shade).map(([glass, one]) => [glass, percentOf(one, catalog)]));
  return typeof shade === "string" ? (parseShade(shade, catalog) ?? shade) : shade;
}
