/** `tint estimate`: a quick quote. The flags come from the input of the capability that prices it. */
import "../estimates/jitless.ts";
import type { z } from "zod";
import type { Capability } from "../../src/capabilities/core/capability.ts";
import { type Envelope, invoke } from "../../src/capabilities/core/invoke.ts";
import { loadCatalog } from "../../src/catalog/load/load.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import { ApiError } from "../../src/errors.ts";
import { catalogForHelp } from "../catalog/terms.ts";
import { inFlags } from "../estimates/cli-errors.ts";
import { deskContext } from "../estimates/desk.ts";
import {
  addFlags,
  carOption,
  carWords,
  commonOf,
  type GivenFlags,
  inputFrom,
  textFlag,
  withVehicle,
} from "../estimates/flags.ts";
import { automotiveQuote, flatGlassQuote } from "../estimates/quote-text.ts";
import { catalogSource } from "../shop/catalog.ts";
import { firstWord } from "../terminal/arguments.ts";
import type { Command } from "../terminal/command.ts";
import { CliError, jsonLine, print } from "../terminal/output.ts";

/** Only one capability is loaded: defining the shapes takes a good part of a quote's time. */
const automotive = () => import("../../src/capabilities/automotive-estimate.ts");
const flatGlass = () => import("../../src/capabilities/flat-glass-estimate.ts");

export async function configure(command: Command, args: readonly string[]): Promise<void> {
  const shop = await catalogForHelp(args);
  const { vehicleTypes, coverages, addons, siteTypes, example } = shop.terms;
  command
    .description(
      `A quick quote. For a vehicle: ${shop.phrases.allFilms} side by side, with the tint law.${shop.flat_glass ? " For flat glass: Good, Better, Best." : ""}`,
    )
    .completes("--shade", "shades")
    .completes("--jurisdiction", "states")
    .usage("[options]")
    .addArgument(carWords())
    .addOption(carOption(vehicleTypes))
    .option("--json", "print the same object as POST /estimates")
    .examples(
      `tint estimate --vehicle ${example.vehicle_type} --film ${example.film_type} --shade 35`,
      'tint estimate --vehicle "21 highlander"',
      `tint estimate --vehicle ${vehicleTypes[0]} --coverage ${coverages.at(-1)}${addons.length > 0 ? ` --addon ${addons.slice(0, 2).join(" ")}` : ""}`,
      `tint estimate --vehicle ${example.vehicle_type} --shade front-side=35,rear-side=5 --jurisdiction CA`,
      ...siteTypes.slice(0, 1).map((site) => `tint estimate flat --sqft 350.5 --site ${site} --floors 2`),
    )
    .action(async (vehicle: string, options: GivenFlags) => {
      const isBare = vehicle === "" && Object.keys(options).every((name) => COMMON.includes(name));
      const screens = isBare ? await import("../screens/open.ts") : undefined;
      if (screens?.isInteractive()) {
        process.exitCode = await screens.openScreen("estimate", commonOf(options));
        return;
      }
      const { automotiveEstimate } = await automotive();
      const given = withVehicle(vehicle, options, shop);
      await quote(automotiveEstimate, given, options, automotiveQuote);
    });
  const isFlat = firstWord(args) === "flat";
  if (!isFlat) addFlags(command, (await automotive()).automotiveEstimate.input(shop), ["vehicle_type", "view"]);

  const flat = command
    .command("flat", { hidden: siteTypes.length === 0 })
    .description("Good, Better and Best for the windows of a building.")
    .option("--json", "print the same object as POST /flat-glass/estimate")
    .examples(
      `tint estimate flat --sqft 350.5 --site ${siteTypes[0]} --floors 2 --curtain 3`,
      `tint estimate flat --window 36x60x8 --window 24x48 --site ${siteTypes.at(-1)} --needs-ladder`,
    )
    .action(async (options: GivenFlags, self: Command) => {
      if (siteTypes.length === 0) throw new CliError("The catalog has no prices for work on buildings.");
      const { flatGlassEstimate } = await flatGlass();
      await quote(flatGlassEstimate, self.opts<GivenFlags>(), options, flatGlassQuote);
    });
  if (isFlat) addFlags(flat, (await flatGlass()).flatGlassEstimate.input(shop), ["view"]);
}

/** Options that are not about the job. `tint estimate` with no others opens the form. */
const COMMON = ["catalog", "data"];

async function quote<Output extends z.ZodType>(
  capability: Capability<z.ZodObject, Output>,
  given: GivenFlags,
  { json, catalog: file }: GivenFlags,
  inWords: (envelope: Envelope<z.output<Output>>, catalog: Shop) => string,
): Promise<void> {
  const { catalog } = loadCatalog(catalogSource({ catalog: textFlag(file) }));
  const input = inputFrom(given, capability.input(catalog), catalog);
  try {
    const { body } = await invoke(capability, input, deskContext(catalog, Temporal.Now.instant()));
    await print(json ? jsonLine(body) : inWords(body, catalog));
  } catch (error) {
    throw error instanceof ApiError ? inFlags(error, capability, given, catalog) : error;
  }
}
