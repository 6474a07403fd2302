/** The darkness of the film, glass by glass, with the verdict of the state's law. */
import { BOOK_PATH } from "../../../catalog/page-addresses.ts";
import type { AutomotiveFilm, Catalog } from "../../../catalog/schema.ts";
import { entryOf } from "../../../catalog/terms.ts";
import type { Position } from "../../../constants.ts";
import { verdictOn } from "../../../domain/automotive.ts";
import { GLASS_STATUSES, type GlassCheck, type GlassStatus, type Verdict } from "../../../domain/tint-law.ts";
import { defined } from "../../../lib/pick.ts";
import { type Html, html } from "../../markup/html.ts";
import { PANE_VIEW, pane } from "../drawing/drawing.ts";
import { choice } from "../shell/forms.ts";
import { type Choices, positionsOf } from "./choices.ts";
import type { Estimate } from "./offer.ts";

const GLASS: Readonly<Record<Position, string>> = {
  front_side: "Front side windows",
  rear_side: "Rear side windows",
  rear_window: "Rear window",
  windshield: "Windshield",
};

const ROWS = [
  { name: "front_shade", label: "Front side windows", positions: ["front_side"] },
  { name: "rear_shade", label: "Rear windows", positions: ["rear_side", "rear_window"] },
] as const;

type Law = Estimate["tint_law"];

/** A film's shades nearest to the wished ones: the films do not come in the same. */
export function stocked(choices: Choices, { automotive }: Catalog): Choices {
  const { shades } = entryOf(automotive.films, choices.film ?? automotive.defaults.film_type);
  const nearest = (wished: number | undefined) =>
    wished === undefined
      ? undefined
      : shades.toSorted((a, b) => Math.abs(a.vlt - wished) - Math.abs(b.vlt - wished) || b.vlt - a.vlt)[0]?.vlt;
  return { ...choices, front: nearest(choices.front), rear: nearest(choices.rear) };
}

export function shades(choices: Choices, estimate: Estimate, catalog: Catalog): Html | undefined {
  const covered = positionsOf(choices.service, estimate.coverage ?? undefined, catalog);
  const rows = ROWS.filter(({ positions }) => positions.some((one) => covered.includes(one)));
  if (rows.length === 0 || estimate.film_type === null) return undefined;
  const film = entryOf(catalog.automotive.films, estimate.film_type);
  const { tint_law: law } = estimate;
  const chosen = { front_shade: choices.front, rear_shade: choices.rear };
  return html`<fieldset><legend>Darkness</legend>${PANE_VIEW}${rows.map(({ name, label, positions }) => {
    const statusAt = (vlt: number) => statusOf(vlt, positions, choices, estimate, catalog);
    return html`<div class="shades" role="radiogroup" aria-label="${label}"><span class="row-name">${label}</span><div class="swatches">${film.shades.map(
      ({ label: number, vlt }) =>
        choice(
          { name, value: String(vlt), isChosen: chosen[name] === vlt },
          "swatch",
          html`${pane(vlt)}<span>${number}%</span><small>${wordOf(vlt, catalog)}</small>${mark(statusAt(vlt), law)}`,
        ),
    )}${choice({ name, value: "", isChosen: chosen[name] === undefined }, "swatch", html`<span class="pane later" aria-hidden="true">?</span><span>Later</span>`)}</div>${verdictsOn({ name, positions }, law, film)}</div>`;
  })}<p class="hint">The number is the light that comes through: the lower, the darker. <i class="mark good">✓</i> legal in ${law.name} <i class="mark warn">?</i> depends on your glass <i class="mark bad">!</i> not legal</p>${state(law, catalog)}${about(law)}</fieldset>`;
}

/** The gravest verdict on a shade, over the glass of one row. */
function statusOf(
  vlt: number,
  positions: readonly Position[],
  { vehicle, service, state }: Choices,
  { film_type, coverage }: Estimate,
  catalog: Catalog,
): GlassStatus {
  const { checks } = verdictOn(catalog, {
    ...defined({ jurisdiction: state, film_type: film_type ?? undefined, coverage: coverage ?? undefined }),
    vehicle_type: vehicle ?? "",
    service,
    shades: Object.fromEntries(positions.map((position) => [position, vlt])),
  });
  const found = checks.filter(({ position }) => positions.includes(position)).map(({ status }) => status);
  return GLASS_STATUSES.findLast((status) => found.includes(status)) ?? "not_checked";
}

