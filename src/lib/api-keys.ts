/** API keys and the calendar's secret: how they are made, checked for typing mistakes and hashed. */
import { BASE62, base62, randomText } from "./ids.ts";

export const KEY_PREFIX = "tint_live_";

/** The characters of a key by which its owner recognises it. */
const SHOWN_CHARACTERS = 12;

/**
 * A new key for its owner, with the hash and the beginning that the store keeps: `tint_live_`, 32 base62 characters (190
 * bits), and a checksum of 6 that reveals a typing mistake.
 */
export function mintKey(): { key: string; hash: string; prefix: string } {
  const secret = randomText(BASE62, 32);
  const key = KEY_PREFIX + secret + checksum(secret);
  return { key, hash: hashSecret(key), prefix: key.slice(0, SHOWN_CHARACTERS) };
}

/** The secret part of the calendar's address (190 bits), with the digest that the store keeps. */
export function mintCalendarToken(): { token: string; hash: string } {
  const token = randomText(BASE62, 32);
  return { token, hash: hashSecret(token) };
}

/** Whether a text has the form and checksum of a key, issued or not. */
export function isApiKey(text: string): boolean {
  const secret = text.slice(KEY_PREFIX.length, -6);
  return (
    text.startsWith(KEY_PREFIX) &&
    /^[0-9A-Za-z]{32}$/.test(secret) &&
    text.endsWith(checksum(secret)) &&
    text.length === KEY_PREFIX.length + 38
  );
}

/** The digest under which a key, or the secret of the calendar, is stored and found. */
export function hashSecret(key: string): string {
  return new Bun.CryptoHasher("sha256").update(key).digest("hex");
}

/** CRC-32 in 6 base62 digits. */
function checksum(secret: string): string {
  return base62(Bun.hash.crc32(secret), 6);
}
