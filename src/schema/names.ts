/** Other names under which callers send the fields of a request. Source: contract 1, "Understood". */
import { scalarText, snakeCase } from "../lib/text.ts";
import { nameParts } from "./contact.ts";
import type { JsonSchema } from "./json-schema.ts";
import type { PartOfDay } from "./moments.ts";
import { readNumber, readPane, readWish, readYesNo, unitIn } from "./quantities.ts";

const GIVEN = "firstname fname given_name forename customer_first_name";
const WHOLE_CAR = "make_model make_and_model vehicle_name car_name year_make_model make_model_year ymm";
const FAMILY = "lastname lname surname family_name customer_last_name";

/** Fields that mean the same in different requests, and what else people call them. No request has two fields of a name. */
const ALIASES: readonly (readonly [fields: string, names: string])[] = [
  ["film_type", "film tint_type tint_film film_kind film_grade film_quality film_name"],
  ["coverage", "windows_to_tint which_windows which_glass glass_to_tint glass_coverage window_coverage"],
  ["coverage", "tint_coverage windows_covered windows_tinted tinted_windows area areas scope position positions"],
  [
    "vehicle_type",
    "vehicle car automobile auto vehicles cars autos ride body_type body_style car_type vehicle_class vehicle_category",
  ],
  ["vehicle_year", "year model_year car_year"],
  ["vehicle_make", "make car_make manufacturer vehicle_brand car_brand"],
  ["vehicle_model", `model car_model ${WHOLE_CAR}`],
  ["jurisdiction", "state"],
  ["service_type service", "service_name service_id services"],
  ["service_type", "site_type"],
  ["site_type", "property_type building_type building property location_type site"],
  ["shade", "tint darkness vlt tint_percent tint_percentage tint_level tint_darkness tint_shade"],
  ["windshield_shade", "windshield_tint windshield_vlt windshield_darkness"],
  ["factory_glass", "factory_tint factory_shade factory_vlt"],
  ["addons", "addon add_on add_ons extras extra add_on_services additional additional_services add_addons"],
  ["remove_old_film", "old_film_removal remove_film remove_tint remove_old_tint old_tint_removal film_removal"],
  [
    "remove_old_film",
    "tint_removal removal remove_old remove_existing_film remove_existing_tint existing_film_removal existing_tint_removal",
  ],
  ["customer_name name first_name", "full_name fullname contact_name client_name customer_full_name"],
  ["first_name", GIVEN],
  ["last_name", FAMILY],
  ["customer_phone phone", "phone_number telephone telephone_number tel cell_phone cellphone cell_number mobile_phone"],
  ["customer_phone phone", "mobile_number contact_number contact_phone client_phone customer_phone_number"],
  ["customer_email email", "email_address mail e_mail contact_email client_email customer_email_address"],
  ["special_requests message reason", "notes note comments comment remarks memo text request requests special_request"],
  ["special_requests message reason", "customer_notes customer_note additional_notes additional_info details"],
  ["special_requests message", "additional_information instructions special_instructions description customer_message"],
  ["reason", "cancellation_reason cancel_reason why"],
  ["add_addons", "add add_extra add_extras add_addon add_ons_to_add"],
  ["remove_addons", "remove remove_extra remove_extras remove_addon drop without"],
  ["use_case", "description purpose"],
  ["q", "query question search search_query search_term keyword keywords text"],
  ["company_name", "company business business_name organization"],
  ["confirmation_code", "reference booking_reference booking_id booking code booking_code confirmation"],
  ["confirmation_code", "confirmation_number booking_number reservation_code"],
  ["estimate_id", "estimate estimate_token"],
  ["window_count quantity", "number_of_windows num_windows"],
  ["quantity", "qty count pcs panes pieces units number number_of_panes how_many"],
  ["total_sqft square_footage", "sqft square_feet sq_ft glass_area glass_sqft total_square_feet"],
  ["existing_film_sqft", "old_film_sqft film_removal_sqft removal_sqft remove_film_sqft existing_film_area"],
  ["blocked_windows", "windows_blocked"],
  ["curtain_windows", "windows_with_curtains windows_with_blinds"],
  ["primary_concern", "concern main_concern"],
  ["film_goals", "goals goal film_goal concerns primary_concern"],
  ["floors", "stories storeys levels floor floor_count number_of_floors number_of_stories num_floors story_count"],
  ["needs_ladder", "ladder ladder_needed ladder_required requires_ladder ladder_work"],
  ["postal_code", "zip zip_code zipcode postcode"],
  ["address", "street street_address city state zip zip_code zipcode postcode postal_code"],
  ["address", "property_address service_address location"],
  ["from", "start_date from_date"],
  ["date", "on appointment_date preferred_date requested_date booking_date new_date datetime date_time start start_at"],
  ["booking_request_id quote_request_id", "request_id idempotency_key"],
  ["time", "at appointment_time preferred_time requested_time booking_time new_time start_time"],
];