const MARKS: Readonly<Record<GlassStatus, { tone: string; sign: string; said: string } | null>> = {
  not_checked: null,
  legal: { tone: "good", sign: "✓", said: "legal in" },
  borderline: { tone: "warn", sign: "?", said: "depends on your glass in" },
  illegal: { tone: "bad", sign: "!", said: "not legal in" },
  not_permitted: { tone: "bad", sign: "!", said: "not legal in" },
};

function mark(status: GlassStatus, { name }: Law): Html | undefined {
  const sign = MARKS[status];
  if (sign === null) return undefined;
  return html`<i class="mark ${sign.tone}" aria-hidden="true">${sign.sign}</i><span class="hidden">${sign.said} ${name}</span>`;
}

/** The shop's word for a shade, like `limo`. */
function wordOf(vlt: number, { automotive }: Catalog): string {
  return Object.entries(automotive.shade_words).find(([, one]) => one === vlt)?.[0] ?? "";
}

function state({ jurisdiction }: Law, { tint_law: law }: Catalog): Html {
  const all = Object.entries(law.jurisdictions).toSorted(([, a], [, b]) => a.name.localeCompare(b.name, "en"));
  if (all.length < 2) return html``;
  return html`<p class="state"><label for="jurisdiction">Your state</label><select id="jurisdiction" name="jurisdiction">${all.map(([key, { name }]) => html`<option value="${key}"${key === jurisdiction && html` selected`}>${name}</option>`)}</select></p>`;
}

/** The verdict on the shade of one row, with the way out where it is not legal. */
function verdictsOn(
  { name, positions }: { name: string; positions: readonly Position[] },
  law: Law,
  { shades }: Pick<AutomotiveFilm, "shades">,
): Html {
  const checks = law.checks.filter(({ position, film_vlt }) => film_vlt !== null && positions.includes(position));
  const bySentence = [...Map.groupBy(checks, (check) => explain(check, law))];
  // Dark enough for one glass of the row can be too dark for the other.
  const darkest = checks.map(({ darkest_legal_shade: vlt }) => vlt);
  const legal = darkest.includes(null) ? undefined : shades.find(({ vlt }) => vlt === Math.max(...darkest.map(Number)));
  const isLegal = checks.every(({ status }) => status === "legal");
  return html`${bySentence.map(([sentence, [first]]) => html`<p class="verdict ${first && TONES[first.status]}">${bySentence.length > 1 && first && html`<b>${GLASS[first.position]}</b> `}${sentence}</p>`)}${!isLegal && legal && html`<p class="fix"><button class="quiet" name="${name}" value="${legal.vlt}" formaction="${BOOK_PATH}">Use ${legal.label}%, which is legal</button></p>`}`;
}

/** The law itself, and the verdict on glass that has no row. */
function about(law: Law): Html {
  const others = law.checks.filter(({ position, reason }) => position === "windshield" && reason !== "no_shade_given");
  return html`<div class="law">${others.map((check) => html`<p class="verdict ${TONES[check.status]}"><b>${GLASS[check.position]}</b> ${explain(check, law)}</p>`)}<details><summary>About the law in ${law.name}</summary>${law.notes.map((note) => html`<p>${note}</p>`)}<p>${law.disclaimer}${law.citation && ` ${law.citation}.`}</p></details></div>`;
}

const TONES: Readonly<Record<GlassCheck["status"], string>> = {
  not_checked: "plain",
  legal: "good",
  borderline: "warn",
  illegal: "bad",
  not_permitted: "bad",
};

function explain(check: GlassCheck, { name }: Pick<Verdict, "name">): string {
  const { reason, min_vlt: least, darkest_legal_shade: darkest } = check;
  const otherwise = darkest === null ? " Ask us what is possible." : "";
  switch (reason) {
    case "strip_permitted":
      return check.explanation;
    case "meets_minimum":
    case "any_shade_permitted":
      return `Legal in ${name}.`;
    case "within_tolerance":
    case "depends_on_glass":
      return `May be legal in ${name}: it depends on your glass, which we measure first.${otherwise}`;
    case "below_minimum":
      return `Not legal in ${name}, which asks for at least ${least}% of light through glass and film.${otherwise}`;
    case "strip_only":
      return `Not legal in ${name}, which allows only a strip at the top.`;
    case "prohibited":
      return `Not legal in ${name}, which allows no film here.`;
    case "no_film_priced":
    case "no_shade_given":
      return "Not checked.";
  }
}
