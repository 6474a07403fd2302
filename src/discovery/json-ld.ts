/** The shop in the words of schema.org, for search engines. */
import type { Shop } from "../catalog/shop.ts";
import { WEEKDAYS } from "../constants.ts";
import { toUnits } from "../lib/money.ts";
import { capitalized } from "../lib/text.ts";
import { pricesOf } from "./prices.ts";

export function jsonLd(catalog: Shop): string {
  const { business, currency, pages } = catalog;
  const { address, geo, service_area: area } = business;
  const data = {
    "@context": "https://schema.org",
    "@type": business.schema_type,
    name: business.name,
    url: catalog.site.url,
    telephone: business.phone,
    email: business.email,
    ...(business.price_range && { priceRange: business.price_range }),
    currenciesAccepted: currency,
    ...(business.google_category && { keywords: business.google_category }),
    address: {
      "@type": "PostalAddress",
      streetAddress: address.street,
      addressLocality: address.locality,
      addressRegion: address.region,
      postalCode: address.postal_code,
      addressCountry: address.country,
    },
    geo: { "@type": "GeoCoordinates", ...geo },
    areaServed: [area.label, ...area.counties.map((county) => `${county} County, ${address.region}`)].map((name) => ({
      "@type": "AdministrativeArea",
      name,
    })),
    openingHoursSpecification: WEEKDAYS.flatMap((day) =>
      business.hours[day].map((hours) => ({
        "@type": "OpeningHoursSpecification",
        dayOfWeek: `https://schema.org/${capitalized(day)}`,
        ...hours,
      })),
    ),
    specialOpeningHoursSpecification: business.special_hours.flatMap(({ date, closed, hours }) =>
      // schema.org marks a closed day by opening and closing at midnight.
      (closed ? [{ opens: "00:00", closes: "00:00" }] : hours).map((open) => ({
        "@type": "OpeningHoursSpecification",
        validFrom: date,
        validThrough: date,
        ...open,
      })),
    ),
    makesOffer: offerList(catalog),
    ...(pages.book && { potentialAction: { "@type": "ReserveAction", target: pages.book } }),
  };
  // Without "<", no text of the catalog can close the script element.
  return JSON.stringify(data).replaceAll("<", "\\u003c");
}

/** An offer for each service, with the lowest and highest price over all vehicle types if it has prices. */
function offerList(catalog: Shop): object[] {
  const { services, films, pricedBy } = catalog.terms;
  const span = (cents: number[]) => ({
    "@type": "PriceSpecification",
    priceCurrency: catalog.currency,
    minPrice: toUnits(Math.min(...cents)),
    maxPrice: toUnits(Math.max(...cents)),
  });
  const columns = (key: string) => (pricedBy.get(key) === "film" ? films : [key]);
  return catalog.services.map(({ key, name, description }) => ({
    "@type": "Offer",
    itemOffered: { "@type": "Service", name, ...(description && { description }) },
    ...(services.includes(key) && {
      priceSpecification: span(columns(key).flatMap((column) => pricesOf(catalog, column))),
    }),
  }));
}
