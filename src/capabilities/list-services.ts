import { z } from "zod";
import type { FlatGlass } from "../catalog/schema.ts";
import type { Shop } from "../catalog/shop.ts";
import { entryOf, pickInOrder, placeOf, priceAt } from "../catalog/terms.ts";
import { ESTIMATE_KINDS } from "../constants.ts";
import { toUnits } from "../lib/money.ts";
import { linesFor } from "../schema/fields.ts";
import { defineCapability } from "./core/capability.ts";
import { automotiveFilm, filmOf } from "./core/price-shapes.ts";
import { pricing } from "./core/samples.ts";
import {
  currency,
  currencyUnits,
  eachWord,
  flatGlassFilm,
  termFields,
  toFlatGlassFilm,
  unitsOf,
  workPlace,
} from "./core/shapes.ts";

/** Services, films, add-ons and prices of the shop. Source: contract 10. */
export const listServices = defineCapability({
  id: "list_services",
  title: "Services and prices",
  description: (catalog) =>
    `All services, films and add-ons, with prices by vehicle type${catalog.flat_glass ? " and flat-glass rates" : ""}.`,
  inTools: [
    "What the shop offers and charges, with ids and keys.",
    "For a known vehicle {tool:automotive_estimate} gives the exact price.",
    "For the glass of a building use {tool:flat_glass_estimate}.",
  ],
  returnsPrice: true,
  useWhen: ["The user asks what the shop offers or charges."],
  avoidWhen: [
    "You know the vehicle: use {tool:automotive_estimate}.",
    "You know the glass: use {tool:flat_glass_estimate}.",
  ],
  input: () => z.object({}),
  output: (catalog) => {
    const { vehicleType, filmType, addon, service, faqCategory } = termFields(catalog);
    const { films, columns, siteTypes, tiers } = catalog.terms;
    const prices = columns.map(({ key, isFilm, coverages }) => [
      key,
      (coverages.length > 0 ? eachWord(coverages, currencyUnits()) : currencyUnits()).describe(
        isFilm ? "With this film, by coverage." : `Of ${key}${coverages.length > 0 ? ", by coverage" : ""}.`,
      ),
    ]);
    return z
      .object({
        currency: currency(),
        reviewed_on: z.string().meta({ format: "date", description: "When the owner last read through the prices." }),
        services: z
          .array(
            z
              .object({
                id: z.int().describe("Its number."),
                key: z.string().describe("Its word, as requests take it."),
                name: z.string().describe("Its name for customers."),
                description: z.string().describe("What it is."),
                bookable: z.boolean().describe("Whether it can be booked online."),
                place: workPlace(),
                estimate: z.enum(serviceKinds(catalog)).meta({
                  description: "How it is priced.",
                  ...linesFor(Object.fromEntries(serviceKinds(catalog).map((kind) => [kind, KINDS[kind]]))),
                }),
                faq_category: faqCategory.describe("The questions about it."),
                addons: z.array(addon).describe("Extras that go with it."),
              })
              .meta({ title: "ShopService", description: "A service of the shop." }),
          )
          .describe("Every service, priced or not."),
        automotive: z
          .object({
            films: z
              .array(
                z
                  .object({ key: filmType, ...automotiveFilm().shape })
                  .meta({ title: "VehicleFilm", description: "A film for vehicles." }),
              )
              .describe("The films for vehicles."),
            pricing: z
              .array(
                z
                  .object({ vehicle_type: vehicleType, ...Object.fromEntries(prices) })
                  .meta({ title: "VehiclePrices", description: "The prices of one body type." }),
              )
              .describe("A row for each body type."),
            addons: z
              .array(
                z
                  .object({
                    code: addon.describe("Its word, as requests take it."),
                    name: z.string().describe("Its name for customers."),
                    price: eachWord(films, currencyUnits()).describe("By film."),
                    applies_to: z.array(service).describe("Services it can be added to."),
                    minutes: z.int().describe("Extra work."),
                    terms: z.string().nullable().describe("What is promised, or excepted."),
                  })
                  .meta({ title: "AddonEntry", description: "An extra with its price." }),
              )
              .describe("Extras for vehicles."),
          })
          .describe("Work on vehicles."),
        ...(catalog.flat_glass && {
          flat_glass: z
            .object({
              rates_per_sqft: eachWord(siteTypes, eachWord(tiers, currencyUnits()).describe("By option.")).describe(
                "Film with installation, per square foot, by kind of site.",
              ),
              ballpark_per_sqft: priceRange().describe("The first figure that a customer hears, per square foot."),
              ladder_per_sqft: currencyUnits().describe("Ladder work, on all the glass."),
              blocked_window_each: currencyUnits().describe("For each window with furniture in front."),
              curtain_window_each: currencyUnits().describe("For each window with blinds or curtains."),
              removal_per_sqft: priceRange().describe("Removal of old film, per square foot of it."),
              minimum_job_charge: currencyUnits().describe("A smaller job is raised to this."),
              films: z
                .array(
                  z
                    .object({ key: z.string().describe("Its word."), ...flatGlassFilm().shape })
                    .meta({ title: "BuildingFilm", description: "A film for buildings; figures in percent." }),
                )
                .describe("The films for buildings."),
            })
            .meta({ title: "BuildingPrices", description: "Work on buildings." }),
        }),
      })
      .meta({ title: "ServiceCatalog", description: "What the shop offers, with its prices." });
  },
  status: 200,
  errors: [],
  catalogOnly: true,
  sample: () => ({}),
  run(_input, { catalog }) {
    const { flat_glass: flat, services } = catalog;
    return {
      data: {
        currency: catalog.currency,
        reviewed_on: catalog.reviewed_on,
        services: services.map((service) => {
          const { id, key, name, description, bookable, estimate, faq_category } = service;
          const goesWith = (code: string) => entryOf(catalog.automotive.addons, code).applies_to.includes(key);
          const addons = catalog.terms.addons.filter(goesWith);
          return { id, key, name, description, bookable, place: placeOf(service), estimate, faq_category, addons };
        }),
        automotive: vehiclePrices(catalog),
        ...(flat && { flat_glass: flatGlassPrices(flat, catalog) }),
      },
      suggestions: pricing(catalog),
    };
  },
});

