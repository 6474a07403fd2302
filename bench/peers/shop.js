/** What both peers share: prices from the catalog, and the arithmetic of an estimate. */
import { readFileSync } from "node:fs";
import { parse } from "yaml";

const catalog = parse(readFileSync(new URL("../../catalog.yaml", import.meta.url), "utf8"));
const { automotive, tint_law: law, scheduling } = catalog;
export const VEHICLE_TYPES = Object.keys(automotive.vehicle_types);
export const FILMS = Object.keys(automotive.films);
export const ADDONS = Object.keys(automotive.addons);

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
  const item = (code, label, price) => ({ code, label, quantity: 1, unit_price: price, amount: price });
  const options = FILMS.map((film) => {
    const { name } = automotive.films[film];
    const price = automotive.vehicle_types[vehicle_type][film][coverage];
    const extras = addons.map((code) => item(code, automotive.addons[code].name, automotive.addons[code].price[film]));
    const line_items = [item("automotive", `${name}, ${vehicle_type}`, price), ...extras];
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
