/** The darkness of the film, glass by glass, with the verdict of the state's law. */
import { BOOK_PATH } from "../../../catalog/page-addresses.ts";
import type { AutomotiveFilm } from "../../../catalog/schema.ts";
import type { Shop } from "../../../catalog/shop.ts";
import { entryOf } from "../../../catalog/terms.ts";
import type { Position } from "../../../constants.ts";
import { verdictOn } from "../../../domain/automotive.ts";
import type { Verdict } from "../../../domain/tint-law.ts";
import { GLASS_STATUSES, type GlassCheck, type GlassStatus } from "../../../domain/tint-law.ts";
import { defined } from "../../../lib/fields.ts";
import { type Html, html } from "../../markup/html.ts";
import { PANE_VIEW, pane } from "../drawing/drawing.ts";
import { choice } from "../shell/forms.ts";
import { darknessOf } from "../shell/summary.ts";
import { PAGE_TEXTS } from "../shell/texts.ts";
import { type Choices, positionsOf } from "./choices.ts";
import type { Estimate } from "./offer.ts";
import type { PagePart } from "./parts.ts";

const ROWS = [
  { name: "front_shade", positions: ["front_side"] },
  { name: "rear_shade", positions: ["rear_side", "rear_window"] },
] as const;
type Row = (typeof ROWS)[number];

type Law = Estimate["tint_law"];

/** A film's shades nearest to the wished ones: the films do not come in the same. */
export function stocked(choices: Choices, { automotive }: Shop): Choices {
  const { shades } = entryOf(automotive.films, choices.film ?? automotive.defaults.film_type);
  const nearest = (wished: number | undefined) =>
    wished === undefined
      ? undefined
      : shades.toSorted((a, b) => Math.abs(a.vlt - wished) - Math.abs(b.vlt - wished) || b.vlt - a.vlt)[0]?.vlt;
  return { ...choices, front: nearest(choices.front), rear: nearest(choices.rear) };
}

/** @param isFolded where later parts were reached */
export function shades(choices: Choices, estimate: Estimate, isFolded: boolean, catalog: Shop): PagePart | undefined {
  const { shades: said } = PAGE_TEXTS;
  const covered = positionsOf(choices.service, estimate.coverage ?? undefined, catalog);
  const rows = ROWS.filter(({ positions }) => positions.some((one) => covered.includes(one)));
  if (rows.length === 0 || estimate.film_type === null) return undefined;
  const film = entryOf(catalog.automotive.films, estimate.film_type);
  const { tint_law: law } = estimate;
  const chosen = { front_shade: choices.front, rear_shade: choices.rear };
  const other = film.shades.filter(({ label, vlt }) => label !== vlt);
  const key = said.key(law.name);
  const content = html`${PANE_VIEW}${rows.map((row) => {
    const { name, positions } = row;
    const statusAt = (vlt: number) => statusOf(vlt, positions, choices, estimate, catalog);
    return html`<div class="shades" role="radiogroup" aria-label="${said.rows[name]}"><span class="row-name">${said.rows[name]}</span><div class="swatches">${film.shades.map(
      ({ label: number, vlt }) =>
        choice(
          { name, value: String(vlt), isChosen: chosen[name] === vlt },
          "swatch",
          html`${pane(vlt)}<span>${number}%</span>${wordOf(vlt, catalog)}${mark(statusAt(vlt), law)}`,
        ),
    )}${choice({ name, value: "", isChosen: chosen[name] === undefined }, "swatch", html`<span class="pane later" aria-hidden="true">?</span><span>${said.later}</span>`)}</div>${verdictsOn(row, law, film)}</div>`;
  })}<p class="hint">${key.intro} <i class="mark good">✓</i> ${key.legal} <i class="mark warn">?</i> ${key.depends} <i class="mark bad">!</i> ${key.notLegal}${other.length > 0 && html`. ${said.measured(other)}`}</p>${state(law, catalog)}${about(law)}`;
  return {
    id: "darkness",
    title: said.title,
    line: darknessOf(choices.front, choices.rear, estimate.film_type, catalog) || said.laterLine,
    isFolded,
    content,
  };
}

/** The gravest verdict on a shade, over the glass of one row. */
function statusOf(
  vlt: number,
  positions: readonly Position[],
  { vehicle, service, state }: Choices,
  { film_type, coverage }: Estimate,
  catalog: Shop,
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
  legal: { tone: "good", sign: "✓", said: PAGE_TEXTS.shades.legalIn },
  borderline: { tone: "warn", sign: "?", said: PAGE_TEXTS.shades.dependsIn },
  illegal: { tone: "bad", sign: "!", said: PAGE_TEXTS.shades.notLegalIn },
  not_permitted: { tone: "bad", sign: "!", said: PAGE_TEXTS.shades.notLegalIn },
};

