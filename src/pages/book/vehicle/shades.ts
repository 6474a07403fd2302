/** The darkness of the film: the darkest that is legal as the first choice, then glass by glass, with one verdict of the law. */
import { modelIn } from "../../../catalog/models.ts";
import { BOOK_PATH } from "../../../catalog/page-addresses.ts";
import type { Shop } from "../../../catalog/shop.ts";
import { entryOf, vehicleInWords } from "../../../catalog/terms.ts";
import type { Position } from "../../../constants.ts";
import { verdictOn } from "../../../domain/automotive.ts";
import { GLASS_NAMES, GLASS_STATUSES, type GlassStatus, isBarred, type Verdict } from "../../../domain/tint-law.ts";
import { type JobRequest, SIDES } from "../../../job/job.ts";
import { type PricedJob, type PricingContext, priceJob } from "../../../job/price.ts";
import { legalInstead } from "../../../job/warnings.ts";
import { defined } from "../../../lib/fields.ts";
import { type Html, html } from "../../../lib/html.ts";
import { joinWithAnd } from "../../../schema/explain.ts";
import { PANE_VIEW, pane } from "../drawing/drawing.ts";
import { choice, quoteNote } from "../shell/forms.ts";
import { SHADES } from "../shell/texts.ts";
import { darknessOf, lawText, shadeLabel, undecided } from "../shell/wording.ts";
import { type Choices, chosenJob, type Estimate, positionsOf, shadesBySide } from "./choices.ts";
import type { Offer, PagePart } from "./offer.ts";

const FRONT = { name: "front_shade", side: "front", positions: ["front_side"] } as const;
const ROWS = [FRONT, { name: "rear_shade", side: "rear", positions: ["rear_side", "rear_window"] }] as const;
/** Where the rear window has a shade of its own. */
const ROWS_APART = [
  FRONT,
  { name: "rear_shade", side: "rear", positions: ["rear_side"] },
  { name: "rear_window_shade", side: "rear_window", positions: ["rear_window"] },
] as const;

type Row = (typeof ROWS | typeof ROWS_APART)[number];
type Law = Estimate["tint_law"];
type Shades = Pick<Choices, "front" | "rear" | "rear_window">;

function rowsOf({ rear_window }: Choices): readonly Row[] {
  return rear_window === undefined ? ROWS : ROWS_APART;
}

/** A film's shades nearest to the wished ones: the films do not come in the same. */
export function stocked(choices: Choices, catalog: Shop): Choices {
  const { automotive } = catalog;
  const { shades } = entryOf(automotive.films, choices.film_type ?? automotive.defaults.film_type);
  const nearest = <Wished extends number | null | undefined>(wished: Wished) =>
    typeof wished === "number"
      ? shades.toSorted((a, b) => Math.abs(a.vlt - wished) - Math.abs(b.vlt - wished) || b.vlt - a.vlt)[0]?.vlt
      : wished;
  const { front, rear, rear_window } = choices;
  const near = { front: nearest(front), rear: nearest(rear), rear_window: nearest(rear_window) };
  const covered = positionsOf(choices.service_type, choices.coverage, catalog);
  const before = shadesBySide(choices);
  const after = shadesBySide(near);
  return {
    ...choices,
    ...near,
    isNearest: SIDES.some((side) => covered.includes(side) && before[side] !== after[side]),
  };
}

export function nearestNote({ choices, estimate: { film_type: film }, catalog }: Offer): Html | undefined {
  const darkness = darknessOf(shadesBySide(choices), film, catalog);
  if (!choices.isNearest || film === null || darkness === "") return undefined;
  return quoteNote(SHADES.nearest(entryOf(catalog.automotive.films, film).name, darkness));
}

/** The darkest shade that is legal on each row of glass; none where some glass of it may have no film. */
function darkestLegal({ checks }: Pick<Verdict, "checks">): Shades | undefined {
  const found: Shades = { front: undefined, rear: undefined, rear_window: undefined };
  for (const { side, positions } of ROWS) {
    const ofRow = checks.filter(({ position }) => positions.some((one) => one === position));
    const darkest = ofRow.map(({ darkest_legal_shade: vlt }) => vlt);
    if (darkest.length > 0 && !darkest.includes(null)) found[side] = Math.max(...darkest.map(Number));
  }
  return found.front === undefined && found.rear === undefined ? undefined : found;
}

/** The choices after a press of a button that makes them legal. @param wish `darkest`, or `instead` of what is not legal */
export async function legally(choices: Choices, wish: string | null, ctx: PricingContext): Promise<Choices> {
  if (wish === null) return choices;
  const job = await judged(choices, ctx);
  if (wish === "darkest") return { ...choices, ...(job.price?.law && darkestLegal(job.price.law)) };
  return (await legalChoices(choices, job, ctx)) ?? choices;
}

/**
 * The legal choices nearest to these. Where some glass may have no film, and the shop sells no work without that glass, its
 * shade is decided at the shop. @returns undefined where there are none
 */
