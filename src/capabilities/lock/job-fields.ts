/** The work of an automotive estimate as the fields of a token, and as the fields of a booking. */
import { isDeepStrictEqual } from "node:util";
import type { Shop } from "../../catalog/shop.ts";
import { entryOf } from "../../catalog/terms.ts";
import type { Work } from "../../domain/work.ts";
import { type JobRequest, toShades } from "../shared/job.ts";
import { readToken } from "./token.ts";

/** The fields of a booking that say what the work is. */
export interface HeldJob {
  vehicle_type: string;
  service_type: string;
  film_type: string | undefined;
  coverage: string | undefined;
  addons: string[];
  remove_old_film: boolean;
  shade: JobRequest["shade"];
  windshield_shade: number | undefined;
  /** Undefined: the shop's own state. */
  jurisdiction: string | undefined;
}

export function toFields(
  input: Partial<JobRequest> & { vehicle_type: string },
  work: Pick<Work, "service" | "filmType" | "coverage" | "addons" | "removal">,
  catalog: Shop,
): string[] {
  const { shade, windshield_shade } = toShades(input, catalog);
  const fields = [
    input.vehicle_type,
    work.service,
    work.filmType ?? "",
    work.coverage ?? "",
    work.addons.join("-"),
    work.removal === null ? "" : "r",
    sidesOf(shade),
    String(windshield_shade ?? ""),
    input.jurisdiction === catalog.tint_law.home ? "" : (input.jurisdiction ?? ""),
  ];
  // What is not wished at the end takes no room.
  return fields.slice(0, fields.findLastIndex((field) => field !== "") + 1);
}

/** The shade of all side and rear glass, or where it differs of each, like `40-5-5`. */
function sidesOf(shade: ReturnType<typeof toShades>["shade"]): string {
  if (shade === null || typeof shade !== "object") return String(shade ?? "");
  const sides = Object.values(shade).map((vlt) => String(vlt ?? ""));
  const [first = ""] = sides;
  return sides.every((side) => side === first) ? first : sides.join("-");
}

export function toJob(fields: readonly string[]): HeldJob {
  const [vehicle = "", service = "", film, coverage, addons = "", removal, shade = "", windshield, law = ""] = fields;
  const [front, side, rear] = shade.split("-").map(percent);
  return {
    vehicle_type: vehicle,
    service_type: service,
    film_type: film || undefined,
    coverage: coverage || undefined,
    addons: addons === "" ? [] : addons.split("-"),
    remove_old_film: removal === "r",
    shade: shade.includes("-") ? { front_side: front, rear_side: side, rear_window: rear } : front,
    windshield_shade: percent(windshield),
    jurisdiction: law || undefined,
  };
}

function percent(text = ""): number | undefined {
  return text === "" ? undefined : Number(text);
}

/** Whether the shop can still price all of it and check its shade. */
export function isOnPriceList(job: HeldJob, catalog: Shop): boolean {
  const { vehicleTypes, films, coverages, addons, services, removal } = catalog.terms;
  return (
    vehicleTypes.includes(job.vehicle_type) &&
    services.includes(job.service_type) &&
    (job.film_type === undefined || films.includes(job.film_type)) &&
    (job.coverage === undefined || coverages.includes(job.coverage)) &&
    job.addons.every((code) => addons.includes(code) && goesWith(code, job.service_type, catalog)) &&
    (!job.remove_old_film || removal !== undefined) &&
    Object.hasOwn(catalog.tint_law.jurisdictions, job.jurisdiction ?? catalog.tint_law.home)
  );
}

function goesWith(addon: string, service: string, { automotive }: Shop): boolean {
  return entryOf(automotive.addons, addon).applies_to.includes(service);
}

/** The fields in which a request says something else than the estimate. */
export function contradictions(
  asked: Partial<JobRequest> & Partial<Pick<HeldJob, "vehicle_type" | "service_type" | "film_type" | "coverage">>,
  job: HeldJob,
  catalog: Shop,
): { field: string; held: unknown }[] {
  const goes = (code: string) => job.addons.includes(code) || goesWith(code, job.service_type, catalog);
  const { shade, windshield_shade } = toShades(asked, catalog);
  const { shade: held } = toShades(job, catalog);
  const isOtherShade = held !== null && shade !== null && sidesOf(shade) !== sidesOf(held);
  const pairs: [field: string, asked: unknown, held: unknown][] = [
    ["vehicle_type", asked.vehicle_type, job.vehicle_type],
    ["service_type", asked.service_type, job.service_type],
    // A service without a choice of film or glass ignores both.
    ["film_type", job.film_type && asked.film_type, job.film_type],
    ["coverage", job.coverage && asked.coverage, job.coverage],
    ["addons", asked.addons && [...new Set(asked.addons.filter(goes))].sort(), job.addons.toSorted()],
    ["remove_old_film", job.film_type && asked.remove_old_film, job.remove_old_film],
    ["shade", isOtherShade ? shade : undefined, held],
    ["windshield_shade", job.windshield_shade && (windshield_shade ?? undefined), job.windshield_shade],
    ["jurisdiction", asked.jurisdiction, job.jurisdiction ?? catalog.tint_law.home],
  ];
  return pairs.flatMap(([field, wish, kept]) =>
    wish === undefined || Bun.deepEquals(wish, kept) ? [] : [{ field, held: kept }],
  );
}

const HELD_WORDS = ["vehicle_type", "service_type", "film_type", "coverage", "addons", "jurisdiction"] as const;

/**
 * A booking request without the words that its estimate holds as well. They are filled in again once the signature is
 * checked. So an estimate stays good although the shop has given up one of its words since.
 */
export function withoutHeld(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { estimate_id: token, ...rest } = body;
  const lock = typeof token === "string" ? readToken(token) : undefined;
  if (lock?.kind !== "automotive" || !lock.fields) return body;
  const job = toJob(lock.fields);
  const isHeld = (field: string) =>
    HELD_WORDS.some((word) => word === field && isDeepStrictEqual(rest[word], job[word]));
  return Object.fromEntries(Object.entries(body).filter(([field]) => !isHeld(field)));
}
