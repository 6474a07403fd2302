/** One lead in full, with its history. @see leads.tsx */
import { leadFacts } from "../../customers/lead-text.ts";
import { quotedInWords } from "../../customers/leads.ts";
import { usePaper } from "../diary/paper.tsx";
import { FactsFrame } from "../kit/frame.tsx";
import type { ScreenProps } from "../kit/screen-stack.tsx";
import { useLive, useShop } from "../kit/shop.ts";
import { ONE_MOMENT } from "../kit/text.tsx";
import { useLeadActions } from "./lead-actions.tsx";

/** @param about the lead's reference */
export function Screen({ about }: ScreenProps) {
  const { catalog, clock, now } = useShop();
  const live = useLive(async ({ store }) => ({ lead: await store.findLead(about) }), about);
  const lead = live?.lead ?? null;
  const actions = useLeadActions(lead);
  const paper = usePaper(lead?.confirmationCode === null ? lead.reference : undefined, null);
  return (
    <FactsFrame
      title={`Lead ${about}`}
      status={lead?.status ?? ""}
      about="Everything about one lead: what was asked, and what became of it."
      keys={[...actions.keys, ...paper.keys]}
      dialog={actions.dialog ?? paper.dialog}
      facts={lead ? leadFacts(lead, clock, now(), catalog && quotedInWords(lead, catalog)) : []}
      otherwise={live ? `There is no lead ${about}.` : ONE_MOMENT}
    />
  );
}
