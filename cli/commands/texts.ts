/** `tint texts`: what US carriers ask of a shop before they deliver its texts. */
import { loadCatalog } from "../../src/catalog/load/load.ts";
import { registration, registrationText } from "../setup/registration.ts";
import { catalogSource } from "../shop/catalog.ts";
import type { CommonOptions } from "../shop/database.ts";
import type { Command } from "../terminal/command.ts";
import { cleanLines, jsonLine, print } from "../terminal/output.ts";

export function configure(command: Command): void {
  command.description("Texts to customers and to you.").examples("tint texts register");
  command
    .command("register")
    .summary("the answers that US carriers ask for, to paste")
    .description(
      "Prints what US carriers ask for before they deliver texts: brand, campaign, how customers agree, sample messages. It is made from the catalog, to paste into Twilio's console. The registration takes days; nothing is sent by this command.",
    )
    .option("--json", "print JSON")
    .examples("tint texts register")
    .action(register);
}

async function register(options: CommonOptions): Promise<void> {
  const { catalog } = loadCatalog(catalogSource(options));
  const papers = registration(catalog, Date.now());
  await print(options.json ? jsonLine(papers) : cleanLines(registrationText(papers)));
}