const words = (text: string) => text.split(" ");

/** Names that mean the one of these fields that takes the value; where none does, what `ALIASES` says. */
const BY_VALUE: ReadonlyMap<string, readonly string[]> = new Map(
  [
    ["tint", "shade film_type"],
    ["glass windows", "coverage"],
    ["level quality tier", "film_type"],
    ["package", "film_type coverage addons"],
    ["options", "addons film_type coverage"],
    ["upgrades upgrade", "add_addons film_type"],
    ["property_type building property", "building_type"],
    ["body", "vehicle_type"],
    ["type", "vehicle_type site_type film_type"],
    ["area", "total_sqft coverage"],
    ["windshield", "windshield_shade"],
    ["service_type service", "site_type"],
    ["blinds curtains has_blinds has_curtains", "curtain_windows curtain blinds_removal"],
    ["furniture has_furniture", "blocked_windows blocked furniture_moving"],
    ["mobile cell", "phone"],
    ["contact customer client", "phone email customer_name"],
    ["day", "date"],
    ["when slot", "date time"],
    ["start start_at", "date from"],
  ].flatMap(([names = "", fields = ""]) => words(names).map((name) => [name, words(fields)] as const)),
);

/** Whether the value of a name decides what it means. */
export function dependsOnValue(name: string): boolean {
  return BY_VALUE.has(snakeCase(name));
}

/** Whether a name means a field of some request. */
export function isOfOthers(name: string): boolean {
  const plain = snakeCase(name);
  return dependsOnValue(name) || [MEANT_BY_NAME, PARTS_BY_NAME, DUE, UNALIASED].some((names) => names.has(plain));
}
const UNALIASED = new Set(["after", "before", "hold"]);

/** The parts of a field of several. */
const PARTS: readonly (readonly [parts: readonly string[], names: string])[] = [
  [["front_side"], "front_side driver passenger front fronts front_windows front_sides front_side_windows front_doors"],
  [["rear_side"], "rear_side rear_sides back_sides rear_side_windows back_side_windows rear_doors back_doors"],
  [["rear_window"], "rear_window back_window rear_windshield back_windshield rear_glass back_glass"],
  [["rear_side", "rear_window"], "rear rears back rear_windows back_windows"],
  [["front_side", "rear_side"], "sides side_windows all_sides"],
  [["front_side", "rear_side", "rear_window"], "all all_windows all_around all_glass vlt percent percentage"],
];

/** Groups of fields, by what callers call them. */
export const GROUPS: ReadonlyMap<string, string> = new Map([
  ...words("vehicle car auto vehicle_info vehicle_details car_details").map((name) => [name, "vehicle"] as const),
  ...words("customer client contact person customer_info customer_details contact_info contact_details").map(
    (name) => [name, "customer"] as const,
  ),
]);

/** Groups of work and times, where every field in them is one. Nobody's name is in them. */
export const PARTLY: ReadonlySet<string> = new Set(words("film tint service services work options selections start"));

/** Names under which programs send a whole request inside another. */
export const WRAPPERS: ReadonlySet<string> = new Set([
  ...words("input inputs arguments args params parameters request body data payload json query"),
  ...words("booking appointment appointment_info reservation schedule quote quote_request job details slot"),
]);

const MEANINGS = Map.groupBy(
  ALIASES.flatMap(([fields, names]) =>
    words(`${fields} ${names}`).flatMap((name) => words(fields).map((field) => ({ name, field }))),
  ),
  ({ name }) => name,
);

/** Every name that is understood, with the fields that it means in one request or another. */
export const MEANT_BY_NAME: ReadonlyMap<string, readonly string[]> = new Map(
  [...MEANINGS].map(([name, meant]) => [name, [...new Set(meant.map(({ field }) => field))]]),
);
const PARTS_BY_NAME = new Map(PARTS.flatMap(([parts, names]) => words(names).map((name) => [name, parts] as const)));

export type Properties = Readonly<Record<string, JsonSchema>>;

