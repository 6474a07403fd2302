/** The effect of a save: the changed places, clashes with another editor, and sample prices, each old → new. */
import { Text } from "ink";
import { priceChangeInWords, reprice } from "../../catalog/reprice.ts";
import { useKeys } from "../kit/input/bindings.ts";
import type { Size } from "../kit/text/terminal.tsx";
import { Table, useSelection } from "../kit/widgets/list.tsx";
import { inWords, shownFor } from "./change.ts";
import { type Draft, latest, summary } from "./draft.ts";

export function Difference({ draft, size: { columns, rows } }: { draft: Draft; size: Size }) {
  const lines = differenceLines(draft);
  const { index, keys } = useSelection(lines.length);
  useKeys(keys);
  const width = Math.min(22, Math.floor((columns - 10) / 3.5));
  if (lines.length === 0) return <Text dimColor>Nothing is changed.</Text>;
  return (
    <Table
      columns={[{ head: "" }, { head: "old", width, align: "right" }, { head: "", width: 1 }, { head: "new", width }]}
      rows={lines.map(({ cells, dim }, i) => ({ key: `${i} ${cells[0]}`, cells, dim }))}
      selected={lines.length > rows - 1 ? index : -1}
      width={columns}
      height={rows}
      empty=""
    />
  );
}

function differenceLines(draft: Draft): { cells: string[]; dim: boolean }[] {
  const row = (what: string, old = "", now = "", dim = false) => ({ cells: [what, old, now && "→", now], dim });
  const changes = summary(draft).map((change) => {
    const { what, old, now } = inWords(change);
    return row(what, old, now);
  });
  const clashes = draft.clashes.flatMap(({ change, theirs }) => {
    const { what, old, now } = inWords(change);
    return [row(`${what}: yours`, old, now), row(`${what}: theirs`, old, shownFor(change, theirs))];
  });
  const { catalog } = latest(draft);
  const samples = reprice(draft.base.catalog, catalog).map((change) => {
    const { sample, old, now } = priceChangeInWords(change, catalog);
    return row(sample, old, now, true);
  });
  return [
    ...changes,
    ...(clashes.length > 0 ? [row("Changed by somebody else meanwhile"), ...clashes] : []),
    ...(samples.length > 0 ? [row(""), row("Sample prices"), ...samples] : []),
  ];
}