function mark(status: GlassStatus, { name }: Law): Html | undefined {
  const sign = MARKS[status];
  if (sign === null) return undefined;
  return html`<i class="mark ${sign.tone}" role="img" aria-label="${sign.said} ${name}">${sign.sign}</i>`;
}

/** The shop's word for a shade, like `limo`. */
function wordOf(vlt: number, { automotive }: Shop): Html | undefined {
  const word = Object.entries(automotive.shade_words).find(([, one]) => one === vlt)?.[0];
  return word === undefined ? undefined : html`<small>${word}</small>`;
}

function state({ jurisdiction }: Law, { tint_law: law }: Shop): Html {
  const all = Object.entries(law.jurisdictions).toSorted(([, a], [, b]) => a.name.localeCompare(b.name, "en"));
  if (all.length < 2) return html``;
  return html`<p class="state"><label for="jurisdiction">${PAGE_TEXTS.shades.state}</label><select id="jurisdiction" name="jurisdiction">${all.map(([key, { name }]) => html`<option value="${key}"${key === jurisdiction && html` selected`}>${name}</option>`)}</select></p>`;
}

/** The verdict on the shade of one row, with the way out where it is not legal. */
function verdictsOn({ name, positions }: Row, law: Law, { shades }: Pick<AutomotiveFilm, "shades">): Html {
  const { shades: said } = PAGE_TEXTS;
  const checks = law.checks.filter(
    ({ position, film_vlt }) => film_vlt !== null && positions.some((one) => one === position),
  );
  const labelOf = (vlt: number | null) => shades.find((shade) => shade.vlt === vlt)?.label ?? vlt;
  // `Front 30%`; where the glass of a row differs, each by its own name.
  const isOne = new Set(checks.map(({ status }) => status)).size === 1;
  const sentences = checks.map((check) => {
    const glass = `${isOne ? said.short[name] : said.glass[check.position]} ${labelOf(check.film_vlt)}%`;
    return [explain(check, glass, law), TONES[check.status]] as const;
  });
  // Dark enough for one glass of the row can be too dark for the other.
  const darkest = checks.map(({ darkest_legal_shade: vlt }) => vlt);
  const legal = darkest.includes(null) ? undefined : shades.find(({ vlt }) => vlt === Math.max(...darkest.map(Number)));
  const isLegal = checks.every(({ status }) => status === "legal");
  const use =
    !isLegal &&
    legal &&
    html`<button class="quiet" name="${name}" value="${legal.vlt}" formaction="${BOOK_PATH}">${said.use(legal.label)}</button>`;
  const all = [...new Map(sentences)];
  return html`${all.map(([sentence, tone], i) => html`<p class="verdict ${tone}"><span>${sentence}</span>${i === all.length - 1 && use}</p>`)}`;
}

/** The law itself, and the verdict on glass that has no row. */
function about(law: Law): Html {
  const { shades: said } = PAGE_TEXTS;
  const others = law.checks.filter(({ position, reason }) => position === "windshield" && reason !== "no_shade_given");
  const measured = law.checks.filter(({ film_vlt }) => film_vlt !== null);
  return html`<div class="law">${others.map((check) => html`<p class="verdict ${TONES[check.status]}"><span><b>${said.glass.windshield}</b> ${explain(check, said.glass.windshield, law)}</span></p>`)}<details><summary>${said.about(law.name)}</summary>${measured.map(({ position, explanation }) => html`<p>${said.glass[position]}: ${explanation}</p>`)}${law.notes.map((note) => html`<p>${note}</p>`)}<p>${law.disclaimer}${law.citation && ` ${law.citation}.`}</p></details></div>`;
}

const TONES: Readonly<Record<GlassCheck["status"], string>> = {
  not_checked: "plain",
  legal: "good",
  borderline: "warn",
  illegal: "bad",
  not_permitted: "bad",
};

/** @param glass with its shade, as the sentence begins */
function explain(check: GlassCheck, glass: string, { name }: Pick<Verdict, "name">): string {
  const { shades: said } = PAGE_TEXTS;
  const otherwise = check.darkest_legal_shade === null ? said.ask : "";
  switch (check.reason) {
    case "strip_permitted":
      return check.explanation;
    case "meets_minimum":
    case "any_shade_permitted":
      return said.legal(name);
    case "within_tolerance":
    case "depends_on_glass":
      return said.depends(glass, name) + otherwise;
    case "below_minimum":
      return said.tooDark(glass, name) + otherwise;
    case "strip_only":
      return said.stripOnly(name);
    case "prohibited":
      return said.noFilm(glass, name);
    case "no_film_priced":
    case "no_shade_given":
      return said.notChecked;
  }
}
