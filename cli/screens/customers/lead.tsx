/** One lead in full, with its history. @see leads.tsx */
import { leadFacts } from "../../customers/lead-text.ts";
import { quotedInWords } from "../../customers/leads.ts";
import { key } from "../kit/bindings.tsx";
import { FactsFrame } from "../kit/frame.tsx";
import { useNav } from "../kit/navigation.ts";
import type { ScreenProps } from "../kit/screen-stack.tsx";
import { useLive, useShop } from "../kit/shop.ts";
import { ONE_MOMENT } from "../kit/text.tsx";
import { useLeadActions, useLeadBooking } from "./lead-actions.tsx";
import { usePaper } from "./paper.tsx";

/** @param about the lead's reference */
export function Screen({ about }: ScreenProps) {
  const { catalog, clock, now } = useShop();
  const { open } = useNav();
  const live = useLive(async ({ store }) => ({ lead: await store.findLead(about) }), about);
  const lead = live?.lead ?? null;
  const code = lead?.confirmationCode ?? null;
  const actions = useLeadActions(lead);
  const booking = useLeadBooking(lead);
  const paper = usePaper(code === null ? lead?.reference : undefined, null);
  return (
    <FactsFrame
      title={`Lead ${about}`}
      status={lead?.status ?? ""}
      about="Everything about one lead: what was asked, and what became of it."
      keys={[
        ...actions.keys,
        ...booking,
        ...paper.keys,
        ...(code === null ? [] : [key("b", "its booking", () => open("booking", code), "Open the appointment.")]),
      ]}
      dialog={actions.dialog}
      facts={lead ? leadFacts(lead, clock, now(), catalog && quotedInWords(lead, catalog)) : []}
      otherwise={live ? `There is no lead ${about}.` : ONE_MOMENT}
    />
  );
}
