import { z } from "zod";
import type { Catalog, FlatGlass } from "../catalog/schema.ts";
import { entryOf, inOrder, placeOf, priceAt, words } from "../catalog/terms.ts";
import { ESTIMATE_KINDS } from "../constants.ts";
import { toUnits } from "../domain/money.ts";
import { listAll } from "../schema/explain.ts";
import { defineCapability } from "./core/capability.ts";
import { flatGlassFilm, money, place, unitsOf } from "./core/shapes.ts";
import { eachWord, wordFields } from "./core/word-fields.ts";
import { automotiveFilm, toFilm } from "./estimate/answer.ts";
import { pricing } from "./shared/samples.ts";

/** Services, films, add-ons and prices of the shop. Source: contract 10. */
export const listServices = defineCapability({
  id: "list_services",
  title: "Services and prices",
  description: (catalog) =>
    `All services with descriptions, ${listAll(words(catalog).films)} prices per vehicle type, film data${catalog.flat_glass ? ", add-ons and flat-glass rates" : " and add-ons"}.`,
  returnsPrice: true,
  useWhen: ["The user asks what the shop offers or charges.", "You need ids and keys of services, films or add-ons."],
  avoidWhen: [
    "You know the vehicle: automotive_estimate gives the exact price.",
    "You know the glass of a building: use flat_glass_estimate.",
  ],
  input: () => z.object({}),
  output: (catalog) => {
    const { vehicleType, filmType, addon, service, faqCategory } = wordFields(catalog);
    const { films, columns, siteTypes, tiers } = words(catalog);
    const prices = columns.map(({ key, coverages }) => [
      key,
      coverages.length > 0 ? eachWord(coverages, money()) : money(),
    ]);
    return z
      .object({
        currency: z.string(),
        reviewed_on: z.string().meta({ format: "date", description: "When the owner last read through the prices." }),
        services: z.array(
          z
            .object({
              id: z.int(),
              key: z.string(),
              name: z.string(),
              description: z.string(),
              bookable: z.boolean(),
              place: place(),
              estimate: z.enum(
                ESTIMATE_KINDS.filter((kind) => catalog.services.some(({ estimate }) => estimate === kind)),
              ),
              faq_category: faqCategory,
              addons: z.array(addon),
            })
            .meta({ title: "ShopService" }),
        ),
        automotive: z.object({
          films: z.array(z.object({ key: filmType, ...automotiveFilm().shape }).meta({ title: "VehicleFilm" })),
          pricing: z.array(
            z.object({ vehicle_type: vehicleType, ...Object.fromEntries(prices) }).meta({ title: "VehiclePrices" }),
          ),
          addons: z.array(
            z
              .object({
                code: addon,
                name: z.string(),
                price: eachWord(films, money()),
                applies_to: z.array(service),
                minutes: z.int(),
                terms: z.string().nullable(),
              })
              .meta({ title: "AddonEntry" }),
          ),
        }),
        ...(catalog.flat_glass && {
          flat_glass: z
            .object({
              rates_per_sqft: eachWord(siteTypes, eachWord(tiers, money())),
              ballpark_per_sqft: z.object({ low: money(), high: money() }),
              ladder_per_sqft: money(),
              blocked_window_each: money(),
              curtain_window_each: money(),
              removal_per_sqft: z.object({ low: money(), high: money() }),
              minimum_job_charge: money(),
              films: z.array(z.object({ key: z.string(), ...flatGlassFilm().shape }).meta({ title: "BuildingFilm" })),
            })
            .meta({ title: "BuildingPrices" }),
        }),
      })
      .meta({ title: "ServiceCatalog" });
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
          const addons = addonsOf(key, catalog);
          return { id, key, name, description, bookable, place: placeOf(service), estimate, faq_category, addons };
        }),
        automotive: vehiclePrices(catalog),
        ...(flat && { flat_glass: flatGlassPrices(flat, catalog) }),
      },
      suggestions: pricing(catalog),
    };
  },
});

/** The add-ons that go with a service. */
function addonsOf(service: string, catalog: Catalog): string[] {
  return words(catalog).addons.filter((code) => entryOf(catalog.automotive.addons, code).applies_to.includes(service));
}

function vehiclePrices(catalog: Catalog) {
  const { automotive } = catalog;
  const { films, columns, vehicleTypes, addons } = words(catalog);
  return {
    films: films.map((key) => ({ key, ...toFilm(entryOf(automotive.films, key)) })),
    pricing: vehicleTypes.map((vehicle_type) => {
      const prices = columns.map(({ key, coverages }) => {
        const price = priceAt(catalog, vehicle_type, key);
        return [key, typeof price === "number" ? toUnits(price) : unitsOf(inOrder(price, coverages))];
      });
      return { vehicle_type, ...Object.fromEntries(prices) };
    }),
    addons: addons.map((code) => {
      const { name, price, applies_to, minutes, terms } = entryOf(automotive.addons, code);
      return { code, name, price: unitsOf(inOrder(price, films)), applies_to, minutes, terms: terms ?? null };
    }),
  };
}

function flatGlassPrices(flat: FlatGlass, catalog: Catalog) {
  const { siteTypes, tiers } = words(catalog);
  const rates = siteTypes.map((site) => [site, unitsOf(inOrder(entryOf(flat.rates_per_sqft, site), tiers))]);
  return {
    rates_per_sqft: Object.fromEntries(rates),
    ballpark_per_sqft: unitsOf(flat.ballpark_per_sqft),
    ladder_per_sqft: toUnits(flat.ladder.per_sqft),
    blocked_window_each: toUnits(flat.blocked_window_each),
    curtain_window_each: toUnits(flat.curtain_window_each),
    removal_per_sqft: unitsOf(flat.removal_per_sqft),
    minimum_job_charge: toUnits(flat.minimum_job_charge),
    films: Object.entries(flat.films).map(([key, specs]) => ({ key, ...specs })),
  };
}
