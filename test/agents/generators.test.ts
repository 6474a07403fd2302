/** Generators of clients give types with names that a person would choose, and the types compile. */
import { beforeAll, expect, mock, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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
export function told({ error_code, invalid_fields = [] }: ApiError): string {
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
  "ApiError, BookAppointmentAnswer, Booking, ErrorCode, EstimatePriceRequest, FilmType, FlatGlassFilm, InvalidField, LineItem, Slot, TierOption, VehicleType";
/** A name made up of the whole path to a nested part is longer. */
const LONGEST_NAME = 42;

interface Generator {
  name: string;
  /** Writes the types and gives the module that exports them. */
  generate: (folder: string) => Promise<string>;
}

const GENERATORS: Generator[] = [
  {
    name: "@hey-api/openapi-ts",
    async generate(folder) {
      const { createClient } = await import("@hey-api/openapi-ts");
      await createClient({
        input: join(folder, "openapi.json"),
        output: join(folder, "types"),
        plugins: ["@hey-api/typescript"],
        logs: { level: "silent", file: false },
      });
      return "./types/types.gen";
    },
  },
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

test.each(GENERATORS)(
  "$name",
  async ({ generate }) => {
    using place = workplace(document);
    const module = await generate(place.path);
    writeFileSync(join(place.path, "caller.ts"), `import type { ${NAMES} } from "${module}";\n${CALLER}`);
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: "ESNext",
      module: "Preserve",
      moduleResolution: "bundler",
      lib: ["ESNext", "DOM"],
      types: [],
    };
    writeFileSync(join(place.path, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["caller.ts"] }));
    const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
    expect(run(tsc, ["--project", place.path], place.path)).toEqual({ exitCode: 0, output: "" });
    // A name that a generator made up for lack of one ends in a number.
    const made = readFileSync(join(place.path, module === "./model" ? "model/index.ts" : "types/types.gen.ts"), "utf8");
    expect(made).not.toMatch(/\b(type|interface) \w+\d\b|AnyOf|Writable/);
    const names = [...made.matchAll(/(?:\b(?:type|interface) |'\.\/)(\w+)/g)].map(([, name = ""]) => name);
    expect(names.length).toBeGreaterThan(100);
    expect(names.filter((name) => name.length > LONGEST_NAME)).toEqual([]);
  },
  TOOL_MS,
);
