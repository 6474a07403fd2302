import type { Command } from "commander";
import { CatalogError, loadCatalog } from "../../src/catalog/load.ts";
import { catalogFile } from "../../src/env.ts";

export function configure(command: Command): void {
  command
    .command("check")
    .summary("find every fault of the catalog")
    .description("Reads the catalog and names every fault with its line. Exit status 1 when there is any.")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExamples:\n  tint catalog check\n  tint catalog check --catalog new-prices.yaml")
    .action((options: { catalog?: string; json?: boolean }) => {
      check(catalogFile(options.catalog), options.json ?? false);
    });
}

function check(file: string, json: boolean): void {
  try {
    const { catalog } = loadCatalog(file);
    const summary = {
      services: catalog.services.length,
      flat_glass_films: Object.keys(catalog.flat_glass.films).length,
      faqs: catalog.faq.length,
      jurisdictions: Object.keys(catalog.tint_law.jurisdictions).length,
    };
    const text = `${file} is good: ${Object.entries(summary)
      .map(([what, count]) => `${count} ${what.replaceAll("_", " ")}`)
      .join(", ")}.`;
    process.stdout.write(`${json ? JSON.stringify({ valid: true, file, ...summary }) : text}\n`);
  } catch (error) {
    if (json && error instanceof CatalogError)
      process.stdout.write(`${JSON.stringify({ valid: false, file, faults: error.faults })}\n`);
    throw error;
  }
}
