/** The lines of the home screen that say whether messages go out and the catalog is good. */
import { type JobKind, jobsThatAre, SHOP_NEWS } from "../../../src/constants.ts";
import { type HeldMessages, heldInWords } from "../../../src/messages/message-rules.ts";
import type { Booking, CallToMake, WaitingJob } from "../../../src/store/store.ts";
import { callsInWords } from "../../diary/calls.ts";
import { openInWords } from "../../diary/entry-text.ts";
import type { ServerSeen } from "../../server/listening.ts";
import { channelsInWords, offInWords, stuckInWords } from "../../server/outbox.ts";
import type { OpenShop } from "../kit/open-shop.ts";
import { catalogWord } from "../kit/shop.ts";
import { type Line, wrapTo } from "../kit/text.tsx";

/** The messages that need Twilio. */
export const TEXT_KINDS: readonly JobKind[] = [...SHOP_NEWS, ...jobsThatAre({ by: "twilio" })];

interface Messages {
  /** Jobs of past days that are still confirmed, the first one first. */
  open: readonly Booking[];
  overdue: readonly WaitingJob[];
  /** Texts that are due and not sent. */
  textsDue: number;
  /** Customer messages that wait because a limit is reached. */
  held: readonly HeldMessages[];
  calls: readonly CallToMake[];
}

/** @param server null until it was asked */
export function healthLines(
  { open, overdue, textsDue, held, calls }: Messages,
  server: ServerSeen | null,
  { catalogIssue, catalogSource }: Pick<OpenShop, "catalogIssue" | "catalogSource">,
  width: number,
  now: number,
): Line[] {
  const areTextsOff = server?.says?.jobs?.off.includes(SMS) ?? false;
  const off = offInWords([SMS], textsDue);
  // A text that was never tried waits for the settings only: it is counted, but not as overdue.
  const failing = areTextsOff
    ? overdue.filter(({ kind, attempts }) => attempts > 0 || !TEXT_KINDS.includes(kind))
    : overdue;
  const stuck = stuckInWords(failing, now);
  const late = [...(failing.length > 0 ? [`${stuck}: m shows them`] : []), ...held.map(heldInWords)].join("; ");
  const messages = areTextsOff ? [off, late].filter(Boolean).join("; ") : late || stuck;
  const issue = catalogIssue?.issues[0]?.split("\n")[0];
  return [
    ...(open.length === 0 ? [] : health("Open: ", `${openInWords(open)}: g leads there`, true, width)),
    ...(calls.length === 0 ? [] : health("Calls: ", `${callsInWords(calls)}: tint calls`, true, width)),
    ...health("Server: ", serverInWords(server), server !== null && !isWell(server), width),
    ...health("Messages: ", messages, late !== "" || (areTextsOff && textsDue > 0), width),
    ...health("Catalog: ", issue ?? `${catalogWord(catalogSource)} is good`, issue !== undefined, width),
  ];
}

function isWell({ says }: ServerSeen): boolean {
  return says?.status === "ready" && !says.warnings?.length;
}

/** As the server names the channel of texts. */
const SMS = "sms";

function serverInWords(server: ServerSeen | null): string {
  if (server === null) return "is being asked…";
  const { at, says } = server;
  if (!says) return `nothing answers on ${at}, so no messages go out: start it with tint serve`;
  const off = says.jobs?.off ?? [];
  const state = says.status === "ready" ? "up" : "not ready, see tint doctor";
  const warned = says.warnings?.length ? `; ${says.warnings.join("; ")}: see tint doctor` : "";
  return `${state}, on ${at}${off.length === 0 ? "" : `, off: ${channelsInWords(off)}`}${warned}`;
}

function health(name: string, text: string, isBad: boolean, width: number): Line[] {
  return wrapTo(text, width - name.length, HEALTH_ROWS).map((line, i) => ({
    name: i === 0 ? name : " ".repeat(name.length),
    text: line,
    ...(isBad && { look: "error" }),
  }));
}

/** The most lines, for messages and for the catalog each. */
const HEALTH_ROWS = 3;
