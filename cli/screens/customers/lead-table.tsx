/** The columns of leads, on their own screen and on the home screen. */
import type { Lead } from "../../../src/store/store.ts";
import { leadColumns } from "../../customers/lead-text.ts";
import { type Column, pick } from "../../terminal/columns.ts";
import type { OpenShop } from "../kit/open-shop.ts";
import { isWide } from "../kit/text.tsx";

/** The phone number stands on the lead's own screen. */
const DRAWN = ["lead", "state", "age", "follow up", "name", "about"];

/** @param quoted the price that each was quoted, by id of the lead */
export function drawnLeads({ clock, now }: OpenShop, width: number, quoted?: ReadonlyMap<string, string>) {
  const columns = pick(leadColumns(clock, now().epochMilliseconds, isWide(width)), DRAWN);
  const told = ({ id }: Lead) => quoted?.get(id) ?? "";
  if (isWide(width)) return quoted ? [...columns, { name: "told", value: told }] : columns;
  // Where both have no room the price says more than the kind of work.
  return columns.map(({ value, ...column }): Column<Lead> => {
    return { ...column, value: column.name === "about" ? (lead) => told(lead) || value(lead) : value };
  });
}
