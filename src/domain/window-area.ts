/** Glass by the window: areas from widths and heights, exact and without floats. Pure. Source: contract 14. */
import type { FlatGlass } from "../catalog/schema.ts";

/** Windows of one size. Inches; any number of decimals. */
export interface WindowRow {
  width_in: number;
  height_in: number;
  quantity: number;
  label?: string;
  /** Furniture stands in front of these windows. */
  blocked?: boolean;
  /** These windows have blinds or curtains. */
  curtain?: boolean;
}

type Rounding = FlatGlass["round_up"];

export interface Glazing {
  rows: { label: string; quantity: number; sqft: number }[];
  sqft: number;
  /** Edges of all panes, for attaching film to frames. */
  perimeterFt: number;
  blocked: number;
  curtain: number;
}

const SQUARE_INCHES = 144n;
const INCHES = 12n;

/** Each row's area is rounded half up to a hundredth of a square foot; the total is the sum of the rows. */
export function measure(rows: readonly WindowRow[], rounding: Rounding): Glazing {
  const areas = rows.map((row) => rowArea(row, rounding));
  const edges = rows.map(({ width_in: width, height_in: height, quantity }) =>
    multiply(plus(toDecimal(width), toDecimal(height)), BigInt(2 * quantity)),
  );
  const countOf = (kind: "blocked" | "curtain") =>
    rows.filter((row) => row[kind]).reduce((sum, { quantity }) => sum + quantity, 0);
  return {
    rows: rows.map(({ label, quantity, width_in: width, height_in: height }, i) => ({
      label: label ?? `${width} x ${height} in`,
      quantity,
      sqft: Number(areas[i]) / 100,
    })),
    sqft: Number(areas.reduce((sum, area) => sum + area, 0n)) / 100,
    perimeterFt: Number(hundredths(edges.reduce(plus, toDecimal(0)), INCHES)) / 100,
    blocked: countOf("blocked"),
    curtain: countOf("curtain"),
  };
}

/** In hundredths of a square foot. */
function rowArea({ width_in: width, height_in: height, quantity }: WindowRow, rounding: Rounding): bigint {
  const pane = product(toDecimal(width), toDecimal(height));
  if (rounding === "none") return hundredths(multiply(pane, BigInt(quantity)), SQUARE_INCHES);
  const divisor = pane.scale * SQUARE_INCHES;
  return ((pane.digits + divisor - 1n) / divisor) * BigInt(quantity) * 100n;
}

/** A decimal number: digits ÷ scale. */
interface Decimal {
  digits: bigint;
  scale: bigint;
}

/** The number as it is written, like 36.5 = 365 ÷ 10. @throws Error for one that is written with an exponent */
function toDecimal(number: number): Decimal {
  const [whole = "", decimals = ""] = String(number).split(".");
  return { digits: BigInt(whole + decimals), scale: 10n ** BigInt(decimals.length) };
}

function plus(a: Decimal, b: Decimal): Decimal {
  return { digits: a.digits * b.scale + b.digits * a.scale, scale: a.scale * b.scale };
}

function product(a: Decimal, b: Decimal): Decimal {
  return { digits: a.digits * b.digits, scale: a.scale * b.scale };
}

function multiply({ digits, scale }: Decimal, count: bigint): Decimal {
  return { digits: digits * count, scale };
}

/** A hundred times the number ÷ divisor, rounded half up. */
function hundredths({ digits, scale }: Decimal, divisor: bigint): bigint {
  const whole = scale * divisor;
  return (200n * digits + whole) / (2n * whole);
}
