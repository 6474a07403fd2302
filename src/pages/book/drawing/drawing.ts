/** Pictures of glass at a darkness: a vehicle from the side, and a small pane with a view behind it. */
import { DRAWINGS, type Drawing, POSITIONS, type Position } from "../../../constants.ts";
import { type Html, html, raw } from "../../../lib/html.ts";
import vehicles from "./vehicles.svg" with { type: "text" };

/** Percent of light that the film on each glass lets through; glass without film is absent. */
export type Film = Partial<Record<Position, number>>;

const GROUND = 222;
const SILL = 194;
/** Room between a wheel and its arch. */
const ARCH = 7;

type Shape = ReturnType<typeof shapeIn>;

/** A vehicle of `vehicles.svg`: its parts as paths, by their names, and what is measured of it. */
function shapeIn(drawing: Drawing) {
  const art = new RegExp(`<g id="${drawing}".*?</g>`, "s").exec(vehicles)?.[0] ?? "";
  const data = (name: string) => new RegExp(`data-${name}="(.*?)"`).exec(art)?.[1] ?? "";
  const paths = new Map(
    [...art.matchAll(/class="(.*?)" d="(.*?)"/gs)].map(([, name, d = ""]) => [
      name,
      d.replace(/\n *(?=[A-Za-z])/g, "").replace(/\n */g, " "),
    ]),
  );
  const d = (part: string) => paths.get(part) ?? "";
  /** The centers of the wheels. */
  const wheels = data("wheels").split(" ").map(Number);
  return { d, wheels, radius: Number(data("radius")), handles: data("handles").split(", "), strip: data("strip") };
}

const SHAPES = Object.fromEntries(DRAWINGS.map((one) => [one, shapeIn(one)])) as Record<Drawing, Shape>;

/** How dark a film looks. Even the darkest lets some light through, and clear glass is not quite clear. */
function opacityOf(vlt: number | undefined): string {
  return vlt === undefined ? "0.06" : (0.06 + 0.9 * (1 - vlt / 100) ** 1.1).toFixed(2);
}

/** @param extras what add-ons cover beside the glass of `film`: strip, sunroof @param label for people who do not see the picture */
export function vehicleDrawing(drawing: Drawing, film: Film, extras: readonly (string | null)[], label: string): Html {
  const shape = SHAPES[drawing];
  const { d } = shape;
  const path = (kind: string, part = kind, more = "") => raw(`<path class="${kind}"${more} d="${d(part)}"/>`);
  const panes = POSITIONS.map((position) => raw(`<path id="${position}" d="${d(position)}"/>`));
  const films = POSITIONS.map((position) =>
    raw(`<use href="#${position}" data-glass="${position}" fill-opacity="${opacityOf(film[position])}"/>`),
  );
  const strip = html`<clipPath id="top"><path d="M0 0h720v${shape.strip}H0z"/></clipPath>
<use clip-path="url(#top)" fill-opacity=".85" href="#windshield"/>`;
  return html`<svg class="vehicle" viewBox="0 0 720 250" role="img" aria-label="${label}">
<defs><linearGradient id="paint" x1="0" y1="0" x2="0" y2="1">
<stop class="paint-1"/><stop class="paint-2" offset=".55"/><stop class="paint-3" offset="1"/></linearGradient>
<linearGradient id="day" x1="0" y1="0" x2="0" y2="1"><stop stop-color="#dff1f8"/><stop offset="1" stop-color="#a9cbd8"/></linearGradient>
<clipPath id="panes">${panes}</clipPath><clipPath id="shell"><path id="outline" d="${outline(shape)}"/></clipPath></defs>
<ellipse class="floor" cx="366" cy="222" rx="330" ry="11"/>${wells(shape)}
<use class="body" fill="url(#paint)" href="#outline"/>${path("pillars", "cabin")}
<g clip-path="url(#panes)"><path fill="url(#day)" d="M0 0h720v130H0z"/>${path("seats")}</g>
<g class="films-on-glass">${films}${extras.includes("windshield_strip") && strip}</g>
${extras.includes("sunroof") && path("sunroof")}
<g clip-path="url(#panes)">
<path class="gloss" d="M300 20h46l-70 120h-46zM372 20h14l-70 120h-14zM560 20h40l-70 120h-40z"/></g>
<g clip-path="url(#shell)">${path("lines")}${path("lamp", "headlight")}${path("tail", "taillight")}
<path class="sill" d="M0 186h720v8H0z"/></g>
${shape.handles.map((at) => raw(`<path class="handle" d="M${at}h24"/>`))}${path("mirror", "mirror", ` fill="url(#paint)"`)}${wheels(shape)}
</svg>`;
}

