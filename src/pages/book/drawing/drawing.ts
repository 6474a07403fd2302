/** Pictures of glass at a darkness: a vehicle from the side, and a small pane with a view behind it. */
import { type Drawing, POSITIONS, type Position } from "../../../constants.ts";
import { type Html, html, raw } from "../../markup/html.ts";

/** Percent of light that the film on each glass lets through; glass without film is absent. */
export type Film = Partial<Record<Position, number>>;

/** The body's colors that a visitor can look at. */
export const PAINTS = ["white", "grey", "black"] as const;

/** How dark a film looks. Even the darkest lets some light through, and clear glass is not quite clear. */
function opacityOf(vlt: number | undefined): string {
  return vlt === undefined ? "0.06" : (0.06 + 0.9 * (1 - vlt / 100) ** 1.1).toFixed(2);
}

/**
 * @param extras what add-ons cover beside the glass of `film`: the strip on the windshield, the sunroof
 * @param label describes the picture to people who do not see it
 */
export function vehicleDrawing(drawing: Drawing, film: Film, extras: readonly (string | null)[], label: string): Html {
  const shape = SHAPES[drawing];
  const panes = POSITIONS.map((position) => raw(`<path id="${position}" d="${shape.glass[position]}"/>`));
  const films = POSITIONS.map((position) =>
    raw(`<use href="#${position}" data-glass="${position}" fill-opacity="${opacityOf(film[position])}"/>`),
  );
  return html`<svg class="vehicle" viewBox="0 0 720 250" role="img" aria-label="${label}">
<defs><linearGradient id="paint" x1="0" y1="0" x2="0" y2="1"><stop class="paint-1"/><stop class="paint-2" offset=".55"/><stop class="paint-3" offset="1"/></linearGradient><linearGradient id="day" x1="0" y1="0" x2="0" y2="1"><stop stop-color="#dff1f8"/><stop offset="1" stop-color="#a9cbd8"/></linearGradient><clipPath id="panes">${panes}</clipPath><clipPath id="shell"><path id="outline" d="${outline(shape)}"/></clipPath></defs>
<ellipse class="floor" cx="366" cy="222" rx="330" ry="11"/>${wells(shape)}
<use class="body" fill="url(#paint)" href="#outline"/><path class="pillars" d="${shape.cabin}"/>
<g clip-path="url(#panes)"><path fill="url(#day)" d="M0 0h720v130H0z"/><path class="seats" d="${shape.seats}"/></g>
<g class="films-on-glass">${films}${extras.includes("windshield_strip") && html`<clipPath id="top"><path d="M0 0h720v${shape.strip}H0z"/></clipPath><use clip-path="url(#top)" fill-opacity=".85" href="#windshield"/>`}</g>
${extras.includes("sunroof") && html`<path class="sunroof" d="${shape.sunroof}"/>`}
<g clip-path="url(#panes)"><path class="gloss" d="M300 20h46l-70 120h-46zM372 20h14l-70 120h-14zM560 20h40l-70 120h-40z"/></g>
<g clip-path="url(#shell)"><path class="lines" d="${shape.lines}"/><path class="lamp" d="${shape.headlight}"/><path class="tail" d="${shape.taillight}"/><path class="sill" d="M0 186h720v8H0z"/></g>
${shape.handles.map((at) => raw(`<path class="handle" d="M${at}h24"/>`))}<path class="mirror" fill="url(#paint)" d="${shape.mirror}"/>${wheels(shape)}
</svg>`;
}

/** A small picture for a choice: the outline, the windows and the wheels. */
export function vehicleIcon(drawing: Drawing): Html {
  const shape = SHAPES[drawing];
  const wheels = shape.wheels.map((x) =>
    raw(`<circle class="tyre" cx="${x}" cy="${GROUND - shape.radius}" r="${shape.radius}"/>`),
  );
  return html`<svg class="icon" viewBox="20 20 690 206" aria-hidden="true"><path class="shape" d="${outline(shape)}"/><path class="pillars" d="${shape.cabin}"/>${wheels}</svg>`;
}

/** Room between a wheel and its arch. */
const ARCH = 7;

/** Where the arch of a wheel meets the sill, left and right of its centre. */
function halfArch({ radius }: Shape): number {
  const height = SILL - (GROUND - radius);
  return Math.round(Math.sqrt((radius + ARCH) ** 2 - height ** 2));
}

