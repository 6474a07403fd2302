/** Requests as commands and whole programs, and answers as JSON that a reader takes in at a glance. */

interface SampleRequest {
  method: "GET" | "POST";
  /** From the root of the site, without the query. */
  path: string;
  sample: object;
}

/** What a POST says of itself, with the place for a key where it needs one. */
export function sampleHeaders(needsKey: boolean): Record<string, string> {
  return { "Content-Type": "application/json", ...(needsKey && { "X-API-Key": "YOUR_API_KEY" }) };
}

/** @param origin of the address, without a slash at the end */
export function curl({ method, path, sample }: SampleRequest, origin: string, needsKey = false): string {
  if (method === "POST") {
    const body = printed(sample, "").replaceAll("'", "'\\''");
    const headers = Object.entries(sampleHeaders(needsKey)).map((header) => ` -H '${header.join(": ")}'`);
    return `curl ${origin}${path}${headers.join("")} -d '${body}'`;
  }
  const query = sampleQuery(sample);
  return query ? `curl '${origin}${path}?${query}'` : `curl ${origin}${path}`;
}

/** What the three calls that lead to an appointment at the price of the estimate send. */
type Work = Record<"estimate" | "query" | "person" | "headers", object>;

/** Whole programs, in Python with nothing to install. The booking is a dry run. @param base address of the API */
export const PROGRAMS: Record<"javascript" | "python", (base: string, work: Work) => string> = { javascript, python };

function javascript(base: string, { estimate, query, person, headers }: Work): string {
  return `const base = ${JSON.stringify(base)};

async function send(path, body) {
  const options = { method: "POST", headers: ${JSON.stringify(headers)}, body: JSON.stringify(body) };
  const response = await fetch(base + path, body && options);
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.message);
  return answer.data;
}

const estimate = await send("/estimates", ${JSON.stringify(estimate)});
console.log("Price:", estimate.total, estimate.currency);
const { days } = await send("/availability?${sampleQuery(query)}");
const slot = days.flatMap((day) => day.slots).find((one) => one.available);
console.log("First open time:", slot.date, slot.time);
const person = ${JSON.stringify(person)};
const { estimate_id } = estimate;
const booking = await send("/bookings", { estimate_id, date: slot.date, time: slot.time, ...person, dry_run: true });
console.log("Booking:", booking.status, booking.date, booking.time, booking.estimate.total);`;
}

function python(base: string, { estimate, query, person, headers }: Work): string {
  return `import json
from urllib.error import HTTPError
from urllib.request import Request, urlopen

base = ${JSON.stringify(base)}

def send(path, body=None):
    request = Request(base + path, body and json.dumps(body).encode(), ${pythonValue(headers)})
    try:
        return json.load(urlopen(request))["data"]
    except HTTPError as error:
        raise SystemExit(json.load(error)["message"])

estimate = send("/estimates", ${pythonValue(estimate)})
print("Price:", estimate["total"], estimate["currency"])
days = send("/availability?${sampleQuery(query)}")["days"]
slot = next(one for day in days for one in day["slots"] if one["available"])
print("First open time:", slot["date"], slot["time"])
booking = {"estimate_id": estimate["estimate_id"], "date": slot["date"], "time": slot["time"], "dry_run": True}
booking |= ${pythonValue(person)}
booked = send("/bookings", booking)
print("Booking:", booked["status"], booked["date"], booked["time"], booked["estimate"]["total"])`;
}

/** A value of JSON as Python writes it. Strings of both languages are written alike. */
function pythonValue(value: unknown): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, inner]) => `${JSON.stringify(name)}: ${pythonValue(inner)}`)
    .join(", ")}}`;
}

/** The query of a GET, without the question mark. */
function sampleQuery(sample: object): string {
  return new URLSearchParams(Object.entries(sample)).toString();
}

/**
 * The answer as JSON: of a list the first entry, of a text and of what is nested deep the beginning; of the next steps, which
 * one section describes for all, their number. Whatever is left out leaves the sign `…`, and the rest can be read as JSON.
 * @param most fields of `data`
 */
export function excerpt(answer: unknown, most = MOST_FIELDS): string {
  const { next_actions: steps, ...rest } = Object(answer);
  const shown = shortened(rest, [MOST_FIELDS, most, 2, 1]);
  return printed(steps?.length > 0 ? { ...Object(shown), next_actions: [`… ${steps.length}`] } : shown, "");
}

const MOST_FIELDS = 12;
const LONGEST_TEXT = 32;
const WIDTH = 110;

/** @param most how many fields of an object are shown at this depth, and further in */
function shortened(value: unknown, [most = 1, ...inside]: readonly number[]): unknown {
  if (typeof value === "string") return shortText(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const isPlain = value.every((one) => typeof one !== "object" && String(one).length <= LONGEST_TEXT / 3);
    const shown = value.slice(0, isPlain ? 4 : 1).map((one) => shortened(one, [most, ...inside]));
    return shown.length < value.length ? [...shown, `… ${value.length - shown.length} more`] : shown;
  }
  const fields = Object.entries(value);
  const shown = fields.slice(0, most).map(([name, one]) => [name, shortened(one, inside)]);
  return Object.fromEntries(most < fields.length ? [...shown, ["…", `${fields.length - most} more`]] : shown);
}

/** Of an address all but its query, so that it can be followed. */
function shortText(text: string): string {
  if (text.startsWith("http")) return text.replace(/\?.*/, "?…");
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}

/** JSON in lines of a readable width. @param indent of the line on which it begins */
function printed(value: unknown, indent: string): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((one) => printed(one, inner))
    : Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${printed(one, inner)}`);
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  const line = `${open}${parts.join(", ")}${close}`;
  if (inner.length + line.length <= WIDTH && !line.includes("\n")) return line;
  return `${open}\n${fillLines(parts, inner)}\n${indent}${close}`;
}

/** As many short parts on a line as it holds. */
function fillLines(parts: readonly string[], indent: string): string {
  const rows: string[] = [];
  for (const part of parts) {
    const row = rows.at(-1);
    const isFull = row === undefined || row.includes("\n") || part.includes("\n") || row.length + part.length > WIDTH;
    if (isFull) rows.push(indent + part);
    else rows[rows.length - 1] = `${row}, ${part}`;
  }
  return rows.join(",\n");
}