/** In another notation (`vehicleType`, `addons[]`), or by an alias; undefined for the request's own, and for unknown ones. */
export function properName(name: string, fields: object): string | undefined {
  if (Object.hasOwn(fields, name)) return undefined;
  const plain = snakeCase(name);
  if (Object.hasOwn(fields, plain)) return plain;
  const meant = MEANT_BY_NAME.get(plain) ?? [];
  const isField = (field: string) => Object.hasOwn(fields, field);
  // `concern` is a `primary_concern`, and where a request has none, one of `film_goals`.
  return meant.find(isField) ?? meant.flatMap((field) => MEANT_BY_NAME.get(field) ?? []).find(isField);
}

/** A value in the field in which it belongs. */
export interface Placed {
  field: string;
  item: unknown;
  /** The value is another one than the caller sent, or was taken to be in a unit that was not named. */
  isRead?: "converted" | "in inches" | "as times";
  /** The value is a part of its field: of a group, or of a list. */
  isPart?: boolean;
  /** The part is not wished. */
  isDenied?: boolean;
}

/** What decides about a name beside the name itself. */
export interface Beside {
  /** The names of all fields that were sent with it. */
  names: readonly string[];
  /** The windows that were sent with it. */
  rows?: unknown;
  /** The unit of lengths that name none. */
  unit?: string | undefined;
  /** Whether the words and the form of a field say that a value is one of its values. */
  takes: (field: string, item: unknown) => boolean;
  /** The part of the day that a value names. */
  partOfDay: (item: unknown) => PartOfDay | undefined;
  /** The car that a text names, where it says nothing else. */
  carIn: (text: string) => Placed[] | undefined;
}

/** Where a value belongs that was sent under another name; undefined like `properName`. */
export function findPlaces(name: string, item: unknown, fields: Properties, beside: Beside): Placed[] | undefined {
  if (Object.hasOwn(fields, name)) return undefined;
  const plain = snakeCase(name);
  const car = CARS.has(plain) && typeof item === "string" && fields.vehicle_model && beside.carIn(item);
  if (car) return car;
  const part = PARTS_OF_DAY.has(plain) && fields.after && fields.before ? beside.partOfDay(item) : undefined;
  if (part) return Object.entries(part).map(([field, time]) => ({ field, item: time, isRead: "as times" }));
  // A yes to the windshield is film on it: 1 is no shade.
  const isWindshield = plain === "windshield" || properName(name, fields) === "windshield_shade";
  const isAnswer = isWindshield && readWish(item) !== undefined;
  const taking = isAnswer ? [] : byValue(plain, fields).filter((field) => beside.takes(field, item));
  if (taking.length > 1) return undefined;
  // Rows of windows are those of a building.
  const isGlass = (plain === "glass" || plain === "windows") && fields.coverage && [item].flat().every(isShort);
  if (COUNTS.has(plain) && fields.coverage && !fields.window_count && isShort(item))
    return [{ field: "coverage", item: `${item} windows` }];
  const field = taking[0] ?? (isGlass ? "coverage" : isAnswer ? undefined : properName(name, fields));
  if (field === "first_name" && !GIVEN_NAMES.has(plain))
    return typeof item === "string"
      ? Object.entries(nameParts(item)).map(([part, one]) => ({ field: part, item: one }))
      : undefined;
  if (field !== undefined)
    return mayBe(item, fields[field]) || beside.takes(field, item) ? [{ field, item }] : undefined;
  // A yes, or `some`, where a price needs to know how many, or how much, is asked about. A message takes it as it is.
  const due = fields.message ? undefined : DUE.get(plain);
  const said = scalarText(item);
  const isSome = readYesNo(said) ?? !NONE.test(said);
  if (due && fields[due] && isSome && !isToldBeside(due, fields, beside))
    return [{ field: due, item: said === "1" || item }];
  const parts = PARTS_BY_NAME.get(plain);
  if (parts?.every((part) => Object.hasOwn(fields, part))) {
    // Beside all sides, the rear is the rear window.
    const isWindow = parts === PARTS_BY_NAME.get("rear") && beside.names.some((one) => ALL_SIDES.has(snakeCase(one)));
    return (isWindow ? ["rear_window"] : parts).map((part) => ({ field: part, item }));
  }
  const glass = PARTS_BY_NAME.get(plain.replace(/_only$/, ""));
  // Film on this glass, or none: a coverage, or glass that no coverage names. 1 is no shade.
  const isTinted = readWish(item);
  if (glass && fields.coverage && isTinted !== undefined)
    return [{ field: "coverage", item: `${isTinted ? "" : "no "}${plain.replaceAll("_", " ")}` }];
  if (glass && fields.shade && beside.takes("shade", item))
    return [{ field: "shade", item: Object.fromEntries(glass.map((part) => [part, item])), isPart: true }];
  return (
    asPart(plain, item, fields) ??
    asLength(plain, item, fields, beside.unit) ??
    asSquareFeet(plain, item, fields) ??
    asSizes(plain, item, fields, beside.unit)
  );
}

