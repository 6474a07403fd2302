/** Requests to Twilio's API, with a plain `fetch`. */

export interface TwilioSettings {
  accountSid: string;
  authToken: string;
  /** A number in E.164, or the sid of a messaging service. */
  from: string;
  baseUrl: string;
}

/** Upper bound on an answer about one message. A real one has about 1 kB. */
export const MESSAGE_BYTES = 16 * 1024;

/** The path of an account's messages, or of one of them. */
export function messagesUrl({ accountSid }: TwilioSettings, sid?: string): string {
  const one = sid === undefined ? "" : `/${encodeURIComponent(sid)}`;
  return `/2010-04-01/Accounts/${accountSid}/Messages${one}.json`;
}

export function callTwilio(
  { accountSid, authToken, baseUrl }: TwilioSettings,
  path: string,
  init: RequestInit,
): Promise<Response> {
  return fetch(`${baseUrl}${path}`, {
    ...init,
    redirect: "manual",
    headers: { Authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString("base64")}` },
  });
}

/** The body as JSON; undefined when it is not JSON, or longer than `mostBytes`: a body may be endless. */
export async function readJson(response: Response, mostBytes: number): Promise<unknown> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    // Leaving the loop cancels the download.
    if (bytes > mostBytes) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
