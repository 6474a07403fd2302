/** Twilio's error codes in words an owner understands. Source: Twilio's error and warning dictionary. */
const MEANINGS: Record<number, string> = {
  20003: "account SID or auth token is wrong",
  21211: "the number to send to is not a phone number",
  21212: "the number to send from is not a phone number",
  21408: "sending to that country is switched off in the Twilio account",
  21606: "the number to send from cannot send messages",
  21608: "a trial account sends only to verified numbers",
  21610: "the receiver has replied STOP",
  21612: "this pair of numbers cannot exchange messages",
  21614: "the number to send to is not a mobile number",
  21617: "the message is too long",
  30001: "too many messages waited at Twilio",
  30002: "the Twilio account is suspended",
  30003: "the phone is switched off, out of reach, or cannot get texts",
  30004: "the carrier blocks texts from this sender to that phone",
  30005: "nobody has this number",
  30006: "a landline, or a carrier that cannot be reached",
  30007: "the carrier filtered it as unwanted",
  30008: "the carrier did not say why",
  30022: "the carrier's limit for this sender is used up",
  30023: "the carrier's daily limit for this sender is used up",
  30024: "the sender is not registered with that carrier",
  30032: "the toll-free number to send from is not verified yet",
  30033: "the registration of the sender was suspended",
  30034: "the number to send from is not registered with the carriers (A2P 10DLC)",
  30035: "the registration of the sender is not finished yet",
};

/** The receiver has replied STOP. A carrier's filter (30004, 30007) is a verdict on the sender. */
const STOP = 21610;

/** Whether a code of Twilio means that the receiver wants no more texts. */
export function isOptOut(code: number | null | undefined): boolean {
  return code === STOP;
}

const REASON_LENGTH = 200;

/** `21610: the receiver has replied STOP`. @param message in Twilio's words, for a code that is not known here */
export function meaningOf(code: number, message?: string | null): string {
  // Reasons are logged, and Twilio's message repeats the phone number.
  const words = message?.replace(/\+?\d{5,}/g, "(number)").slice(0, REASON_LENGTH);
  return `${code}: ${MEANINGS[code] ?? words ?? "see its list of errors"}`;
}
