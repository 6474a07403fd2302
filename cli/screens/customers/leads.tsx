/** The leads by state: who asked, how long ago, and when to follow up. */
import { useState } from "react";
import { LEAD_STATUSES, type LeadStatus, OPEN_LEADS } from "../../../src/domain/lifecycle.ts";
import type { Lead } from "../../../src/store/store.ts";
import { key, pair } from "../kit/bindings.tsx";
import { Frame } from "../kit/frame.tsx";
import { useSelection } from "../kit/list.tsx";
import { useNav } from "../kit/navigation.ts";
import { useLive, useShop } from "../kit/shop.ts";
import { ONE_MOMENT } from "../kit/text.tsx";
import { InquiryForm } from "./inquiry-form.tsx";
import { useLeadActions, useLeadBooking } from "./lead-actions.tsx";
import { LeadTable } from "./lead-table.tsx";

type LeadKind = Lead["kind"];
/** The lead of a booking follows the booking, so nobody waits for an answer. */
const WITHOUT_BOOKINGS: readonly LeadKind[] = ["quote_request"];
/** The lists that Tab and the arrows go through. */
const VIEWS: readonly { title: string; statuses: readonly LeadStatus[]; kinds?: readonly LeadKind[] }[] = [
  { title: "open", statuses: OPEN_LEADS, kinds: WITHOUT_BOOKINGS },
  ...LEAD_STATUSES.map((status) => ({
    title: status,
    statuses: [status],
    ...(status === "new" && { kinds: WITHOUT_BOOKINGS }),
  })),
  { title: "all", statuses: LEAD_STATUSES },
];
/** The most leads that are read. */
const READ = 500;

export function Screen() {
  const { open } = useNav();
  const { catalog } = useShop();
  const [isAdding, setAdding] = useState(false);
  const [view, setView] = useState(0);
  const { title = "", statuses = OPEN_LEADS, kinds } = VIEWS[view] ?? {};
  const leads = useLive(({ store }) => store.leads(statuses, READ, undefined, kinds), title);
  const selection = useSelection(
    leads?.length ?? 0,
    leads?.map(({ id }) => id),
  );
  const lead = leads?.[selection.index] ?? null;
  const actions = useLeadActions(lead);
  const booking = useLeadBooking(lead);
  if (isAdding && catalog)
    return (
      <InquiryForm
        catalog={catalog}
        onAdded={(reference) => {
          setAdding(false);
          open("lead", reference);
        }}
        onCancel={() => setAdding(false)}
      />
    );
  const turn = (by: number) => {
    setView((old) => (old + by + VIEWS.length) % VIEWS.length);
    selection.select(0);
  };
  return (
    <Frame
      title={`Leads: ${title}`}
      status={leads === null ? "" : leads.length === READ ? `the newest ${READ}` : `${leads.length}`}
      about="Everybody who asked for a quote; who booked is among won, lost and all. A lead moves forward: new, contacted, quoted, then won or lost."
      keys={[
        ...selection.keys,
        ...(lead ? [key("enter", "open", () => open("lead", lead.reference), "Open the lead in full.")] : []),
        pair(
          ["backtab", "left"],
          ["tab", "right"],
          { label: "← →", does: "other states", help: "Show the leads of another state." },
          turn,
        ),
        ...(catalog
          ? [key("a", "new inquiry", () => setAdding(true), "Write down who called, and when to call back.")]
          : []),
        ...actions.keys,
        ...booking,
      ]}
      dialog={actions.dialog}
    >
      {({ columns, rows }) => (
        <LeadTable
          leads={leads ?? []}
          selected={selection.index}
          width={columns}
          height={rows}
          empty={leads === null ? ONE_MOMENT : `No leads here (${title}). Press → for those in another state.`}
        />
      )}
    </Frame>
  );
}
