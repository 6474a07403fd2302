import { z } from "zod";
import { toUnits } from "../domain/money.ts";
import { every } from "../schema/fields.ts";
import {
  ADDONS,
  AUTOMOTIVE_SERVICES,
  COVERAGES,
  ESTIMATE_KINDS,
  FAQ_CATEGORIES,
  FILM_TYPES,
  SITE_TYPES,
  TIERS,
  VEHICLE_TYPES,
} from "../vocabulary.ts";
import { defineCapability } from "./core/capability.ts";
import { flatGlassFilm, money, unitsOf } from "./core/shapes.ts";
import { automotiveFilm } from "./estimate/answer.ts";
import { pricing } from "./shared/samples.ts";

const byFilm = () => every(FILM_TYPES, money());
const byCoverage = () => every(COVERAGES, money());
const byTier = () => every(TIERS, money());

/** Services, films, add-ons and prices of the shop. Source: spec sections 2.8 and 4.1. */
export const listServices = defineCapability({
  id: "list_services",
  title: "Services and prices",
  description:
    "The service catalog: all services with descriptions, standard and ceramic price tiers per vehicle type, film specifications, add-ons, and flat-glass rates.",
  returnsPrice: true,
  useWhen: [
    "The user asks what the shop offers or what things cost in general.",
    "You need the ids and keys of services, films or add-ons.",
  ],
  avoidWhen: [
    "You know the vehicle: automotive_estimate gives the exact price.",
    "You know the glass area of a building: use flat_glass_estimate.",
  ],
  input: z.object({}),
  output: () =>
    z.object({
      currency: z.string(),
      reviewed_on: z.string().meta({ format: "date", description: "When the owner last read through the prices." }),
      services: z.array(
        z.object({
          id: z.int(),
          key: z.string(),
          name: z.string(),
          description: z.string(),
          bookable: z.boolean(),
          estimate: z.enum(ESTIMATE_KINDS),
          faq_category: z.enum(FAQ_CATEGORIES),
          addons: z.array(z.enum(ADDONS)),
        }),
      ),
      automotive: z.object({
        films: z.array(z.object({ key: z.enum(FILM_TYPES), ...automotiveFilm().shape })),
        pricing: z.array(
          z.object({
            vehicle_type: z.enum(VEHICLE_TYPES),
            standard: byCoverage(),
            ceramic: byCoverage(),
            film_removal: byCoverage(),
            clearplex: money(),
          }),
        ),
        addons: z.array(
          z.object({
            code: z.enum(ADDONS),
            name: z.string(),
            price: byFilm(),
            applies_to: z.array(z.enum(AUTOMOTIVE_SERVICES)),
            minutes: z.int(),
            terms: z.string().nullable(),
          }),
        ),
      }),
      flat_glass: z.object({
        rates_per_sqft: every(SITE_TYPES, byTier()),
        ballpark_per_sqft: z.object({ low: money(), high: money() }),
        ladder_per_sqft: money(),
        blocked_window_each: money(),
        curtain_window_each: money(),
        removal_per_sqft: z.object({ low: money(), high: money() }),
        minimum_job_charge: money(),
        films: z.array(z.object({ key: z.string(), ...flatGlassFilm().shape })),
      }),
    }),
  status: 200,
  errors: [],
  catalogOnly: true,
  tool: true,
  sample: () => ({}),
  run(_input, { catalog }) {
    const { automotive, flat_glass: flat, services } = catalog;
    return {
      data: {
        currency: catalog.currency,
        reviewed_on: catalog.reviewed_on,
        services: services.map((service) => ({
          ...service,
          addons: ADDONS.filter((code) => automotive.addons[code].applies_to.some((key) => key === service.key)),
        })),
        automotive: {
          films: FILM_TYPES.map((key) => ({
            key,
            ...automotive.films[key],
            description: automotive.films[key].description ?? null,
          })),
          pricing: VEHICLE_TYPES.map((vehicleType) => {
            const prices = automotive.vehicle_types[vehicleType];
            return {
              vehicle_type: vehicleType,
              standard: unitsOf(prices.standard),
              ceramic: unitsOf(prices.ceramic),
              film_removal: unitsOf(prices.film_removal),
              clearplex: toUnits(prices.clearplex),
            };
          }),
          addons: ADDONS.map((code) => {
            const { name, price, applies_to, minutes, terms } = automotive.addons[code];
            return { code, name, price: unitsOf(price), applies_to, minutes, terms: terms ?? null };
          }),
        },
        flat_glass: {
          rates_per_sqft: {
            commercial: unitsOf(flat.rates_per_sqft.commercial),
            residential: unitsOf(flat.rates_per_sqft.residential),
            security: unitsOf(flat.rates_per_sqft.security),
          },
          ballpark_per_sqft: unitsOf(flat.ballpark_per_sqft),
          ladder_per_sqft: toUnits(flat.ladder.per_sqft),
          blocked_window_each: toUnits(flat.blocked_window_each),
          curtain_window_each: toUnits(flat.curtain_window_each),
          removal_per_sqft: unitsOf(flat.removal_per_sqft),
          minimum_job_charge: toUnits(flat.minimum_job_charge),
          films: Object.entries(flat.films).map(([key, specs]) => ({ key, ...specs })),
        },
      },
      suggestions: pricing(),
    };
  },
});
