/** The price of a form, worked out anew after each change. */
import { useEffect, useState } from "react";
import type { Catalog } from "../../../src/catalog/schema.ts";
import { useShop } from "../kit/shell/shop.ts";
import type { EstimateForm } from "./estimate-form.ts";
import { type Quote, quoteFor } from "./price.ts";

/** @returns null until the first price is known */
export function useQuote(form: EstimateForm, catalog: Catalog): Quote | null {
  const { now } = useShop();
  const [quote, setQuote] = useState<Quote | null>(null);
  const { tab, values } = form;
  // biome-ignore lint/correctness/useExhaustiveDependencies: moving about in the form changes no price
  useEffect(() => {
    let isWanted = true;
    // Any error but a refusal is a fault of the program: left unhandled, it ends the program.
    void quoteFor(form, catalog, now()).then((priced) => isWanted && setQuote(priced));
    return () => {
      isWanted = false;
    };
  }, [tab, values, catalog]);
  return quote;
}