export function vehicleIcon(drawing: Drawing): Html {
  const shape = SHAPES[drawing];
  const wheels = shape.wheels.map((x) => tyre(x, shape));
  return html`<svg class="icon" viewBox="20 20 690 206" aria-hidden="true"><path class="shape" d="${outline(shape)}"/>
<path class="pillars" d="${shape.d("cabin")}"/>${wheels}</svg>`;
}

function tyre(x: number, { radius }: Shape): Html {
  return raw(`<circle class="tyre" cx="${x}" cy="${GROUND - radius}" r="${radius}"/>`);
}

/** Where the arch of a wheel meets the sill, left and right of its center. */
function halfArch({ radius }: Shape): number {
  const height = SILL - (GROUND - radius);
  return Math.round(Math.sqrt((radius + ARCH) ** 2 - height ** 2));
}

/** The whole body: over the roof, and back along the sill around the wheels. */
function outline(shape: Shape): string {
  const half = halfArch(shape);
  const radius = shape.radius + ARCH;
  const arch = (x: number) => `H${x + half}A${radius} ${radius} 0 0 0 ${x - half} ${SILL}`;
  return `${shape.d("body")}${shape.wheels.toReversed().map(arch).join("")}z`;
}

function wells(shape: Shape): Html {
  const half = halfArch(shape);
  const radius = shape.radius + ARCH;
  const well = (x: number) =>
    `<path class="arch" d="M${x - half} ${SILL}A${radius} ${radius} 0 0 1 ${x + half} ${SILL}z"/>`;
  return raw(shape.wheels.map(well).join(""));
}

/** The front wheel, and the same again where the rear one is. */
function wheels(shape: Shape): Html {
  const {
    radius,
    wheels: [x = 0, rear = 0],
  } = shape;
  const y = GROUND - radius;
  return html`<g id="wheel">${tyre(x, shape)}<circle class="rim" cx="${x}" cy="${y}" r="${radius * 0.64}"/>
<path class="spokes" d="${spokes(x, y, radius * 0.6)}"/><circle class="hub" cx="${x}" cy="${y}" r="6"/></g>
<use href="#wheel" x="${rear - x}"/>`;
}

function spokes(x: number, y: number, length: number): string {
  return [0, 1, 2, 3, 4]
    .map((i) => {
      const angle = (i * 2 * Math.PI) / 5 - Math.PI / 2;
      return `M${x} ${y}L${(x + length * Math.cos(angle)).toFixed(1)} ${(y + length * Math.sin(angle)).toFixed(1)}`;
    })
    .join("");
}

/** The view that every pane shows; stands once on a page that has panes. */
export const PANE_VIEW = html`<svg width="0" height="0" class="hidden" aria-hidden="true">
<symbol id="view" viewBox="0 0 64 44" preserveAspectRatio="xMidYMid slice">
<path fill="#cfe8f4" d="M0 0h64v44H0z"/><circle cx="48" cy="12" r="6" fill="#ffd772"/>
<path fill="#8fb8a4" d="M0 32c12-10 24-12 36-4s18 2 28-4v20H0z"/><path fill="#5f8f7c" d="M0 38c16-8 40-4 64-6v12H0z"/></symbol></svg>`;

/** A pane with film of this darkness. @param isFrosted whether the film hides the view behind white */
export function pane(vlt: number | undefined, isFrosted = false): Html {
  const film = isFrosted ? raw('<rect class="frosted"/>') : raw(`<rect fill-opacity="${opacityOf(vlt)}"/>`);
  return html`<svg class="pane" aria-hidden="true"><use href="#view"/>${film}</svg>`;
}
