/** The messages that did not arrive: for whom and why, with another attempt or the end of it. */
import { useState } from "react";
import { counted } from "../../../src/lib/text.ts";
import {
  dropFailed,
  dropMessage,
  droppedInWords,
  isNeverSent,
  messageFacts,
  type OutboxJob,
  offWayOf,
  outboxColumns,
  readLapsed,
  readOutbox,
  retryMessage,
} from "../../server/outbox.ts";
import { clean } from "../../terminal/output.ts";
import { key, pair } from "../kit/bindings.tsx";
import { ListScreen } from "../kit/frame.tsx";
import { useList } from "../kit/list.tsx";
import { useLive, useScreen } from "../kit/screen.ts";
import { type Line, linesOf, ONE_MOMENT, type Size } from "../kit/text.tsx";

const READ = 200;

export function Screen() {
  const { clock, catalog, open, act, ask } = useScreen();
  const [isLapsed, setLapsed] = useState(false);
  const about = isLapsed ? "lapsed" : "waiting";
  const live = useLive(
    async ({ store }) =>
      isLapsed
        ? (await readLapsed(store, READ)).jobs
        : (await readOutbox(store, READ)).jobs.filter((job) => !isNeverSent(job)),
    about,
  );
  const server = useLive(({ askServer }) => askServer(), "", false);
  const areTextsOff = offWayOf("confirmation_sms", server ?? null) !== null;
  const shop = catalog?.messaging.ownerContacts ?? null;
  const list = useList(live, {
    ...{ id: ({ id }) => String(id), columns: outboxColumns(clock, shop), about },
    ...{ narrow: NARROW, wide: [...NARROW, "due"] },
  });
  const job = list.row;
  const count = live?.length ?? 0;
  const failed = (live ?? []).filter(({ status }) => status === "failed").length;
  const drop = async (one: OutboxJob) => {
    const question = `Never send this message to ${clean(one.lead.name)}?`;
    if (await ask.yes(question, "drop it", "This cannot be undone; call them, if it matters."))
      await act(({ store }) => dropMessage(store, one.id));
  };
  const dropAll = async () => {
    const question = `Never send ${failed === 1 ? "the failed message" : `the ${failed} failed messages`}?`;
    if (await ask.yes(question, "drop all failed", "This cannot be undone; those that still wait stay."))
      await act(async ({ store }) => droppedInWords((await dropFailed(store)).length));
  };
  const retry = (one: OutboxJob) => act(({ store, now }) => retryMessage(store, one.id, now().epochMilliseconds, shop));
  const empty = isLapsed
    ? "No message lapsed."
    : areTextsOff
      ? "Texts are off: nobody is told by text, see tint setup. Nothing waits, nothing failed."
      : "Everybody was reached: nothing waits, nothing failed.";
  return (
    <ListScreen
      title={isLapsed ? "Messages that were never sent" : "Messages"}
      status={isLapsed ? `${count}` : `${failed} failed, ${counted(count - failed, "waits", "wait")}`}
      about="Messages that did not arrive: failed ones first, then those that wait. The same list is printed by tint outbox."
      list={list}
      keys={[
        ...(job && !isLapsed
          ? [
              key("r", "retry", () => retry(job), "Try the message again now."),
              key("x", "drop", () => drop(job), "Never send the message."),
            ]
          : []),
        !isLapsed && failed > 0 && key("X", "drop all failed", () => dropAll(), "Never send those that failed."),
        job && key("enter", "its lead", () => open("lead", job.lead.reference), "Open who it is about."),
        pair(
          ["left", "backtab"],
          ["right", "tab"],
          "← →",
          isLapsed ? "waiting ones" : "never sent",
          "Those that wait or failed; those that were never sent, and why.",
          () => setLapsed(!isLapsed),
        ),
      ]}
      dialog={ask.dialog}
      below={(size) => (job ? detailLines(messageFacts(job, clock, shop), size) : [])}
      isDim={({ status }) => status === "lapsed"}
      empty={server ? empty : ONE_MOMENT}
    />
  );
}

const NARROW = ["name", "state", "what"];

const DETAILS = 0.5;

/** The lines about a message. The reason comes first, because it may need the room. */
function detailLines({ reason, due, to, text }: ReturnType<typeof messageFacts>, { columns, rows }: Size): Line[] {
  return [
    { text: "─".repeat(columns), look: "dim" } as const,
    ...linesOf(reason && `Why: ${reason}`, columns, 3, "warning"),
    { text: to === "" ? `Due ${due}` : `To ${to}, due ${due}`, look: "dim" } as const,
    ...linesOf(text, columns, 4, "dim"),
  ].slice(0, Math.floor(rows * DETAILS));
}