async function legalChoices(choices: Choices, job: PricedJob, ctx: PricingContext): Promise<Choices | undefined> {
  const changes = legalInstead(job, ctx.catalog)?.changes;
  if (changes) {
    const { shade, coverage, ...other } = changes;
    return {
      ...choices,
      ...(shade !== undefined && toRows(shade, choices)),
      windshield: Object.hasOwn(other, "windshield_shade") ? other.windshield_shade : choices.windshield,
      ...(coverage !== undefined && { coverage }),
      ...(Object.hasOwn(other, "addons") && { addons: other.addons ?? [] }),
    };
  }
  const found = bareIn(job);
  const bare = rowsOf(choices).filter(
    ({ side, positions }) => choices[side] && positions.some((one) => found.includes(one)),
  );
  if (bare.length === 0) return undefined;
  const undecided = bare.map(({ side }) => [side, side === "rear_window" ? null : undefined]);
  const open = { ...choices, ...Object.fromEntries(undecided) };
  const next = await judged(open, ctx);
  return isBarred(next.price?.law) ? legalChoices(open, next, ctx) : open;
}

/** Glass that is to get film, and may have none. */
function bareIn({ price }: PricedJob): Position[] {
  const bare = price?.law?.checks.filter((check) => isBarred(check) && check.darkest_legal_shade === null) ?? [];
  return bare.map(({ position }) => position);
}

function judged(choices: Choices, ctx: PricingContext): Promise<PricedJob> {
  return priceJob(chosenJob(choices, ctx.catalog), ctx);
}

function toRows(shade: NonNullable<JobRequest["shade"]>, { rear_window: own }: Choices): Shades {
  if (typeof shade === "number") return { front: shade, rear: shade, rear_window: undefined };
  const { front_side: front, rear_side = 0, rear_window = 0 } = shade;
  if (own !== undefined) return { front, rear: rear_side || undefined, rear_window: rear_window || null };
  return { front, rear: Math.max(rear_side, rear_window) || undefined, rear_window: undefined };
}

/** What the button says that makes the choices legal; undefined where they are, or where nothing does. */
export async function legalLabel(choices: Choices, ctx: PricingContext): Promise<string | undefined> {
  const job = await judged(choices, ctx);
  const { law } = job.price ?? {};
  const legal = isBarred(law) ? await legalChoices(choices, job, ctx) : undefined;
  if (!legal) return undefined;
  const isSameShade = Bun.deepEquals(shadesBySide(legal), shadesBySide(choices));
  if (legal.coverage !== choices.coverage) return SHADES.without;
  if (legal.addons.length < choices.addons.length) return isSameShade ? SHADES.without : SHADES.all;
  const bare = bareIn(job);
  if (bare.length > 0) return SHADES.atShop(joinWithAnd(bare.map((position) => GLASS_NAMES[position])));
  const [one, ...more] = new Set(law?.checks.filter(isBarred).map(({ darkest_legal_shade: vlt }) => vlt));
  const film = job.job.work.filmType;
  if (one && more.length === 0) return SHADES.use(`${shadeLabel(one, film, ctx.catalog)}%`);
  return SHADES.use(darknessOf(shadesBySide(legal), film, ctx.catalog));
}

/** @param target where the page goes on @param kind class of the button */
export function legalButton(label: string, target: string, kind?: string): Html {
  return html`<button${kind && html` class="${kind}"`} name="legal" value="instead" formaction="${BOOK_PATH}${target}">${label}</button>`;
}

export function shades(offer: Offer, isFolded: boolean): PagePart | undefined {
  const { choices, estimate, catalog } = offer;
  const covered = positionsOf(choices.service_type, estimate.coverage ?? undefined, catalog);
  const rows = rowsOf(choices).filter(({ positions }) => positions.some((one) => covered.includes(one)));
  if (rows.length === 0 || estimate.film_type === null) return undefined;
  const { tint_law: law } = estimate;
  const swatches = rows.map((row) => swatchRow(row, offer));
  return {
    id: "darkness",
    title: SHADES.title,
    line: darknessOf(shadesBySide(choices), estimate.film_type, catalog) || SHADES.laterLine,
    isFolded,
    content: html`${darkestFirst(offer)}${PANE_VIEW}${swatches}${verdict(offer)}
${keyTo(estimate, catalog)}${state(law, catalog)}${lawDetails(law)}`,
  };
}

function swatchRow({ name, side, positions }: Row, offer: Offer): Html {
  const { choices, estimate, catalog } = offer;
  const { shades } = entryOf(catalog.automotive.films, estimate.film_type ?? "");
  const swatches = shades.map(({ label: number, vlt }) => {
    const sign = mark(statusOf(vlt, positions, offer), estimate.tint_law);
    const content = html`${pane(vlt)}<span>${number}%</span>${wordOf(vlt, catalog)}${sign}`;
    return choice({ name, value: String(vlt), isChosen: choices[side] === vlt }, "swatch", content);
  });
  const open = { name, value: side === "rear_window" ? "none" : "", isChosen: choices[side] == null };
  const later = choice(open, "swatch undecided", html`<span>${SHADES.later}</span>`);
  const [one, ...more] = positions;
  const title = more.length > 0 ? SHADES.rear : SHADES.glass[one];
  return html`<div class="shades" role="radiogroup" aria-label="${title}">
<span class="row-name">${title}</span><div class="swatches">${swatches}${later}</div></div>`;
}

