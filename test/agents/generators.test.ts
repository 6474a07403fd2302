/** Generators of clients give types with names that a person would choose; a generated client compiles, and books. */
import { beforeAll, expect, mock, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listen } from "./listen.ts";
import { type OpenApiDocument, openApiDocument } from "./openapi-document.ts";
import { run, workplace } from "./openapi-tools.ts";

const ROOT = new URL("../..", import.meta.url).pathname;
const TOOL_MS = 60_000;

let document: OpenApiDocument;
beforeAll(async () => {
  // The generators need the JavaScript API of the compiler, which TypeScript 7 no longer has.
  mock.module("typescript", () => {
    const typescript = require("typescript-5");
    return { ...typescript, default: typescript };
  });
  // orval bundles configuration files with it, and there is none; an empty package stands in for its binaries.
  mock.module("esbuild", () => ({ build: () => Promise.reject(new Error("nothing is to be bundled")) }));
  document = await openApiDocument();
});

/** What a stranger writes with the types; each name is used once. */
const CALLER = `
export const vehicle: VehicleType = "suv";
export const film: FilmType = "ceramic";
export const request: EstimatePriceRequest = { vehicle_type: vehicle, service: "automotive", film_type: film };
export const lines: LineItem[] = [{ code: "film", label: "Film", quantity: 1, unit_price: 649, amount: 649 }];
export function firstOpen(slots: Slot[]): Slot | undefined {
  return slots.find(({ available }) => available);
}
export function told({ error_code, invalid_fields = [] }: ErrorAnswer): string {
  const code: ErrorCode = error_code;
  return [code, ...invalid_fields.map(({ field, message }: InvalidField) => field + message)].join();
}
export function codeOf({ data }: BookAppointmentAnswer): string | null {
  const booking: Booking = data;
  return booking.confirmation_code;
}
export function best(options: TierOption[]): FlatGlassFilm | undefined {
  return options.at(-1)?.film;
}
`;
const NAMES =
  "BookAppointmentAnswer, Booking, ErrorAnswer, ErrorCode, EstimatePriceRequest, FilmType, FlatGlassFilm, InvalidField, LineItem, Slot, TierOption, VehicleType";
/** A name made up of the whole path to a nested part is longer. */
const LONGEST_NAME = 42;

interface Generator {
  name: string;
  /** Writes the types and gives the module that exports them. */
  generate: (folder: string) => Promise<string>;
  /** A program with the generated functions, which books. */
  client?: string;
}

/** Types, a function for each operation, and a client that needs no package. */
async function heyApi(folder: string): Promise<string> {
  const { createClient } = await import("@hey-api/openapi-ts");
  await createClient({
    input: join(folder, "openapi.json"),
    output: join(folder, "api"),
    plugins: ["@hey-api/client-fetch", "@hey-api/sdk", "@hey-api/typescript"],
    logs: { level: "silent", file: false },
  });
  return "./api/types.gen";
}

/** A client as a stranger would write it with the generated functions; it compiles in strict mode, and it books. */
const CLIENT = `
import { bookAppointment, checkAvailability, estimatePrice, type Slot } from "./api";
import { client } from "./api/client.gen";

export async function book(baseUrl: string): Promise<string> {
  client.setConfig({ baseUrl });
  const estimate = await estimatePrice({ body: { vehicle_type: "suv", service: "automotive", film_type: "ceramic" } });
  if (!estimate.data) throw new Error(estimate.error.agent_instruction);
  const total: number = estimate.data.data.total;
  const { data, error } = await checkAvailability({ query: { vehicle_type: "suv", film_type: "ceramic" } });
  if (!data) throw new Error(error.message);
  if (!("from" in data.data)) throw new Error("several days were asked for");
  const slot: Slot | undefined = data.data.days.flatMap(({ slots }) => slots).find(({ available }) => available);
  if (!slot) throw new Error("no open slot");
  const booking = await bookAppointment({
    body: {
      date: slot.date,
      time: slot.time,
      customer_name: "Pat Example",
      customer_phone: "+1-404-555-0111",
      customer_email: "pat@example.com",
      vehicle_type: "suv",
      film_type: "ceramic",
      consent: { confirmed_by_user: true },
    },
  });
  if (!booking.data) throw new Error(booking.error.error_code);
  if (booking.data.data.estimate?.total !== total) throw new Error("the price changed");
  const { confirmation_code: code } = booking.data.data;
  if (code === null) throw new Error("that was a dry run");
  return code;
}
`;

const GENERATORS: Generator[] = [
  { name: "@hey-api/openapi-ts, with a client that books", generate: heyApi, client: CLIENT },
  {
    name: "orval",
    async generate(folder) {
      const { default: orval } = await import("orval");
      await orval({
        input: { target: join(folder, "openapi.json") },
        output: { target: join(folder, "api.ts"), schemas: join(folder, "model"), client: "fetch", mode: "split" },
      });
      return "./model";
    },
  },
];

/** Type-checks a file as strictly as a stranger may, with nothing installed beside it. */
function compile(folder: string, files: string[]): void {
  const compilerOptions = {
    strict: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    target: "ESNext",
    module: "Preserve",
    moduleResolution: "bundler",
    allowImportingTsExtensions: true,
    lib: ["ESNext", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
    types: [],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  expect(run(tsc, ["--project", folder], folder)).toEqual({ exitCode: 0, output: "" });
}

test.each(GENERATORS)(
  "$name",
  async ({ generate, client }) => {
    using place = workplace(document, client === undefined ? {} : { "client.ts": client });
    const module = await generate(place.path);
    writeFileSync(join(place.path, "caller.ts"), `import type { ${NAMES} } from "${module}";\n${CALLER}`);
    compile(place.path, client === undefined ? ["caller.ts"] : ["caller.ts", "client.ts"]);
    // A name that a generator made up for lack of one ends in a number.
    const made = readFileSync(join(place.path, module === "./model" ? "model/index.ts" : "api/types.gen.ts"), "utf8");
    expect(made).not.toMatch(/\b(type|interface) \w+\d\b|AnyOf|Writable/);
    const names = [...made.matchAll(/(?:\b(?:type|interface) |'\.\/)(\w+)/g)].map(([, name = ""]) => name);
    expect(names.length).toBeGreaterThan(100);
    expect(names.filter((name) => name.length > LONGEST_NAME)).toEqual([]);
    if (client === undefined) return;
    await using server = listen();
    const { book }: { book: (baseUrl: string) => Promise<string> } = await import(join(place.path, "client.ts"));
    expect(await book(`${server.url}/api/v1`)).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/);
  },
  TOOL_MS,
);
