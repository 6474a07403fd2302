/** The effect of a save: the changed places, what of them another editor wrote, and sample prices, each old → new. */
import { Box, Text } from "ink";
import { isListPrice } from "../../../src/catalog/edit/everyday.ts";
import { priceChangeInWords, reprice } from "../../catalog/reprice.ts";
import { editWarnings } from "../../catalog/warnings.ts";
import { useKeys } from "../kit/bindings.tsx";
import { useScroll } from "../kit/list.tsx";
import { fit, type Line, Lines, type Size, wrapLines } from "../kit/text.tsx";
import { type Change, describeChange, replacedInWords } from "./change.ts";
import { changesToSave, type Draft, latest } from "./draft.ts";

export function Difference({ draft, size: { columns, rows } }: { draft: Draft; size: Size }) {
  const lines = differenceLines(draft, columns);
  const scroll = useScroll(lines.length - rows);
  useKeys(scroll.keys);
  if (lines.length === 0) return <Text dimColor>Nothing is changed.</Text>;
  return (
    <Box flexDirection="column" height={rows} overflow="hidden">
      <Lines lines={lines.slice(scroll.top, scroll.top + rows)} width={columns} />
    </Box>
  );
}

function differenceLines(draft: Draft, columns: number): Line[] {
  const row = rowIn(columns);
  const changes = changesToSave(draft).flatMap((change) => {
    const { what, old, now } = describeChange(change);
    return change.kind === "faq" ? questionLines(change, columns) : [row(what, old, now)];
  });
  const { catalog } = latest(draft);
  const warnings = changesToSave(draft).flatMap((change) => [
    ...(change.isLater ? [`This replaces ${replacedInWords(change)}.`] : []),
    ...(change.kind === "value"
      ? editWarnings(change.path, change.was, change.now, catalog).map((warning) => `${change.what}: ${warning}`)
      : []),
  ]);
  // Prices of the list are the samples themselves: each stands there once.
  const isPriceList = changesToSave(draft).every((change) => change.kind === "value" && isListPrice(change.path));
  const samples = (isPriceList ? [] : reprice(draft.base.catalog, catalog)).map((change): Line => {
    const { sample, old, now } = priceChangeInWords(change, catalog);
    return { ...row(sample, old, now), look: "dim" };
  });
  return [
    ...(changes.length > 0 ? [{ ...row("", "old", "new"), look: "dim" as const }] : []),
    ...changes,
    ...wrapLines(
      warnings.map((text) => ({ text, look: "warning" as const })),
      columns,
    ),
    ...(samples.length > 0 ? [{ text: "" }, { text: "Sample prices" }, ...samples] : []),
  ];
}

/** Makes a line with a name, the old value and the new one, in columns. */
function rowIn(columns: number) {
  const width = Math.min(22, Math.floor((columns - 10) / 3.5));
  return (what: string, old: string, now: string): Line => {
    const arrow = now === "" || now === "new" ? " " : "→";
    const values = `${fit(old, width, "right")}  ${arrow}  ${fit(now, width)}`;
    // The spaces between the columns stay in a name.
    return { name: `  ${fit(what, columns - Bun.stringWidth(values) - 4)}  ${values}`, text: "" };
  };
}

/** Question, answer and category as they were and as they will be, in full. */
function questionLines({ what, was, now }: Change & { kind: "faq" }, columns: number): Line[] {
  const fields = (["question", "answer", "category"] as const).filter((field) => was?.[field] !== now?.[field]);
  const about = was && now && was.question === now.question ? [{ text: was.question }] : [];
  const changed = fields.flatMap((field): Line[] => [
    ...(was ? [{ text: `- ${was[field]}`, look: "error" as const }] : []),
    ...(now ? [{ text: `+ ${now[field]}`, look: "good" as const }] : []),
  ]);
  return wrapLines([{ text: what, look: "bold" }, ...about, ...changed], columns);
}
