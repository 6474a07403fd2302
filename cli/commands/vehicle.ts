/** `tint vehicle`: the vehicle types that the shop prices. */
import { addVehicleType } from "../../src/catalog/edit/own-words.ts";
import { loadCatalog } from "../../src/catalog/load/load.ts";
import { entryOf, words } from "../../src/catalog/words.ts";
import type { EditOptions } from "../catalog/edits.ts";
import {
  addNewWordOptions,
  addOwnWord,
  addRemovalOptions,
  type NewWordOptions,
  newWord,
  removeOwnWord,
  type WordOptions,
} from "../catalog/own-words.ts";
import { coverageLabel, wordsForHelp } from "../catalog/words.ts";
import { catalogSource } from "../shop/catalog.ts";
import type { Command } from "../terminal/command.ts";
import { jsonLine, print, table } from "../terminal/output.ts";
import { choiceOption, oneOfWords, wordArgument } from "../typed/words.ts";

interface AddOptions extends NewWordOptions {
  like: string;
}

export async function configure(command: Command, args: readonly string[]): Promise<void> {
  const { vehicleTypes } = await wordsForHelp(args);
  const last = vehicleTypes.at(-1);
  const add = `tint vehicle add minivan --like ${last}`;
  const remove = `tint vehicle remove ${last}`;
  command.examples("tint vehicle", add, remove);
  command
    .list()
    .summary("the vehicle types")
    .description("The vehicle types, with the class that the tint law puts them in and the minutes of a tint job.")
    .option("--json", "print JSON")
    .examples("tint vehicle list", "tint vehicle list --json")
    .action(list);

  addNewWordOptions(command.command("add"))
    .summary("price another vehicle type")
    .description(
      "Adds a vehicle type with every price and length of another one, in the same class of the tint law. Change its prices afterwards with tint price set.",
    )
    .argument("<vehicle>", "the new word, like minivan")
    .addOption(
      choiceOption("--like <vehicle>", "the vehicle type whose prices are copied", vehicleTypes).makeOptionMandatory(),
    )
    .examples(add, `${add} --dry-run`)
    .action(addOne);

  addRemovalOptions(command.command("remove"))
    .summary("no longer price a vehicle type")
    .description("Removes a vehicle type with its prices. Bookings already made keep theirs.")
    .addArgument(wordArgument("<vehicle>", vehicleTypes))
    .examples(remove, `${remove} --dry-run`)
    .action(removeOne);
}

async function list({ catalog: file, json }: EditOptions): Promise<void> {
  const { catalog } = loadCatalog(catalogSource({ catalog: file }));
  const { vehicleTypes, coverages } = words(catalog);
  const minutesOf = (vehicle: string, coverage: string) => {
    const minutes = entryOf(catalog.scheduling.job_minutes, coverage);
    return typeof minutes === "number" ? minutes : entryOf(minutes, vehicle);
  };
  const rows = vehicleTypes.map((vehicle) => ({
    vehicle_type: vehicle,
    class: entryOf(catalog.tint_law.vehicle_class, vehicle),
    confirm_class: catalog.tint_law.confirm_class.includes(vehicle),
    minutes: Object.fromEntries(coverages.map((coverage) => [coverage, minutesOf(vehicle, coverage)])),
  }));
  const text = table(
    ["vehicle", "class", ...coverages.map((coverage) => `minutes, ${coverageLabel(coverage, catalog)}`)],
    rows.map((row) => [
      row.vehicle_type,
      row.confirm_class ? `${row.class}, to be checked` : row.class,
      ...coverages.map((coverage) => String(minutesOf(row.vehicle_type, coverage))),
    ]),
  );
  await print(json ? jsonLine(rows) : text);
}

async function addOne(typed: string, { like, ...options }: AddOptions): Promise<void> {
  const vehicle = newWord(typed);
  await addOwnWord(options, "vehicle", vehicle, (text) => addVehicleType(text, vehicle, like));
}

async function removeOne(typed: string, options: WordOptions): Promise<void> {
  const { vehicleTypes } = words(loadCatalog(catalogSource(options)).catalog);
  await removeOwnWord(options, "vehicle", oneOfWords("a vehicle type", typed, vehicleTypes));
}
