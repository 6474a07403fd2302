/** One lead in full, with its history. @see leads.tsx */
import { Text } from "ink";
import { leadFacts } from "../../leads/leads.ts";
import { FactsFrame } from "../kit/facts.tsx";
import { key } from "../kit/keys.tsx";
import { useNav } from "../kit/nav.ts";
import type { ScreenProps } from "../kit/screens.tsx";
import { useLive, useShop } from "../kit/shop.ts";
import { useLeadActions } from "./actions.tsx";

/** @param about the lead's reference */
export function Screen({ about }: ScreenProps) {
  const { clock } = useShop();
  const { open } = useNav();
  const live = useLive(async ({ store }) => ({ lead: await store.findLead(about) }), about);
  const lead = live?.lead ?? null;
  const code = lead?.confirmationCode ?? null;
  const actions = useLeadActions(lead);
  return (
    <FactsFrame
      title={`Lead ${about}`}
      status={lead?.status ?? ""}
      about="Everything about one lead: what was asked, and what became of it."
      keys={[
        ...actions.keys,
        ...(code === null ? [] : [key("b", "its booking", () => open("booking", code), "Open the appointment.")]),
      ]}
      dialog={actions.dialog}
      facts={lead ? leadFacts(lead, clock) : []}
      otherwise={<Text dimColor>{live ? `There is no lead ${about}.` : "One moment…"}</Text>}
    />
  );
}