/** Rows of windows that are marked tell of blinds and furniture, too. */
function isToldBeside(due: string, fields: Properties, { names, rows }: Beside): boolean {
  const marks = MARKS.get(due);
  const isMarked = marks !== undefined && rows != null && marks.test(JSON.stringify(rows));
  return isMarked || names.some((one) => (properName(one, fields) ?? one) === due);
}

const NONE = /^\s*(?:$|no\b|not\b|none\b|null\b|nil\b|nothing\b|n\/a|without\b)/i;
const MARKS = new Map(Object.entries({ curtain_windows: /curtain|blind/i, blocked_windows: /blocked|furniture/i }));
/** What is on the glass already: whether it comes off, nobody has said. */
const OLD_FILM = new Set(words("existing_film old_film has_old_film existing_tint old_tint has_old_tint"));
const DUE = new Map([
  ...words("blinds curtains drapes has_blinds has_curtains").map((name) => [name, "curtain_windows"] as const),
  ...words("furniture blocked has_furniture").map((name) => [name, "blocked_windows"] as const),
  ...[...OLD_FILM, ...words("remove_old_film remove_film film_removal removal")].map(
    (name) => [name, "existing_film_sqft"] as const,
  ),
]);
const COUNTS = new Set(words("window_count number_of_windows num_windows windows_count how_many_windows"));
const isShort = (item: unknown) => typeof item === "string" || typeof item === "number";

const PARTS_OF_DAY = new Set(
  words(
    "time times time_of_day part_of_day time_preference time_range time_window preferred_time preferred_time_of_day appointment_time daypart period hours at hour when slot",
  ),
);
const CARS = new Set(words(`vehicle car automobile auto ride ${WHOLE_CAR}`));
const GIVEN_NAMES = new Set(words(`first_name ${GIVEN}`));
const FAMILY_NAMES = new Set(words(`last_name ${FAMILY}`));
const ALL_SIDES = new Set(words("sides side_windows all_sides"));

function byValue(plain: string, fields: object): string[] {
  const meant = (BY_VALUE.get(plain) ?? []).flatMap((field) =>
    Object.hasOwn(fields, field) ? field : (properName(field, fields) ?? []),
  );
  return [...new Set(meant)];
}

/** The fields of a request that a name can mean, whatever its value. */
export function fieldsMeant(name: string, fields: object): string[] {
  const plain = snakeCase(name);
  const ofFilm = OLD_FILM.has(plain) && Object.hasOwn(fields, "remove_old_film") ? ["remove_old_film"] : [];
  return [...new Set([...byValue(plain, fields), ...ofFilm, properName(name, fields) ?? []].flat())];
}

/** False for yes or no, or a group, where a field takes none: `mobile: true` is no phone. */
function mayBe(item: unknown, about: JsonSchema = {}): boolean {
  const kinds = about.anyOf ?? [about];
  if (typeof item === "boolean") return kinds.some(({ type }) => type === "boolean");
  const isGroup = typeof item === "object" && item !== null && !Array.isArray(item);
  return !isGroup || kinds.some(({ type }) => type === "object");
}

/** `front_shade`, `vlt_front` and `shade.front_side` as parts of `shade`. */
function asPart(plain: string, item: unknown, fields: Properties): Placed[] | undefined {
  for (const [field, names] of NAMES_OF_GROUPS) {
    const { properties, anyOf = [] } = fields[field] ?? {};
    const parts = properties ?? anyOf.find((one) => one.properties)?.properties;
    if (!parts) continue;
    for (const name of names) {
      const isFirst = plain.startsWith(`${name}_`) || plain.startsWith(`${name}.`);
      if (!isFirst && !plain.endsWith(`_${name}`)) continue;
      const part = isFirst ? plain.slice(name.length + 1) : plain.slice(0, -name.length - 1);
      const meant = Object.hasOwn(parts, part) ? [part] : (PARTS_BY_NAME.get(part) ?? []);
      if (meant.length > 0 && meant.every((one) => Object.hasOwn(parts, one)))
        return [{ field, item: Object.fromEntries(meant.map((one) => [one, item])), isPart: true }];
    }
  }
  return undefined;
}

