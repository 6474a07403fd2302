/** A shop: its catalog, and what the catalog alone decides, worked out once when it is loaded. */
import { valueAt } from "../lib/fields.ts";
import { type Networks, parseNetworks } from "../lib/network.ts";
import { lawsOf } from "./laws.ts";
import { messagingOf } from "./messaging.ts";
import { modelsOf } from "./models.ts";
import { pagesOf } from "./page-addresses.ts";
import { priceListOf } from "./price-list.ts";
import type { Catalog, Service } from "./schema.ts";
import { isShown, type Terms, termsOf } from "./terms.ts";
import { type Words, wordsOf } from "./words.ts";

/** Whoever needs more than the owner's values takes this; it is handed on from the request's context. */
export interface Shop extends Catalog {
  readonly admission: Admission;
  readonly terms: Terms;
  readonly bookable: readonly Service[];
  readonly messaging: ReturnType<typeof messagingOf>;
  readonly pages: ReturnType<typeof pagesOf>;
  readonly phrases: Phrases;
  readonly questions: readonly ShownQuestion[];
  readonly priceList: ReturnType<typeof priceListOf>;
  readonly models: ReturnType<typeof modelsOf>;
  readonly laws: ReturnType<typeof lawsOf>;
  readonly words: Words;
}

/** @param catalog as it was checked, frozen */
export function derive(catalog: Catalog): Shop {
  const terms = termsOf(catalog);
  return Object.freeze({
    ...catalog,
    terms,
    admission: admissionOf(catalog),
    bookable: catalog.services.filter((one) => one.bookable),
    messaging: messagingOf(catalog),
    pages: pagesOf(catalog),
    phrases: phrasesOf(catalog, terms),
    questions: questionsOf(catalog),
    priceList: priceListOf(catalog, terms),
    models: modelsOf(catalog),
    laws: lawsOf(catalog),
    words: wordsOf(catalog),
  });
}

/** The terms of the deposit that a service asks for, if it asks for one. */
export function depositTerms(service: string, { deposit }: Pick<Catalog, "deposit">) {
  return deposit?.services.includes(service) ? deposit : undefined;
}

/** The shop's texts about a service, with those about deposits where it asks for one. */
export function textsOf(service: string, catalog: Catalog): Catalog["site"]["texts"] {
  return { ...catalog.site.texts, ...depositTerms(service, catalog)?.texts };
}

interface Admission {
  /** Agent classes with the words they are known by, in lower case. */
  readonly agentClasses: readonly { name: string; words: readonly string[] }[];
  readonly blockedNetworks: Networks;
  /** The origins of the shop's own addresses, like `https://example.com`. */
  readonly origins: readonly string[];
  readonly hostNames: readonly string[];
}

function admissionOf({ access, rate_limits, site }: Catalog): Admission {
  const own = [site.url, site.base_url, site.mcp_url, site.agent_proxy_url].map((address) => new URL(address));
  let blocked: Networks | undefined;
  return {
    agentClasses: Object.entries(rate_limits.agent_classes).map(([name, words]) => ({
      name,
      words: words.map((word) => word.toLowerCase()),
    })),
    /** Made at the first use: to read a long list takes longer than all else, and the command line needs none. */
    get blockedNetworks() {
      blocked ??= parseNetworks(access.blocked_networks);
      return blocked;
    },
    origins: own.map(({ origin }) => origin),
    hostNames: own.map(({ hostname }) => hostname),
  };
}

interface Phrases {
  /** `tinting a vehicle, removing film, or clear windshield protection`. */
  vehicleServices: string;
  /** `both films`, `all 4 films`. */
  allFilms: string;
  /** `full, all side and rear glass, or front2, the front two windows only`. */
  coverages: string;
}

function phrasesOf({ automotive, services }: Catalog, { services: priced, films }: Terms): Phrases {
  const work = services
    .filter(({ key }) => priced.includes(key))
    .map(({ name, phrase }) => phrase ?? name.toLowerCase());
  const coverages = Object.entries(automotive.coverages).map(([word, { name, glass }]) => `${word}, ${glass ?? name}`);
  return {
    vehicleServices: oxford(work),
    allFilms: films.length === 1 ? "the film" : films.length === 2 ? "both films" : `all ${films.length} films`,
    coverages: oxford(coverages),
  };
}

/** `a`, `a, or b`, `a, b, or c`. */
function oxford(items: readonly string[]): string {
  return items.length < 2 ? items.join() : `${items.slice(0, -1).join(", ")}, or ${items.at(-1)}`;
}

type Faq = Catalog["faq"][number];

export interface ShownQuestion extends Pick<Faq, "question" | "answer" | "category" | "services" | "on_page"> {
  /** Other ways to ask, which are shown to nobody. */
  also: readonly string[];
}

function questionsOf(catalog: Catalog): readonly ShownQuestion[] {
  const isOn = (name: NonNullable<Faq["while"]>) => {
    const value = valueAt(catalog, name.split("."));
    return Array.isArray(value) ? value.length > 0 : Boolean(value);
  };
  return catalog.faq
    .filter((entry) => isShown(entry, catalog.services))
    .filter((entry) => (!entry.while || isOn(entry.while)) && !(entry.unless && isOn(entry.unless)))
    .map(({ also = [], ...entry }) => ({ ...entry, also }));
}
