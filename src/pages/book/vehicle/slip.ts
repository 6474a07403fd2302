/** An e-mail address that is likely mistyped: it is asked about once, and booked when it is sent again. */
import { likelyDomain } from "../../../capabilities/core/contact.ts";
import type { Shop } from "../../../catalog/shop.ts";
import { visibleText } from "../shell/forms.ts";
import { PAGE_TEXTS } from "../shell/texts.ts";

/** The field that says which slip was asked about. */
export const SURE = "sure";

/** The e-mail address that was likely meant; undefined where none is, or where it was asked before. */
export function slipIn(form: URLSearchParams, catalog: Shop): string | undefined {
  const meant = meantBy(visibleText(form, "customer_email"), catalog);
  if (meant === undefined || form.get(SURE) === meant) return undefined;
  form.set(SURE, meant);
  return PAGE_TEXTS.details.meant(meant);
}

/** `pat@gmail.com` for `pat@gmial.com` or `pat@gmail.con`. */
function meantBy(email: string, catalog: Shop): string | undefined {
  const [, person, typed = ""] = /^(.+)@([^@]+)$/.exec(email.trim().toLowerCase()) ?? [];
  const host = typed.replace(/\.(con|cmo|ocm|vom|xom|comm)$/, ".com");
  const meant = likelyDomain(host, catalog) ?? host;
  return person === undefined || meant === typed ? undefined : `${person}@${meant}`;
}
