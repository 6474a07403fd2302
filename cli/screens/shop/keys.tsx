/** API keys: who has one, and issuing, rotating and revoking them. */
import { Box, Text } from "ink";
import { useState } from "react";
import { email, normalize, personName } from "../../../src/schema/fields.ts";
import type { IssuedKey } from "../../../src/store/store.ts";
import { issueKey, keyColumns, MOST_PER_MINUTE, readRate, replaceKey } from "../../server/keys.ts";
import { clean } from "../../terminal/output.ts";
import { fieldCheck } from "../../typed/values.ts";
import { key } from "../kit/bindings.tsx";
import { Form, type FormValues } from "../kit/form.tsx";
import { Frame, ListScreen } from "../kit/frame.tsx";
import { useList } from "../kit/list.tsx";
import { useCopy, useLive, useNav, useScreen } from "../kit/screen.ts";
import { Paragraph } from "../kit/text.tsx";

type MadeKey = Awaited<ReturnType<typeof issueKey>>;

export function Screen() {
  const { catalog, clock, now, act, ask } = useScreen();
  const keys = useLive(({ store }) => store.keys());
  const columns = keyColumns({ clock, now: now(), limit: catalog?.rate_limits.api_key_per_minute ?? null });
  const list = useList(keys, { id: ({ id }) => id, columns, narrow: DRAWN });
  const [made, setMade] = useState<MadeKey | null>(null);
  const [isIssuing, setIssuing] = useState(false);
  if (made) return <NewKey made={made} close={() => setMade(null)} />;
  const issued = (key: MadeKey) => {
    setIssuing(false);
    setMade(key);
  };
  if (isIssuing) return <IssueForm cancel={() => setIssuing(false)} issued={issued} />;
  const end = async (one: IssuedKey) => {
    const rotate = ["r", "rotate: a new key in its place", "rotate"] as const;
    const revoke = ["y", "yes, revoke it", "revoke"] as const;
    const question = `End the key of ${clean(one.name)} (${clean(one.email)})?`;
    const consequence = "The old key is invalid at once and for good; a new one is shown this once.";
    const way = await ask.choose(question, one.revokedAt === null ? [rotate, revoke] : [rotate], consequence);
    if (!way) return;
    await act(async ({ store, now }) => {
      if (way === "rotate") setMade(await replaceKey(store, one));
      else await store.revokeKey(one.id, now().epochMilliseconds);
      return `The ${way === "rotate" ? "old key" : "key"} of ${clean(one.name)} is revoked.`;
    });
  };
  const { row } = list;
  const endHelp = "Make this key invalid at once, or put a new one in its place.";
  return (
    <ListScreen
      title="API keys"
      status={`${list.rows.length}`}
      about="A key raises the limits of the program that uses it. Keys themselves are not kept: a lost one is rotated."
      list={list}
      keys={[
        key("n", "new key", () => setIssuing(true), "Make a key for somebody; it is shown once."),
        row && key("x", "revoke or rotate", () => end(row), endHelp),
      ]}
      dialog={ask.dialog}
      isDim={({ revokedAt }) => revokedAt !== null}
      empty="No keys yet. Press n to issue one."
    />
  );
}

const DRAWN = ["key", "name", "email", "per minute", "issued", "state"];

function NewKey({ made: { key: secret, issued }, close }: { made: MadeKey; close: () => void }) {
  const { say } = useNav();
  const copy = useCopy();
  return (
    <Frame
      title="A new key"
      about="This is the only time the key is shown; only its digest is kept."
      keys={[
        key("space", "copy", () => copy(secret), "Put the key on the clipboard, in terminals that allow it."),
        key("enter", "done, I have it", close, "Take the key off the screen for good."),
      ]}
      // Only Enter closes this screen, because the key cannot be shown again.
      beforeLeaving={() =>
        say({ kind: "error", text: "Copy the key now, then press Enter. It cannot be shown again." })
      }
    >
      {({ columns }) => (
        <Box flexDirection="column">
          <Paragraph text={`For ${issued.name} (${issued.email}), ${issued.id}`} width={columns} most={3} />
          <Text> </Text>
          <Text bold>{secret}</Text>
          <Text> </Text>
          <Paragraph
            text="Copy it now. It is shown this once and cannot be looked up later."
            width={columns}
            most={2}
            look="warning"
          />
        </Box>
      )}
    </Frame>
  );
}

function IssueForm({ issued, cancel }: { issued: (made: MadeKey) => void; cancel: () => void }) {
  const { catalog, act } = useScreen();
  const usual = catalog?.rate_limits.api_key_per_minute ?? "number";
  const issue = ({ name: typed = "", email: address = "", rate = "" }: FormValues) =>
    act(async ({ store, now }) => {
      const name = String(normalize(typed));
      const facts = { name, email: String(normalize(address)), useCase: null, ratePerMinute: readRate(rate) };
      issued(await issueKey(store, { ...facts, createdAt: now().epochMilliseconds }));
      return `A key for ${clean(name)} is issued.`;
    });
  return (
    <Form
      title="Issue a key"
      about="One key per e-mail address. The key is shown once, on the next screen."
      submit="issue the key"
      fields={[
        { name: "name", label: "Name", hint: "who the key is for", check: fieldCheck("Name", personName()) },
        { name: "email", label: "E-mail", hint: "how to reach them", check: fieldCheck("E-mail", email()) },
        {
          ...{ name: "rate", label: "Requests a minute", hint: `empty for the usual ${usual}` },
          check: (text) =>
            text === "" || readRate(text) !== null
              ? null
              : `Requests a minute must be a whole number from 1 to ${MOST_PER_MINUTE}`,
        },
      ]}
      onSubmit={issue}
      onCancel={cancel}
    />
  );
}
