/** The questions of `tint setup`, and the rules of the answers. */
import { SETTINGS } from "../../src/env/env.ts";
import { toE164 } from "../../src/lib/phone.ts";
import { didYouMean, explainIssue } from "../../src/schema/explain.ts";
import { UsageError } from "../terminal/output.ts";

export type Known = Readonly<Record<string, string | undefined>>;

interface SetupQuestion {
  name: string;
  question: string;
  /** Not asked where an earlier answer makes it pointless. */
  isAsked?: (known: Known) => boolean;
  /** The answer of a bare Enter while there is no value. */
  usual?: string;
  isSecret?: boolean;
}

const hasTwilio = ({ TWILIO_ACCOUNT_SID: sid }: Known) => sid !== undefined;

export const SETUP_QUESTIONS: readonly SetupQuestion[] = [
  {
    name: "TINT_SITE_URL",
    question: "Web address under which customers reach this program, like https://book.lakeside.example",
  },
  {
    name: "TINT_TRUSTED_PROXIES",
    question: "Address of the web server in front that has the certificate (Caddy, nginx)",
    usual: "127.0.0.1",
    isAsked: ({ TINT_SITE_URL: site }) => site?.startsWith("https:") === true,
  },
  { name: "TWILIO_ACCOUNT_SID", question: "Texts: account SID of Twilio, AC and 32 characters" },
  { name: "TWILIO_AUTH_TOKEN", question: "Texts: auth token of Twilio", isAsked: hasTwilio, isSecret: true },
  {
    name: "TWILIO_FROM",
    question: "Texts: your Twilio number, like +15125550142, or a messaging service (MG…)",
    isAsked: hasTwilio,
  },
  {
    name: "SMTP_URL",
    question: "E-mail: mail server, like smtps://user:password@mail.example.com:465",
    isSecret: true,
  },
  {
    name: "MAIL_FROM",
    question: "E-mail: sender, like Lakeside Tint <desk@lakeside.example>",
    isAsked: ({ SMTP_URL: smtp }) => smtp !== undefined,
  },
  { name: "STRIPE_SECRET_KEY", question: "Deposits: secret key of Stripe, like sk_live_…", isSecret: true },
];

/** A host alone is an https address, and a phone number may be typed in any form. Every other value stays as it was typed. */
export function completed(name: string, value: string, country: string): string {
  if (name === "TWILIO_FROM" && /^[+\d(]/.test(value)) return toE164(value, country) ?? value;
  return name === "TINT_SITE_URL" && /^[\w-]+(\.[\w-]+)+$/.test(value) ? `https://${value}` : value;
}

/** A server takes other forms, too: those of stand-ins. Twilio has issued none of them, so they are typing errors. */
const TYPED: Readonly<Record<string, [form: RegExp, issue: string]>> = {
  TWILIO_ACCOUNT_SID: [
    /^AC[0-9a-f]{32}$/i,
    "must be AC and 32 digits or letters from a to f, as Twilio's console shows it",
  ],
  TWILIO_AUTH_TOKEN: [/^[0-9a-f]{32}$/i, "must be 32 digits or letters from a to f, as Twilio's console shows it"],
};

export function typedIssue(name: string, value: string): string | undefined {
  const [form, issue] = TYPED[name] ?? [];
  return form && !form.test(value) ? issue : settingIssue(name, value);
}

export function settingIssue(name: string, value: string): string | undefined {
  return SETTINGS[name]?.safeParse(value, { error: explainIssue }).error?.issues[0]?.message;
}

/** Reads `NAME=VALUE`; `NAME=` removes the setting. @throws UsageError naming every wrong one */
export function readAssignments(words: readonly string[], country: string): Record<string, string | null> {
  const issues: string[] = [];
  const changes = words.map((word): [string, string | null] => {
    const [, name = word, given] = /^([A-Za-z_]+)=(.*)$/s.exec(word) ?? [];
    const value = completed(name, given ?? "", country);
    const issue = given === undefined ? `${name} needs a value: NAME=VALUE.` : assignmentIssue(name, value);
    if (issue !== undefined) issues.push(issue);
    return [name, value || null];
  });
  if (issues.length > 0) throw new UsageError(issues.join("\n"));
  return Object.fromEntries(changes);
}

function assignmentIssue(name: string, value: string): string | undefined {
  if (Object.hasOwn(SETTINGS, name)) {
    const issue = value === "" ? undefined : typedIssue(name, value);
    return issue && `${name} ${issue}.`;
  }
  const guess = nearestSetting(name);
  return `There is no setting ${name}.${guess ? ` Did you mean ${guess}?` : ` There are ${Object.keys(SETTINGS).join(", ")}.`}`;
}

/** The setting that a typo comes close to. */
export function nearestSetting(name: string): string | undefined {
  const names = Object.keys(SETTINGS).map((one) => one.toLowerCase());
  return didYouMean(name.toLowerCase(), names)?.toUpperCase();
}
