/** The leads by state: who asked, how long ago, and when to follow up. */
import { useState } from "react";
import { LEAD_STATUSES, type LeadStatus, OPEN_LEADS } from "../../../src/domain/lifecycle.ts";
import { leadColumns } from "../../customers/lead-text.ts";
import { listedKinds } from "../../customers/leads.ts";
import { key, pair } from "../kit/bindings.tsx";
import { ListScreen } from "../kit/frame.tsx";
import { useList } from "../kit/list.tsx";
import { useNav } from "../kit/navigation.ts";
import { useLive, useShop } from "../kit/shop.ts";
import { useLeadActions } from "./lead.tsx";
import { drawnLeads } from "./lead-table.tsx";

/** The lists that Tab and the arrows go through. */
const VIEWS: readonly { title: string; state?: LeadStatus | "all"; statuses: readonly LeadStatus[] }[] = [
  { title: "open", statuses: OPEN_LEADS },
  ...LEAD_STATUSES.map((state) => ({ title: state, state, statuses: [state] })),
  { title: "all", state: "all", statuses: LEAD_STATUSES },
];
const READ = 500;

export function Screen() {
  const { open } = useNav();
  const shop = useShop();
  const { catalog, clock, now } = shop;
  const [view, setView] = useState(0);
  const { title = "", state, statuses = OPEN_LEADS } = VIEWS[view] ?? {};
  const leads = useLive(({ store }) => store.leads(statuses, READ, undefined, listedKinds(state)), title);
  const columns = leadColumns(clock, now().epochMilliseconds);
  const list = useList(leads, { id: ({ id }) => id, columns, about: title });
  const lead = list.row;
  const actions = useLeadActions(lead);
  const turn = (by: number) => setView((old) => (old + by + VIEWS.length) % VIEWS.length);
  return (
    <ListScreen
      title={`Leads: ${title}`}
      status={list.filter === "" && leads?.length === READ ? `the newest ${READ}` : `${list.rows.length}`}
      about="Everybody who asked for a quote. A lead moves forward: new, contacted, quoted, then won or lost."
      list={list}
      dialog={actions.dialog}
      keys={[
        lead && key("enter", "open", () => open("lead", lead.reference), "Open the lead in full."),
        pair(
          ["backtab", "left"],
          ["tab", "right"],
          { label: "← →", does: "other states", help: "Show the leads of another state." },
          turn,
        ),
        catalog && key("n", "new inquiry", () => open("inquiry"), "Write down who called, and when to call back."),
        ...actions.keys,
      ]}
      columns={(width) => drawnLeads(shop, width)}
      empty={`No leads here (${title}). Press → for those in another state.`}
    />
  );
}