function keyTo({ tint_law: law, film_type }: Estimate, { automotive }: Shop): Html {
  const key = SHADES.key(law.name);
  const other = entryOf(automotive.films, film_type ?? "").shades.filter(({ label, vlt }) => label !== vlt);
  const signs = (["legal", "borderline", "illegal"] as const).map((status) => {
    const { tone, sign } = MARKS[status];
    return html` <i class="mark ${tone}">${sign}</i> ${key[status]}`;
  });
  return html`<p class="hint">${key.intro}${signs}${other.length > 0 && html`. ${SHADES.measured(other)}`}</p>`;
}

/** The first choice: as dark as the law lets the whole job be. */
function darkestFirst({ choices, estimate, catalog }: Offer): Html | undefined {
  const { car, vehicle_type, front, rear, rear_window } = choices;
  const { tint_law: law, film_type } = estimate;
  const darkest = darkestLegal(law);
  if (!darkest) return undefined;
  const isChosen = darkest.front === front && darkest.rear === rear && rear_window === undefined;
  const name = modelIn(car ?? "", catalog)?.name ?? vehicleInWords(vehicle_type ?? "", catalog);
  const covered = law.checks.filter(({ reason }) => reason !== "no_film_priced").map(({ position }) => position);
  const rows = ROWS.filter(({ positions }) => positions.some((one) => covered.includes(one))).map(({ side }) => {
    const vlt = darkest[side];
    return `${vlt === undefined ? SHADES.bare : `${shadeLabel(vlt, film_type, catalog)}%`} ${SHADES.side[side]}`;
  });
  const act = html`name="legal" value="darkest" formaction="${BOOK_PATH}#darkness" aria-pressed="${String(isChosen)}"`;
  const label = html`<span>${SHADES.darkest(name)}</span> <b>${rows.join(", ")}</b>`;
  return html`<p class="darkest"><button class="quiet" id="legal-darkest" ${act}>${label}</button></p>`;
}

/** The gravest verdict on a shade, over the glass of one row. */
function statusOf(vlt: number, positions: readonly Position[], { choices, estimate, catalog }: Offer): GlassStatus {
  const { jurisdiction, vehicle_type = "", service_type: service } = choices;
  const [film_type, coverage] = [estimate.film_type ?? undefined, estimate.coverage ?? undefined];
  const { checks } = verdictOn(catalog, {
    ...defined({ jurisdiction, film_type, coverage }),
    vehicle_type,
    service,
    shades: Object.fromEntries(positions.map((position) => [position, vlt])),
  });
  const found = checks.filter(({ position }) => positions.includes(position)).map(({ status }) => status);
  return GLASS_STATUSES.findLast((status) => found.includes(status)) ?? "not_checked";
}

const BAD = { tone: "bad", sign: "!", said: SHADES.notLegalIn };
const MARKS = {
  not_checked: null,
  legal: { tone: "good", sign: "✓", said: SHADES.legalIn },
  borderline: { tone: "warn", sign: "?", said: SHADES.dependsIn },
  illegal: BAD,
  not_permitted: BAD,
} as const satisfies Record<GlassStatus, object | null>;

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

function state({ jurisdiction }: Law, { tint_law: law }: Shop): Html | undefined {
  const all = Object.entries(law.jurisdictions).toSorted(([, a], [, b]) => a.name.localeCompare(b.name, "en"));
  if (all.length < 2) return undefined;
  const options = all.map(([key, { name }]) => {
    const selected = key === jurisdiction && html` selected`;
    return html`<option value="${key}"${selected}>${name}</option>`;
  });
  return html`<p class="state"><label for="jurisdiction">${SHADES.state}</label>
<select id="jurisdiction" name="jurisdiction">${options}</select></p>`;
}

/** One sentence on all glass, with the button that makes it legal. */
function verdict({ estimate: { tint_law: law, film_type }, legal, catalog }: Offer): Html | undefined {
  const text = lawText(law, film_type, catalog);
  if (text === undefined) return undefined;
  const isUnsure = law.checks.some(({ status }) => status === "borderline") || undecided(law.checks).length > 0;
  const tone = isBarred(law) ? "bad" : isUnsure ? "warn" : "good";
  return html`<p class="verdict ${tone}"><span>${text}.</span>${legal && legalButton(legal, "", "quiet")}</p>`;
}

function lawDetails(law: Law): Html {
  const measured = law.checks.filter(({ reason }) => reason !== "no_shade_given");
  const glass = measured.map(({ position, explanation }) => `${SHADES.glass[position]}: ${explanation}`);
  const last = `${law.disclaimer}${law.citation ? ` ${law.citation}.` : ""}`;
  return html`<details class="law"><summary>${SHADES.about(law.name)}</summary>
${[...glass, ...law.notes, last].map((text) => html`<p>${text}</p>`)}</details>`;
}
