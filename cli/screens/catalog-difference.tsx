/** What a save would do: the changed places, the changes somebody else made under them, and sample prices, old → new. */
import { Text } from "ink";
import { useState } from "react";
import { priceChangeInWords, reprice } from "../reprice.ts";
import { useKeys } from "./kit/keys.tsx";
import { Table } from "./kit/list.tsx";
import type { Size } from "./kit/terminal.tsx";
import { inWords, shown } from "./state/change.ts";
import { type Draft, latest, summary } from "./state/draft.ts";

export function Difference({ draft, size: { columns, rows } }: { draft: Draft; size: Size }) {
  const lines = differenceLines(draft);
  const [at, setAt] = useState(0);
  const scroll = (by: number) => () => setAt((old) => Math.max(0, Math.min(lines.length - 1, old + by)));
  useKeys([
    { on: ["up"], label: "↑↓", does: "scroll", run: scroll(-1) },
    { on: ["down"], label: "↓", does: null, run: scroll(1) },
  ]);
  const width = Math.min(22, Math.floor((columns - 10) / 4));
  if (lines.length === 0) return <Text dimColor>Nothing is changed.</Text>;
  return (
    <Table
      columns={[{ head: "" }, { head: "old", width, align: "right" }, { head: "", width: 1 }, { head: "new", width }]}
      rows={lines.map(({ cells, dim }, i) => ({ key: `${i} ${cells[0]}`, cells, dim }))}
      selected={lines.length > rows - 1 ? at : -1}
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
    const path = change.kind === "value" ? change.path : [];
    return [row(`${what}: yours`, old, now), row(`${what}: theirs`, old, shown(path, theirs))];
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
