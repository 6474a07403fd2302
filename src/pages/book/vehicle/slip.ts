/** A name or an e-mail address that is likely mistyped: it is asked about once, and booked when it is sent again. */
import { closest, distance } from "fastest-levenshtein";
import { visibleText } from "../shell/forms.ts";
import { PAGE_TEXTS } from "../shell/texts.ts";

/** Where most e-mail is read. The short ones are only known, since a slip of theirs can be another's name. */
const HOSTS = ["gmail.com", "yahoo.com", "hotmail.com", "outlook.com", "icloud.com", "comcast.net", "verizon.net"];
const OTHERS = ["mail.com", "ymail.com", "email.com", "fastmail.com", "gmx.com", "aol.com"];
/** Two letters changed places. */
const MOST_EDITS = 2;

/** The field that says which slips were asked about. */
export const SURE = "sure";

/** The field that is likely mistyped, and what is asked of it; undefined where none is, or where it was asked before. */
export function slipIn(form: URLSearchParams): readonly [field: string, question: string] | undefined {
  const { meant, noName } = PAGE_TEXTS.details;
  const name = visibleText(form, "customer_name");
  const email = meantBy(visibleText(form, "customer_email"));
  const before = (form.get(SURE) ?? "").split("|");
  const asked = (about: string) => {
    if (before.includes(about)) return false;
    form.set(SURE, [...before, about].filter(Boolean).join("|"));
    return true;
  };
  if (name !== "" && !/\p{L}/u.test(name) && asked(name)) return ["customer_name", noName];
  return email !== undefined && asked(email) ? ["customer_email", meant(email)] : undefined;
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
