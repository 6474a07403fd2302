import { z } from "zod";
import type { Shop } from "../catalog/shop.ts";
import { placeOf } from "../catalog/terms.ts";
import { WEEKDAYS } from "../constants.ts";
import { every } from "../schema/fields.ts";
import { defineCapability } from "./core/capability.ts";
import { pricing } from "./core/samples.ts";
import { address, calendarDate, clockTime, serviceRef, toAddress, workPlace } from "./core/shapes.ts";

const openings = () =>
  z
    .array(z.object({ opens: clockTime(), closes: clockTime() }).meta({ title: "OpeningHours" }))
    .meta({ description: "Empty when closed." });

const locationAnswer = () =>
  z
    .object({
      name: z.string().describe("The shop's name."),
      phone: z.string().describe("The number to call."),
      email: z.string().describe("The address to write to."),
      address: address(),
      coordinates: z
        .object({ latitude: z.number().describe("Degrees north."), longitude: z.number().describe("Degrees east.") })
        .meta({ title: "Coordinates", description: "Place on the map." }),
      timezone: z.string().meta({ description: "IANA name; every date and time of the API follows this clock." }),
      hours: every(WEEKDAYS, openings()).describe("Of each weekday."),
      special_hours: z
        .array(
          z
            .object({
              date: calendarDate(),
              closed: z.boolean().describe("Whether it is closed all day."),
              hours: openings(),
              reason: z.string().nullable().describe("Why, for customers."),
            })
            .meta({ title: "SpecialDay", description: "A day with other hours." }),
        )
        .meta({ description: "Days that differ from the weekly hours." }),
      service_area: z
        .object({
          label: z.string().describe("Its name."),
          counties: z.array(z.string()).describe("Counties in it."),
          postal_prefixes: z.array(z.string()).describe("First digits of the postal codes in it; empty: anywhere."),
        })
        .meta({ title: "ServiceArea", description: "Where the shop works." }),
      services: z
        .array(
          serviceRef()
            .extend({ place: workPlace() })
            .meta({ title: "ServicePlace", description: "Where a service is done." }),
        )
        .meta({ description: "Where each service is done. The service area matters for work at the customer's." }),
      credentials: z
        .array(
          z
            .object({
              name: z.string().describe("What it is."),
              issuer: z.string().nullable().describe("Who gave it."),
              verified: z.boolean().describe("Whether somebody else can confirm it."),
            })
            .meta({ title: "Credential", description: "A training or license." }),
        )
        .describe("Training and licenses."),
      price_range: z.string().nullable().describe("From $ to $$$$."),
      links: z.record(z.string(), z.string()).describe("Pages about the shop, by name."),
    })
    .meta({ title: "BusinessLocation", description: "Where and when the shop can be reached." });

/** Address, hours and contact of the shop. Source: contract 10. */
export const businessLocation = defineCapability({
  id: "business_location",
  title: "Location and hours",
  description: "Address, phone, hours, coordinates, service area, credentials, links.",
  inTools: ["Where the shop is, when it is open, and which area it serves."],
  returnsPrice: false,
  useWhen: ["The user asks where the shop is, when it is open, or whether it serves their area."],
  avoidWhen: ["You want open appointment times: use {tool:check_availability}."],
  input: () => z.object({}),
  output: locationAnswer,
  status: 200,
  errors: [],
  catalogOnly: true,
  sample: () => ({}),
  run(_input, { catalog }) {
    const { business, services, site } = catalog;
    const { geo, service_area: area } = business;
    return {
      data: {
        name: business.name,
        phone: business.phone,
        email: business.email,
        address: toAddress(business.address),
        coordinates: { latitude: geo.latitude, longitude: geo.longitude },
        timezone: business.timezone,
        hours: toWeek(business.hours),
        special_hours: business.special_hours.map(({ date, closed, hours, reason = null }) => ({
          date,
          closed,
          hours: hours.map(toOpening),
          reason,
        })),
        service_area: { label: area.label, counties: area.counties, postal_prefixes: area.postal_prefixes },
        services: services.map((service) => ({
          id: service.id,
          key: service.key,
          name: service.name,
          place: placeOf(service),
        })),
        credentials: business.credentials.map(({ name, issuer = null, verified }) => ({ name, issuer, verified })),
        price_range: business.price_range ?? null,
        links: { website: business.url, api: site.base_url, ...business.links },
      },
      suggestions: [
        {
          action: "check_availability",
          description: "See the appointment times that are really open.",
          input: { days: 7 },
        },
        ...pricing(catalog),
      ],
    };
  },
});

type Opening = Shop["business"]["special_hours"][number]["hours"][number];

function toOpening({ opens, closes }: Opening) {
  return { opens, closes };
}

function toWeek(hours: Shop["business"]["hours"]) {
  return Object.fromEntries(WEEKDAYS.map((day) => [day, hours[day].map(toOpening)])) as Record<
    (typeof WEEKDAYS)[number],
    Opening[]
  >;
}
