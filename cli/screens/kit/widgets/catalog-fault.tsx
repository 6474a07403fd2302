/** Shows the faults of the catalog on screens that need a good one. */
import { Text } from "ink";
import type { ComponentType } from "react";
import type { CatalogError } from "../../../../src/catalog/load/catalog-file.ts";
import type { Catalog } from "../../../../src/catalog/schema.ts";
import { catalogFile } from "../../../../src/env/env.ts";
import { useShop } from "../shell/shop.ts";
import { cutLine, Lines, type Size, wrapLines } from "../text.tsx";
import { Frame } from "./frame.tsx";

/** A screen that needs the catalog; the last good one will do. */
export function withCatalog(Body: ComponentType<{ catalog: Catalog }>, title: string) {
  return function CatalogScreen() {
    const { catalog } = useShop();
    return catalog ? <Body catalog={catalog} /> : <CatalogFaultScreen title={title} />;
  };
}

export function CatalogFaultScreen({ title }: { title: string }) {
  return (
    <Frame title={title} keys={[]}>
      {(size) => <CatalogFault size={size} />}
    </Frame>
  );
}

export function CatalogFault({ size: { columns, rows } }: { size: Size }) {
  const { catalogFault, isCatalogMissing, catalogSource } = useShop();
  const head = wrapLines(
    isCatalogMissing ? howToBegin(catalogSource.file, catalogFault) : howToMend(catalogSource.file),
    columns,
  );
  const faults = isCatalogMissing ? [] : (catalogFault?.faults ?? []).flatMap((fault) => faultLines(fault, columns));
  const room = rows - head.length;
  const shown =
    faults.length > room ? [...faults.slice(0, room - 1), `… ${faults.length - room + 1} lines more`] : faults;
  return (
    <>
      <Lines lines={head} width={columns} />
      {shown.map((line, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of text have no other name
        <Text key={i}>{line || " "}</Text>
      ))}
    </>
  );
}

function howToMend(file: string | null): string[] {
  return [
    file === null
      ? "The catalog in the database has a mistake, or a newer program wrote it. Update this program, or bring in a good file with tint catalog import FILE: this then goes on by itself."
      : "The catalog has a mistake. Fix it in a text editor: this goes on by itself as soon as the file is good.",
    "",
  ];
}

function howToBegin(file: string | null, fault: CatalogError | null): string[] {
  if (file === null) return [fault?.message ?? ""];
  return [
    `There is no catalog yet: the file ${file}, which holds the shop's prices, hours and texts.`,
    "",
    `To make one, leave with q and type: ${file === catalogFile() ? "tint init" : `tint init --catalog ${file}`}`,
    "To use one that stands elsewhere: tint --catalog FILE",
  ];
}

/** Wraps the faults. The quoted line and the caret under it keep their spaces. */
function faultLines(fault: string, columns: number): string[] {
  const [what = "", ...quoted] = fault.split("\n");
  return [...wrapLines([what], columns).map(({ text }) => text), ...quoted.map((line) => cutLine(line, columns)), ""];
}
