/** The columns of leads, on their own screen and on the home screen. */
import type { Lead } from "../../../src/store/store.ts";
import { leadColumns } from "../../customers/lead-text.ts";
import { quotedInWords } from "../../customers/leads.ts";
import { pick } from "../../terminal/columns.ts";
import type { OpenShop } from "../kit/open-shop.ts";
import { isWide } from "../kit/text.tsx";

/** The phone number stands on the lead's own screen. */
const DRAWN = ["lead", "state", "age", "follow up", "name", "about"];

/** The last column has the price that each was told. */
export function drawnLeads({ catalog, clock, now }: OpenShop, width: number) {
  const columns = pick(leadColumns(clock, now().epochMilliseconds, isWide(width)), DRAWN);
  return catalog
    ? [...columns, { name: "told", value: (lead: Lead) => quotedInWords(lead, catalog), drop: 0 }]
    : columns;
}