const NAMES_OF_GROUPS = ["shade", "factory_glass", "consent"].map((field) => {
  const names = [...MEANT_BY_NAME].flatMap(([name, meant]) => (meant.includes(field) ? name : []));
  return [field, new Set([field, ...names])] as const;
});

const BARE = /^[\d.,\s]+$/;

/** A length under a name with another unit, or with none. */
function asLength(plain: string, item: unknown, fields: object, unit?: string): Placed[] | undefined {
  const [, side = "", suffix] = /^(width|height|wide|tall|w|h)(?:_([a-z]{1,6}))?$/.exec(plain) ?? [];
  const field = /^w/.test(side) ? "width_in" : "height_in";
  if (side === "" || !Object.hasOwn(fields, field)) return undefined;
  if (suffix !== undefined && unitIn(suffix) === undefined) return undefined;
  if (typeof item !== "number" && typeof item !== "string") return undefined;
  const isBare = BARE.test(String(item));
  const inches = readNumber(isBare ? `${String(item).trim()} ${suffix ?? unit ?? "in"}` : String(item), "inches");
  if (inches === undefined) return [{ field, item: isBare && unit ? `${item} ${unit}` : item }];
  const isGuess = suffix === undefined && unit === undefined && isBare;
  return [{ field, item: inches, isRead: isGuess ? "in inches" : "converted" }];
}

/** An area under a name with square meters. */
function asSquareFeet(plain: string, item: unknown, fields: object): Placed[] | undefined {
  const field = ["total_sqft", "square_footage"].find((one) => Object.hasOwn(fields, one));
  if (field === undefined || !/(?:^|_)(?:sqm|sq_m|m2|square_met(?:er|re)s?)$/.test(plain)) return undefined;
  const text = scalarText(item);
  const feet = readNumber(BARE.test(text) ? `${text} sqm` : text, "square feet");
  return feet === undefined ? undefined : [{ field, item: feet, isRead: "converted" }];
}

const SIZES = new Set(words("size sizes dimensions dimension dims measurements measurement"));

/** `4 x 6 feet` under a name for both sides. */
function asSizes(plain: string, item: unknown, fields: object, unit?: string): Placed[] | undefined {
  if (!SIZES.has(plain) || !Object.hasOwn(fields, "width_in") || typeof item !== "string") return undefined;
  const isBare = /^[\d.,\s]+(?:x|×|\*|by)[\d.,\s]+$/i.test(item);
  const pane = readPane(isBare && unit ? item.replace(/\d[\d.,]*/g, `$& ${unit}`) : item);
  if (!pane) return undefined;
  const { width_in, height_in, quantity } = pane;
  const sides = Object.entries({ width_in, height_in, ...(quantity > 1 && { quantity }) });
  return sides.map(([field, inner]) => ({ field, item: inner, isRead: "converted" }));
}

/** Fields that take what was sent in two. */
interface Joined extends Placed {
  sent: string[];
}

/** First and last name where one field takes both, and feet beside inches. */
export function joinedFields(given: Readonly<Record<string, unknown>>, fields: object): Joined[] {
  const field = Object.hasOwn(fields, "customer_name")
    ? "customer_name"
    : Object.hasOwn(fields, "name")
      ? "name"
      : undefined;
  if (field === undefined && !Object.hasOwn(fields, "width_in")) return [];
  const named = Map.groupBy(Object.keys(given), snakeCase);
  const joined: Joined[] = [];
  if (field !== undefined && !Object.hasOwn(fields, "first_name")) {
    const sent = [GIVEN_NAMES, FAMILY_NAMES].flatMap((ofPart) =>
      [...named].flatMap(([plain, names]) => (ofPart.has(plain) ? names : [])),
    );
    const parts = sent.map((name) => given[name]).filter((part) => typeof part === "string");
    if (parts.length > 0) joined.push({ sent, field, item: parts.join(" ") });
  }
  for (const side of ["width", "height"]) {
    const inches = `${side}_in`;
    const sent = [...(named.get(`${side}_ft`) ?? named.get(`${side}_feet`) ?? []), ...(named.get(inches) ?? [])];
    const [feet, more] = sent.map((name) => (typeof given[name] === "object" ? Number.NaN : Number(given[name])));
    if (!Object.hasOwn(fields, inches) || sent.length !== 2 || !Number.isInteger(feet) || !more || more >= 12) continue;
    joined.push({ sent, field: inches, item: Number(feet) * 12 + more });
  }
  return joined;
}
