/** The messages that did not arrive: for whom and why, with another attempt or the end of it. */
import { Box } from "ink";
import { useState } from "react";
import { counted } from "../../../src/lib/text.ts";
import { isNeverSent, messageFacts, type OutboxJob, offWayOf, readLapsed, readOutbox } from "../../server/outbox.ts";
import { dropFailed, dropMessage, droppedInWords, retryMessage } from "../../server/outbox-actions.ts";
import { clean } from "../../terminal/output.ts";
import { key, pair } from "../kit/bindings.tsx";
import { Confirm, useActions } from "../kit/dialogs.tsx";
import { Frame } from "../kit/frame.tsx";
import { type Column, Table, useSelection } from "../kit/list.tsx";
import { useNav } from "../kit/navigation.ts";
import { useAct, useLive, useShop } from "../kit/shop.ts";
import { type Line, Lines, ONE_MOMENT, type Size, wrapTo } from "../kit/text.tsx";

/** The most messages of each group that are read. */
const READ = 200;

export function Screen() {
  const { clock, catalog } = useShop();
  const { open } = useNav();
  const [isLapsed, setLapsed] = useState(false);
  const live = useLive(
    async ({ store }) =>
      isLapsed
        ? (await readLapsed(store, READ)).jobs
        : (await readOutbox(store, READ)).jobs.filter((job) => !isNeverSent(job)),
    isLapsed ? "lapsed" : "waiting",
  );
  const server = useLive(({ askServer }) => askServer());
  const areTextsOff = offWayOf("confirmation_sms", server) !== null;
  const jobs = live ?? [];
  const selection = useSelection(
    jobs.length,
    jobs.map(({ id }) => String(id)),
  );
  const job = jobs[selection.index] ?? null;
  const failed = jobs.filter(({ status }) => status === "failed").length;
  const { keys, dialog } = useMessageActions(isLapsed ? null : job, failed);
  const shop = catalog?.messaging.ownerContacts ?? null;
  const empty = isLapsed
    ? "No message lapsed."
    : areTextsOff
      ? "Texts are off: nobody is told by text, see tint setup. Nothing waits, nothing failed."
      : "Everybody was reached: nothing waits, nothing failed.";
  return (
    <Frame
      title={isLapsed ? "Messages that were never sent" : "Messages"}
      status={
        live === null
          ? ""
          : isLapsed
            ? `${jobs.length}`
            : `${failed} failed, ${counted(jobs.length - failed, "waits", "wait")}`
      }
      about="Messages that did not arrive: failed ones first, then those that wait. The same list is printed by tint outbox."
      keys={[
        ...selection.keys,
        ...keys,
        ...(job ? [key("enter", "its lead", () => open("lead", job.lead.reference), "Open who it is about.")] : []),
        pair(
          ["left", "backtab"],
          ["right", "tab"],
          {
            label: "← →",
            does: isLapsed ? "waiting ones" : "never sent",
            help: "Those that wait or failed; those that were never sent, and why.",
          },
          () => {
            setLapsed(!isLapsed);
            selection.select(0);
          },
        ),
      ]}
      dialog={dialog}
    >
      {(size) => {
        const facts = job && messageFacts(job, clock, shop);
        const details = facts ? detailLines(facts, size) : [];
        return (
          <Box flexDirection="column" height={size.rows}>
            <Table
              columns={size.columns >= WIDE_FROM ? WIDE : NARROW}
              rows={jobs.map((one) => {
                const { state, what, name, due } = messageFacts(one, clock, shop);
                return { key: String(one.id), cells: [name, state, what, due], dim: one.status === "lapsed" };
              })}
              selected={selection.index}
              width={size.columns}
              height={size.rows - details.length}
              empty={live === null || server === null ? ONE_MOMENT : empty}
            />
            <Box flexGrow={1} />
            <Lines lines={details} width={size.columns} />
          </Box>
        );
      }}
    </Frame>
  );
}

const NARROW: readonly Column[] = [{ head: "for" }, { head: "state", width: 11 }, { head: "what" }];
const WIDE: readonly Column[] = [...NARROW, { head: "due", width: 20 }];
const WIDE_FROM = 100;

/** The share of the screen that the selected message may take, and the height from which on a rule is above it. */
const DETAILS = 0.5;
const RULED_FROM = 10;

/** The lines about a message. The reason comes first, because a small terminal has room for little more. */
function detailLines({ reason, due, to, text }: ReturnType<typeof messageFacts>, { columns, rows }: Size): Line[] {
  const reasons =
    reason === "" ? [] : wrapTo(`Why: ${reason}`, columns, 3).map((line): Line => ({ text: line, look: "warning" }));
  const content = [to === "" ? `Due ${due}` : `To ${to}, due ${due}`, ...(text === "" ? [] : wrapTo(text, columns, 4))];
  const lines = [...reasons, ...content.map((line): Line => ({ text: line, look: "dim" }))];
  if (lines.length === 0) return [];
  const rule: Line[] = rows < RULED_FROM ? [] : [{ text: "─".repeat(columns), look: "dim" }];
  return [...rule, ...lines].slice(0, Math.floor(rows * DETAILS));
}

type Question = { about: "drop"; job: OutboxJob } | { about: "dropFailed"; count: number };

/** @param job null where none can be tried again @param failed how many have failed */
function useMessageActions(job: OutboxJob | null, failed: number) {
  const { store, now, catalog } = useShop();
  const act = useAct();
  const shop = catalog?.messaging.ownerContacts ?? null;
  return useActions<Question>(
    (ask) => [
      ...(job
        ? [
            key(
              "r",
              "retry",
              () => act(() => retryMessage(store, job.id, now().epochMilliseconds, shop)),
              "Try the message again now.",
            ),
            key("x", "drop", () => ask({ about: "drop", job }), "Never send the message."),
          ]
        : []),
      ...(job && failed > 0
        ? [
            key(
              "X",
              "drop all failed",
              () => ask({ about: "dropFailed", count: failed }),
              "Never send those that failed.",
            ),
          ]
        : []),
    ],
    (question, close) =>
      question.about === "drop" ? (
        <Confirm
          question={`Never send this message to ${clean(question.job.lead.name)}?`}
          consequence="This cannot be undone; call them, if it matters."
          yes="drop it"
          onYes={() => act(() => dropMessage(store, question.job.id))}
          close={close}
        />
      ) : (
        <Confirm
          question={`Never send ${question.count === 1 ? "the failed message" : `the ${question.count} failed messages`}?`}
          consequence="This cannot be undone; those that still wait stay."
          yes="drop all failed"
          onYes={() => act(async () => droppedInWords((await dropFailed(store)).length))}
          close={close}
        />
      ),
  );
}