const priceRange = () => z.object({ low: currencyUnits().describe("From."), high: currencyUnits().describe("To.") });

const KINDS: Record<(typeof ESTIMATE_KINDS)[number], string> = {
  automotive: "By vehicle: automotive_estimate.",
  flat_glass: "By the square foot of glass: flat_glass_estimate.",
  quote_only: "By the shop alone: quote_request.",
};

function serviceKinds({ services }: Shop) {
  return ESTIMATE_KINDS.filter((kind) => services.some(({ estimate }) => estimate === kind));
}

function vehiclePrices(catalog: Shop) {
  const { automotive } = catalog;
  const { films, columns, vehicleTypes, addons } = catalog.terms;
  return {
    films: films.map((key) => ({ key, ...filmOf(catalog, key) })),
    pricing: vehicleTypes.map((vehicle_type) => {
      const prices = columns.map(({ key, coverages }) => {
        const price = priceAt(catalog, vehicle_type, key);
        return [key, typeof price === "number" ? toUnits(price) : unitsOf(pickInOrder(price, coverages))];
      });
      return { vehicle_type, ...Object.fromEntries(prices) };
    }),
    addons: addons.map((code) => {
      const { name, price, applies_to, minutes, terms } = entryOf(automotive.addons, code);
      return { code, name, price: unitsOf(pickInOrder(price, films)), applies_to, minutes, terms: terms ?? null };
    }),
  };
}

function flatGlassPrices(flat: FlatGlass, catalog: Shop) {
  const { siteTypes, tiers } = catalog.terms;
  const rates = siteTypes.map((site) => [site, unitsOf(pickInOrder(entryOf(flat.rates_per_sqft, site), tiers))]);
  return {
    rates_per_sqft: Object.fromEntries(rates),
    ballpark_per_sqft: unitsOf(flat.ballpark_per_sqft),
    ladder_per_sqft: toUnits(flat.ladder.per_sqft),
    blocked_window_each: toUnits(flat.blocked_window_each),
    curtain_window_each: toUnits(flat.curtain_window_each),
    removal_per_sqft: unitsOf(flat.removal_per_sqft),
    minimum_job_charge: toUnits(flat.minimum_job_charge),
    films: Object.entries(flat.films).map(([key, film]) => ({ key, ...toFlatGlassFilm(film) })),
  };
}
