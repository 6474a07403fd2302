/** An e-mail address that is likely mistyped: it is asked about once, and booked when it is sent again. */
import { closest, distance } from "fastest-levenshtein";
import { visibleText } from "../shell/forms.ts";
import { PAGE_TEXTS } from "../shell/texts.ts";

/** Where most e-mail is read. The short ones are only known, since a slip of theirs can be another's name. */
const HOSTS = ["gmail.com", "yahoo.com", "hotmail.com", "outlook.com", "icloud.com", "comcast.net", "verizon.net"];
const OTHERS = ["mail.com", "ymail.com", "email.com", "fastmail.com", "gmx.com", "aol.com"];
/** Two letters changed places. */
const MOST_EDITS = 2;

/** The field that says which slip was asked about. */
export const SURE = "sure";

/** The e-mail address that was likely meant; undefined where none is, or where it was asked before. */
export function slipIn(form: URLSearchParams): string | undefined {
  const meant = meantBy(visibleText(form, "customer_email"));
  if (meant === undefined || form.get(SURE) === meant) return undefined;
  form.set(SURE, meant);
  return PAGE_TEXTS.details.meant(meant);
}

/** `pat@gmail.com` for `pat@gmial.com` or `pat@gmail.con`. */
function meantBy(email: string): string | undefined {
  const [, person, typed = ""] = /^(.+)@([^@]+)$/.exec(email.trim().toLowerCase()) ?? [];
  const host = typed.replace(/\.(con|cmo|ocm|vom|xom|comm)$/, ".com");
  const near = closest(host, HOSTS);
  const isSlip = !OTHERS.includes(host) && distance(host, near) <= MOST_EDITS;
  const meant = isSlip ? near : host;
  return person === undefined || meant === typed ? undefined : `${person}@${meant}`;
}