/** The whole body: over the roof, and back along the sill around the wheels. */
function outline(shape: Shape): string {
  const [front, rear] = shape.wheels;
  const half = halfArch(shape);
  const arch = (x: number) => `H${x + half}A${shape.radius + ARCH} ${shape.radius + ARCH} 0 0 0 ${x - half} ${SILL}`;
  return `${shape.body}${arch(rear)}${arch(front)}z`;
}

function wells(shape: Shape): Html {
  const half = halfArch(shape);
  const radius = shape.radius + ARCH;
  return html`${shape.wheels.map((x) => raw(`<path class="arch" d="M${x - half} ${SILL}A${radius} ${radius} 0 0 1 ${x + half} ${SILL}z"/>`))}`;
}

/** The front wheel, and the same again where the rear one is. */
function wheels({ radius, wheels: [x, rear] }: Shape): Html {
  const y = GROUND - radius;
  return raw(
    `<g id="wheel"><circle class="tyre" cx="${x}" cy="${y}" r="${radius}"/><circle class="rim" cx="${x}" cy="${y}" r="${radius * 0.64}"/><path class="spokes" d="${spokes(x, y, radius * 0.6)}"/><circle class="hub" cx="${x}" cy="${y}" r="6"/></g><use href="#wheel" x="${rear - x}"/>`,
  );
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
export const PANE_VIEW = raw(
  `<svg width="0" height="0" class="hidden" aria-hidden="true"><symbol id="view" viewBox="0 0 64 44" preserveAspectRatio="xMidYMid slice"><path fill="#cfe8f4" d="M0 0h64v44H0z"/><circle cx="48" cy="12" r="6" fill="#ffd772"/><path fill="#8fb8a4" d="M0 32c12-10 24-12 36-4s18 2 28-4v20H0z"/><path fill="#5f8f7c" d="M0 38c16-8 40-4 64-6v12H0z"/></symbol></svg>`,
);

/** A pane with film of this darkness. @param isFrosted whether the film hides the view behind white */
export function pane(vlt: number | undefined, isFrosted = false): Html {
  const film = isFrosted ? raw('<rect class="frosted"/>') : raw(`<rect fill-opacity="${opacityOf(vlt)}"/>`);
  return html`<svg class="pane" aria-hidden="true"><use href="#view"/>${film}</svg>`;
}

// Side views of vehicles that face left, on a canvas of 720 by 250. Each glass has the place that tint law gives it.

interface Shape {
  /** The outline over the roof, from the front end of the sill to its rear end. The sill has the arches of the wheels. */
  body: string;
  /** Lines on the body: belt and doors. */
  lines: string;
  /** Everything that can be seen into, glass and pillars. */
  cabin: string;
  glass: Readonly<Record<Position, string>>;
  seats: string;
  headlight: string;
  taillight: string;
  mirror: string;
  /** Doors' handles, as `x y` of each. */
  handles: readonly string[];
  /** Centres of the wheels. */
  wheels: readonly [front: number, rear: number];
  radius: number;
  sunroof: string;
  /** How far down the strip of the windshield reaches. */
  strip: number;
}

const GROUND = 222;
const SILL = 194;

const SHAPES: Readonly<Record<Drawing, Shape>> = {
  car: {
    body: "M46 194c-8-3-11-12-10-26 1-16 8-26 24-31 44-12 98-20 156-24 32-24 74-48 114-58 22-6 54-7 86-7 54 0 92 6 128 26 24 13 44 27 62 40 30 3 58 7 74 14 10 5 12 18 12 34 0 14-2 26-12 32",
    lines: "M52 152c140-14 440-18 634-4M240 122c-8 22-8 48 0 70M410 120v74M534 122c10 16 12 30 2 46",
    cabin: "M224 117c34-24 70-46 108-55 20-5 50-6 80-6 48 0 82 5 114 22 22 12 42 26 60 39-110-5-246-5-362 0z",
    glass: {
      windshield: "M232 114c32-21 64-41 98-50l7 3c-28 12-56 29-78 46z",
      front_side: "M268 113c20-17 46-35 76-46 14-4 34-5 54-5l4 50c-46-1-92 0-134 1z",
      rear_side: "M411 112l-3-50c34 0 62 3 86 13 16 7 30 17 42 27l8 11c-42-1-88-1-133-1z",
      rear_window: "M552 114l-10-14c-8-8-18-15-30-22 26 9 46 22 64 37z",
    },
    seats:
      "M322 116c2-8 6-12 14-13 6-12 8-23 12-30 5-6 18-5 20 2 2 12-4 30-2 41zM456 116c0-14 2-30 8-37 6-7 20-5 21 4 1 12-4 22-4 33zM288 116l13-16M294 96l15 9",
    headlight: "M44 150c18-9 40-13 62-15-8 12-28 20-64 23z",
    taillight: "M700 138c-20-4-42-5-62-4 8 12 30 18 66 18z",
    mirror: "M262 116c-14 1-22-2-22-8s8-8 18-7z",
    handles: ["372 134", "490 134"],
    wheels: [156, 556],
    radius: 43,
    sunroof: "M372 52q38-3 74 1",
    strip: 82,
  },
  coupe: {
    body: "M44 194c-8-3-11-12-10-26 1-14 8-24 24-29 46-13 104-20 164-22 36-24 80-46 122-54 18-4 40-5 64-5 64 0 116 22 168 56 34 3 66 8 84 14 12 5 14 18 14 34 0 14-2 26-12 32",
    lines: "M50 154c140-16 440-20 638-6M252 126c-8 20-8 46-2 66M462 122c2 26 0 50-6 72M462 122l-4-2",
    cabin: "M236 120c36-22 74-42 112-50 18-4 38-5 58-5 58 0 106 20 154 51-110-4-220-2-324 4z",
    glass: {
      windshield: "M244 117c32-19 66-36 98-45l7 3c-30 11-58 26-82 42z",
      front_side: "M276 116c22-16 50-32 82-42 14-4 30-5 44-5 18 0 32 2 44 6l8 37c-62-1-120 1-178 4z",
      rear_side: "M463 112l-8-34c28 8 52 20 74 34-22-1-44-1-66 0z",
      rear_window: "M540 113c-20-14-44-26-70-35 34 7 66 22 94 38z",
    },
    seats:
      "M332 120c2-8 6-12 14-13 6-10 8-19 12-26 5-6 18-5 20 2 2 10-4 26-2 37zM446 114c2-10 2-18 8-24 6-5 18-3 19 4 1 8-4 14-4 20zM298 119l13-15M304 100l15 9",
    headlight: "M42 152c20-10 44-13 68-14-8 12-32 20-70 22z",
    taillight: "M708 144c-26-6-56-7-84-5 8 11 34 14 88 15z",
    mirror: "M270 120c-14 1-22-2-22-8s8-8 18-7z",
    handles: ["420 136"],
    wheels: [156, 556],
    radius: 44,
    sunroof: "M376 62q30-3 58 3",
    strip: 90,
  },
  wagon: {
    body: "M46 194c-8-3-11-12-10-26 1-16 8-26 24-31 44-12 98-20 156-24 32-24 74-48 114-58 22-6 54-7 86-7h118c40 0 66 4 82 16 22 16 38 36 50 58 10 4 16 10 17 26 1 18 0 30-3 40-2 4-5 6-10 6",
    lines: "M52 152c140-14 440-18 620-6M240 122c-8 22-8 48 0 70M410 120v74M540 118c8 18 8 32-2 50",
    cabin: "M224 117c34-24 70-46 108-55 20-5 50-6 80-6h120c34 0 56 4 70 14 16 12 30 28 40 46-120-5-292-5-418 1z",
    glass: {
      windshield: "M232 114c32-21 64-41 98-50l7 3c-28 12-56 29-78 46z",
      front_side: "M268 113c20-17 46-35 76-46 14-4 34-5 54-5l4 50c-46-1-92 0-134 1z",
      rear_side:
        "M411 112l-3-50h110c6 0 10 2 12 6l10 44c-42-1-86-1-129 0zM552 112l-11-46c-1-3 1-4 4-4 18 0 30 2 40 8 8 6 12 22 15 43-16-1-32-1-48-1z",
      rear_window: "M610 113c-3-18-6-30-10-38 14 10 24 23 31 39z",
    },
    seats:
      "M322 116c2-8 6-12 14-13 6-12 8-23 12-30 5-6 18-5 20 2 2 12-4 30-2 41zM466 116c0-14 2-30 8-37 6-7 20-5 21 4 1 12-4 22-4 33zM288 116l13-16M294 96l15 9",
    headlight: "M44 150c18-9 40-13 62-15-8 12-28 20-64 23z",
    taillight: "M668 122c-10-2-20-2-28 0 2 16 12 28 36 32z",
    mirror: "M262 116c-14 1-22-2-22-8s8-8 18-7z",
    handles: ["372 134", "500 134"],
    wheels: [156, 552],
    radius: 43,
    sunroof: "M372 52h90",
    strip: 82,
  },
  crossover: {
    body: "M50 194c-9-3-12-14-11-32 1-20 8-32 26-38 42-12 92-18 144-21 30-26 66-49 104-59 18-5 44-7 76-7 56 0 96 2 126 8 44 10 76 32 96 62 12 4 18 10 19 26 1 20 0 42-4 54-2 5-6 7-12 7",
    lines: "M46 142c140-14 440-18 582-10M230 110c-8 24-8 54 2 78M396 106v86M536 106c12 22 10 46-6 64",
    cabin: "M218 106c28-24 62-46 98-55 18-4 44-6 74-6 52 0 90 2 118 8 36 8 62 25 80 48-118-6-250-4-370 5z",
    glass: {
      windshield: "M226 103c28-23 58-42 90-51l6 3c-28 12-54 29-76 48z",
      front_side: "M256 102c20-18 44-35 72-45 14-4 34-5 56-5l5 47c-46 0-90 1-133 3z",
      rear_side: "M398 99l-5-47c40 0 74 1 102 5 8 2 12 6 16 12l16 31c-42-2-86-2-129-1z",
      rear_window: "M538 101l-20-38c24 7 42 19 56 40-12-1-24-2-36-2z",
    },
    seats:
      "M308 106c2-8 6-12 14-13 6-12 8-23 12-30 5-6 18-5 20 2 2 12-4 30-2 41zM444 104c0-14 2-30 8-37 6-7 20-5 21 4 1 12-4 22-4 33zM274 106l13-16M280 86l15 9",
    headlight: "M46 134c20-9 44-13 66-14-8 13-32 21-68 25z",
    taillight: "M630 114c-16-6-36-8-54-6 4 12 24 22 64 26z",
    mirror: "M252 105c-15 1-23-2-23-9s8-9 19-7z",
    handles: ["356 124", "486 124"],
    wheels: [154, 546],
    radius: 48,
    sunroof: "M360 41q44-2 90 1",
    strip: 72,
  },
  tall: {
    body: "M50 194c-9-3-12-14-11-36 1-24 6-38 22-43 44-12 96-17 150-19 24-26 50-50 80-62 14-5 34-7 62-7h212c34 0 50 4 58 18 12 22 20 44 25 68 9 4 13 12 14 26 1 18 0 36-3 48-2 5-6 7-12 7",
    lines: "M44 134c150-12 440-14 608-4M228 102c-8 26-8 62 2 88M386 98v94M524 98c14 24 12 52-4 74",
    cabin: "M212 97c24-25 50-45 78-55 14-5 34-6 60-6h212c22 0 34 3 40 12 10 18 18 34 22 50-120-5-292-5-412-1z",
    glass: {
      windshield: "M219 94c24-23 46-41 72-50l7 2c-24 13-44 30-62 48z",
      front_side: "M246 93c16-18 36-34 60-44 12-4 24-6 42-6h28l4 48c-46 0-90 1-134 2z",
      rear_side:
        "M389 91l-4-48h112c7 0 11 2 13 7l8 41c-44-1-88-1-129 0zM530 91l-9-44c-1-3 1-4 5-4h34c16 0 26 2 30 9 8 14 14 27 18 41-26-1-52-2-78-2z",
      rear_window: "M616 94c-4-14-9-27-16-40 14 10 18 26 22 40z",
    },
    seats:
      "M302 98c2-8 6-12 14-13 6-12 8-23 12-30 5-6 18-5 20 2 2 12-4 30-2 41zM438 96c0-14 2-30 8-37 6-7 20-5 21 4 1 12-4 22-4 33zM264 98l13-16M270 78l15 9",
    headlight: "M44 126c20-8 44-11 68-12-6 14-30 22-70 25z",
    taillight: "M646 98c-8-2-14-2-20 0-2 20 4 38 30 42z",
    mirror: "M244 98c-16 1-24-2-24-10s8-10 20-8z",
    handles: ["346 116", "482 116"],
    wheels: [156, 548],
    radius: 50,
    sunroof: "M352 31h96",
    strip: 66,
  },
  pickup: {
    body: "M46 194c-9-3-12-14-11-38 1-24 6-37 22-42 42-11 88-15 138-16 22-26 44-48 70-58 14-5 30-7 52-7h96c22 0 32 4 40 20 8 17 14 34 17 53l222 2c10 0 14 5 15 14 2 20 2 46-1 62-2 7-6 10-12 10",
    lines:
      "M40 134c140-12 330-14 432-8M212 104c-8 26-8 60 2 86M352 98v94M460 100c4 30 4 62-2 92M474 116h222M478 116v56",
    cabin: "M196 99c24-25 46-44 70-54 14-5 28-7 50-7h92c16 0 24 3 30 14 8 16 13 31 16 46-88-3-174-3-258 1z",
    glass: {
      windshield: "M203 96c22-22 42-40 66-50l7 2c-22 13-40 30-56 48z",
      front_side: "M230 95c16-18 32-34 54-43 12-5 22-6 36-6h20l5 47c-40 0-78 1-115 2z",
      rear_side: "M357 93l-5-47h48c12 0 18 2 22 10 5 12 9 24 11 37-26-1-52-1-76 0z",
      rear_window: "M443 94c-3-14-7-26-12-38 9 9 14 24 17 38z",
    },
    seats:
      "M284 99c2-8 6-12 14-13 6-12 8-23 12-30 5-6 18-5 20 2 2 12-4 30-2 41zM388 98c0-13 2-27 8-34 6-6 18-4 19 4 1 11-4 20-4 30zM250 99l13-16M256 79l15 9",
    headlight: "M39 124c18-8 40-11 62-11-6 14-28 22-64 25z",
    taillight: "M700 106h-16c-3 0-4 2-4 5v34h22z",
    mirror: "M228 100c-16 1-24-2-24-10s8-10 20-8z",
    handles: ["308 118", "414 118"],
    wheels: [152, 572],
    radius: 50,
    sunroof: "M318 37h72",
    strip: 66,
  },
  box: {
    body: "M42 194c-8-3-11-14-10-36 1-24 7-37 24-44 28-11 58-18 90-21 26-26 56-50 88-60 16-5 36-6 62-6h318c36 0 52 6 60 26 12 30 18 64 19 102 0 20-1 32-6 37-2 2-4 2-8 2",
    lines: "M36 140c150-14 470-18 652-2M184 102c-8 26-8 62 2 88M352 98v96M366 120h250M520 98v60",
    cabin: "M158 98c26-26 52-44 80-53 16-5 34-6 58-6h318c24 0 36 5 42 19 6 14 11 28 14 44-160-8-356-9-512-4z",
    glass: {
      windshield: "M166 95c24-22 46-39 72-48l7 3c-22 12-42 28-60 45z",
      front_side: "M196 94c17-18 36-33 58-41 12-5 26-7 42-7h44l5 47c-52-1-100-1-149 1z",
      rear_side:
        "M357 93l-5-47h144c7 0 11 2 12 7l6 42c-52-1-106-2-157-2zM526 95l-7-45c0-3 2-4 5-4h66c9 0 14 2 17 8 6 12 10 28 12 44-30-1-62-2-93-3z",
      rear_window: "M632 99c-2-16-6-31-13-46 20 3 26 6 30 16 4 10 8 20 10 31z",
    },
    seats:
      "M256 98c2-8 6-12 14-13 6-12 8-23 12-30 5-6 18-5 20 2 2 12-4 30-2 41zM424 98c0-14 2-30 8-37 6-7 20-5 21 4 1 12-4 22-4 33zM560 100c0-14 2-30 8-37 6-7 20-5 21 4 1 12-4 22-4 33zM214 98l13-16M220 78l15 9",
    headlight: "M34 128c18-12 40-18 62-21-4 16-24 27-62 33z",
    taillight: "M680 84c-8-1-14-1-20 1-2 24 4 44 28 48z",
    mirror: "M194 98c-16 1-24-2-24-10s8-10 20-8z",
    handles: ["308 116", "372 132"],
    wheels: [142, 568],
    radius: 45,
    sunroof: "M330 31h96",
    strip: 68,
  },
};
