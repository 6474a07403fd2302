/**
 * Our own sentences name requests by holes, which are filled in the words of whoever reads them (contract 16):
 *
 *   {tool:quote_request}     the capability, as this caller names it
 *   {request:quote_request}  how this caller sends it
 *   {fallback}               the way on when all else fails; of a quote request itself, the phone
 *   {register} {keys}        where a key is to be had, and what it is good for
 *   {wait}                   where the answer has the seconds to wait
 *   {phone}                  the shop's number
 */
import type { Shop } from "../../catalog/shop.ts";
import { API_PREFIX } from "../../constants.ts";
import { type CapabilityId, OPERATIONS } from "./operations.ts";

export interface Voice {
  tool: (id: CapabilityId) => string;
  request: (id: CapabilityId) => string;
  register: string;
  keys: string;
  wait: string;
  phone: string;
}

const methodAndPath = (id: CapabilityId) => `${OPERATIONS[id].method} ${API_PREFIX}${OPERATIONS[id].path}`;

/** The words of the REST API and of every document about it, in programs without a catalog. */
export const REST: Voice = {
  tool: (id) => id,
  request: methodAndPath,
  register: `with ${methodAndPath("register_api_key")}`,
  keys: "A registered API key has higher limits.",
  wait: "the Retry-After header",
  phone: "",
};

export function restVoice({ business }: Shop): Voice {
  return { ...REST, phone: business.phone };
}

const HOLE = /\{(?:(tool|request):(\w+)|(fallback|register|keys|wait|phone))\}/g;

/** The sentence with its holes filled. @param id of the capability that was asked for */
export function say(template: string, voice: Voice, id?: CapabilityId): string {
  return template.replace(HOLE, (_, kind: "tool" | "request" | undefined, named: CapabilityId, hole: Hole) => {
    if (kind) return voice[kind](named);
    if (hole !== "fallback") return voice[hole];
    return id === "quote_request" ? `call the shop (${voice.phone})` : `fall back to ${voice.request("quote_request")}`;
  });
}
type Hole = "fallback" | "register" | "keys" | "wait" | "phone";

/** The capabilities that a sentence names. */
export function namedIn(template: string): string[] {
  return [...template.matchAll(HOLE)].flatMap(([, kind, id]) => (kind && id ? [id] : []));
}
