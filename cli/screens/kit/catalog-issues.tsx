/** Shows the issues of the catalog on screens that need a good one. */
import type { CatalogError } from "../../../src/catalog/load/document.ts";
import { catalogFile } from "../../../src/env/env.ts";
import { Frame } from "./frame.tsx";
import { useShop } from "./shop.ts";
import { type Line, Lines, type Size, wrapLines } from "./text.tsx";

export function CatalogIssueScreen({ title }: { title: string }) {
  return (
    <Frame title={title} keys={[]}>
      {(size) => <CatalogIssue size={size} />}
    </Frame>
  );
}

export function CatalogIssue({ size: { columns, rows } }: { size: Size }) {
  const { catalogIssue, isCatalogMissing, catalogSource } = useShop();
  const head = wrapLines(
    isCatalogMissing ? howToBegin(catalogSource.file, catalogIssue) : howToRepair(catalogSource.file),
    columns,
  );
  const issues = isCatalogMissing ? [] : (catalogIssue?.issues ?? []).flatMap((issue) => wrapIssue(issue, columns));
  const room = rows - head.length;
  const shown =
    issues.length > room ? [...issues.slice(0, room - 1), `… ${issues.length - room + 1} lines more`] : issues;
  return <Lines lines={[...head, ...shown]} width={columns} />;
}

function howToRepair(file: string | null): string[] {
  return [
    file === null
      ? "The catalog in the database has a mistake, or a newer program wrote it. Update this program, or bring in a good file with tint catalog import FILE: this then goes on by itself."
      : "The catalog has a mistake. Fix it in a text editor: this goes on by itself as soon as the file is good.",
    "",
  ];
}

function howToBegin(file: string | null, issue: CatalogError | null): string[] {
  if (file === null || issue?.message.includes("tint catalog undo")) return [issue?.message ?? ""];
  return [
    `There is no catalog yet: the file ${file}, which holds the shop's prices, hours and texts.`,
    "",
    `To make one, leave with q and type: ${file === catalogFile() ? "tint init" : `tint init --catalog ${file}`}`,
    "To use one that is elsewhere: tint --catalog FILE",
  ];
}

function wrapIssue(issue: string, columns: number): (Line | string)[] {
  const [what = "", ...quoted] = issue.split("\n");
  return [...wrapLines([what], columns), ...quoted.map((text) => ({ text, isQuoted: true as const })), ""];
}
