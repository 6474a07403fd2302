/** Reads the JSON body of a request. Its Content-Type is ignored. */
import { ApiError } from "../errors.ts";
import { LIMITS } from "../schema/fields.ts";

/** @throws ApiError PAYLOAD_TOO_LARGE as soon as the limit is passed, INVALID_JSON when it is no text */
export async function readBodyText(request: Request): Promise<string> {
  refuseLargeBody(request);
  // A stream takes ten times as long as a body in one piece, so only a body of unknown length is read as one.
  const bytes = request.headers.has("content-length") ? request.bytes() : readStream(request);
  return decode(await bytes.catch(explainBreak), request);
}

/** @throws ApiError PAYLOAD_TOO_LARGE for a body that says so itself */
export function refuseLargeBody({ headers }: Request): void {
  if (Number(headers.get("content-length")) > LIMITS.body) throw tooLarge();
}

/** The length of `{}`, which some programs send with every GET. */
const EMPTY_OBJECT = 2;

/** Whether a request says that it has a body with fields. */
export function hasBody({ headers }: Request): boolean {
  return Number(headers.get("content-length")) > EMPTY_OBJECT;
}

function decode(bytes: Uint8Array, { headers }: Request): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    const coding = headers.get("content-encoding") ?? "identity";
    const issue =
      coding === "identity" ? "The body is not UTF-8 text." : "The body is compressed; send it as plain JSON.";
    throw new ApiError("INVALID_JSON", issue);
  }
}

function explainBreak(error: unknown): never {
  if (error instanceof ApiError) throw error;
  throw new ApiError("INVALID_JSON", "The body broke off before its end.", {}, { cause: error });
}

/** @throws ApiError INVALID_JSON */
export function parseBody(text: string): object {
  if (text === "") throw new ApiError("INVALID_JSON", "The body is empty; send a JSON object.");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    if (isForm(text) || isMultipart(text)) {
      throw new ApiError("INVALID_JSON", "The body is a form. Send JSON: one object, as in usage.sample_request.");
    }
    throw new ApiError("INVALID_JSON", "The body is not JSON: it breaks off, or a quote, comma or bracket is wrong.");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ApiError("INVALID_JSON", "The body must be a JSON object: { … }.");
  }
  return value;
}

/** Whether a body is a form, like `vehicle_type=suv&shade=35`. */
export function isForm(text: string): boolean {
  return /^\s*[\w.%+[\]-]+=/.test(text);
}

function isMultipart(text: string): boolean {
  return /^--[^\r\n]{1,200}\r?\n[^\r\n]{0,200}form-data/i.test(text);
}

const UTF8 = new TextDecoder("utf-8", { fatal: true });

const tooLarge = () => new ApiError("PAYLOAD_TOO_LARGE", `The body is larger than ${LIMITS.body / 1024} KiB.`);

async function readStream({ body }: Request): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > LIMITS.body) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
