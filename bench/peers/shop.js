/** What both peers share: prices from the catalog, the arithmetic of an estimate, and the statements of a booking. */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { parse } from "yaml";

const catalog = parse(readFileSync(new URL("../../catalog.yaml", import.meta.url), "utf8"));
const { automotive, tint_law: law, scheduling } = catalog;
export const VEHICLE_TYPES = Object.keys(automotive.vehicle_types);
export const FILMS = Object.keys(automotive.films);
export const ADDONS = Object.keys(automotive.addons);
const BAYS = 50;

/** Statutory verdict of one position, for the shop's own state alone. */
function checkGlass(position, vlt) {
  const home = law.jurisdictions[law.home];
  const rule = home.classes.passenger[0][position];
  const net = (law.glass_vlt.passenger[position] * vlt) / 100;
  if (rule.rule !== "min_vlt") return { position, film_vlt: vlt, net_vlt: net, min_vlt: null, status: "legal" };
  const status = net >= rule.vlt ? "legal" : net >= rule.vlt - home.tolerance ? "borderline" : "illegal";
  return { position, film_vlt: vlt, net_vlt: net, min_vlt: rule.vlt, status };
}

export function estimate(body) {
  const { vehicle_type, film_type = "standard", coverage = "full", addons = [], shade } = body;
  const { vehicle_year: year = null, vehicle_make: make = null, vehicle_model: model = null } = body;
  const options = FILMS.map((film) => {
    const price = automotive.vehicle_types[vehicle_type][film][coverage];
    const extras = ADDONS.filter((code) => addons.includes(code));
    const line_items = [
      {
        code: "automotive",
        label: `${automotive.films[film].name}, ${vehicle_type}`,
        quantity: 1,
        unit_price: price,
        amount: price,
      },
      ...extras.map((code) => {
        const { name, price: byFilm } = automotive.addons[code];
        return { code, label: name, quantity: 1, unit_price: byFilm[film], amount: byFilm[film] };
      }),
    ];
    const total = line_items.reduce((sum, { amount }) => sum + amount, 0);
    return { film_type: film, film: automotive.films[film], line_items, total, selected: film === film_type };
  });
  const chosen = options.find(({ selected }) => selected);
  const positions = coverage === "front2" ? ["front_side"] : ["front_side", "rear_side", "rear_window"];
  const home = law.jurisdictions[law.home];
  const suggestions = ADDONS.filter((code) => !addons.includes(code)).map((code) => {
    const { name, price, minutes } = automotive.addons[code];
    return { code, label: name, price: price[film_type], reason: `Can be added; takes about ${minutes} minutes more.` };
  });
  return {
    success: true,
    data: {
      kind: "automotive",
      currency: catalog.currency,
      vehicle: { type: vehicle_type, year, make, model, description: `${year} ${make} ${model}` },
      service: "automotive",
      film_type,
      coverage,
      line_items: chosen.line_items,
      total: chosen.total,
      options,
      comparison: { price_difference: options.at(-1).total - options[0].total },
      tint_law: {
        jurisdiction: law.home,
        name: home.name,
        citation: home.citation,
        disclaimer: law.disclaimer,
        checks: shade === undefined ? [] : positions.map((position) => checkGlass(position, shade)),
      },
      addon_suggestions: suggestions,
      duration_minutes: scheduling.job_minutes.full[vehicle_type],
      valid_until: new Date(Date.now() + automotive.estimate_valid_days * 86_400_000).toISOString(),
    },
    next_actions: [
      {
        action: "check_availability",
        method: "GET",
        path: "/api/v1/availability",
        sample_request: { vehicle_type, coverage },
      },
      {
        action: "book_appointment",
        method: "POST",
        path: "/api/v1/bookings",
        sample_request: { vehicle_type, film_type, coverage },
      },
    ],
  };
}

const SCHEMA = [
  "PRAGMA journal_mode = WAL",
  "PRAGMA synchronous = FULL",
  "CREATE TABLE bookings (id INTEGER PRIMARY KEY, code TEXT UNIQUE, name TEXT, phone TEXT, email TEXT, date TEXT, start_at INTEGER, busy_until INTEGER, details TEXT)",
  "CREATE INDEX bookings_busy ON bookings (busy_until, start_at)",
  "CREATE TABLE leads (id INTEGER PRIMARY KEY, name TEXT, phone TEXT, email TEXT, details TEXT)",
  "CREATE TABLE jobs (id INTEGER PRIMARY KEY, lead INTEGER, kind TEXT, payload TEXT, due_at INTEGER)",
];
const JOBS = ["notify_shop_sms", "push_to_crm", "remind_owner"];

/**
 * @param db of better-sqlite3 or bun:sqlite, which have these methods in common
 * @returns books in one transaction; null when the slot is full
 */
export function createBook(db) {
  for (const statement of SCHEMA) db.exec(statement);
  const busy = db.prepare("SELECT count(*) AS n FROM bookings WHERE busy_until > ? AND start_at < ?");
  const addLead = db.prepare("INSERT INTO leads (name, phone, email, details) VALUES (?, ?, ?, ?)");
  const addBooking = db.prepare(
    "INSERT INTO bookings (code, name, phone, email, date, start_at, busy_until, details) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
  );
  const addJob = db.prepare("INSERT INTO jobs (lead, kind, payload, due_at) VALUES (?, ?, ?, ?)");
  const book = db.transaction((body) => {
    const {
      customer_name: name,
      customer_phone: phone,
      customer_email: email,
      date,
      time,
      vehicle_type = "suv",
    } = body;
    const start = Date.parse(`${date}T${time}:00-05:00`);
    const end = start + scheduling.job_minutes.full[vehicle_type] * 60_000;
    if (busy.get(start, end).n >= BAYS) return null;
    const code = randomBytes(5).toString("hex").toUpperCase();
    const details = JSON.stringify(body);
    const { lastInsertRowid: lead } = addLead.run(name, phone, email, details);
    addBooking.run(code, name, phone, email, date, start, end, details);
    for (const kind of JOBS) addJob.run(lead, kind, details, Date.now());
    return { confirmation_code: code, status: "confirmed", date, time, start, end };
  });
  return (body) => book.immediate(body);
}
