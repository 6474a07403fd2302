/** API keys: who has one, and issuing, rotating and revoking them. */
import { Box, Text } from "ink";
import { useState } from "react";
import { email, normalize, personName } from "../../../src/schema/fields.ts";
import type { IssuedKey } from "../../../src/store/store.ts";
import { issueKey, keyColumns, MOST_PER_MINUTE, readRate, replaceKey } from "../../server/keys.ts";
import { clean } from "../../terminal/output.ts";
import { fieldCheck } from "../../typed/values.ts";
import { key } from "../kit/bindings.tsx";
import { Form } from "../kit/form.tsx";
import { Frame, ListScreen } from "../kit/frame.tsx";
import { useList } from "../kit/list.tsx";
import { useCopy, useLive, useNav, useScreen, useShop } from "../kit/screen.ts";
import { Paragraph } from "../kit/text.tsx";

export function Screen() {
  const { catalog, clock, now, act, ask } = useScreen();
  const keys = useLive(({ store }) => store.keys());
  const columns = keyColumns({ clock, now: now(), limit: catalog?.rate_limits.api_key_per_minute ?? null });
  const list = useList(keys, { id: ({ id }) => id, columns, narrow: DRAWN });
  const [made, setMade] = useState<Awaited<ReturnType<typeof issueKey>> | null>(null);
  const [isIssuing, setIssuing] = useState(false);
  if (made) return <NewKey secret={made.key} issued={made.issued} close={() => setMade(null)} />;
  if (isIssuing)
    return (
      <IssueForm
        cancel={() => setIssuing(false)}
        submit={(facts) =>
          void act(async ({ store, now }) => {
            const result = await issueKey(store, { ...facts, createdAt: now().epochMilliseconds });
            setIssuing(false);
            setMade(result);
            return `A key for ${clean(facts.name)} is issued.`;
          })
        }
      />
    );
  const rotate = (old: IssuedKey) =>
    act(async ({ store }) => {
      setMade(await replaceKey(store, old));
      return `The old key of ${clean(old.name)} is revoked.`;
    });
  const revoke = ({ id, name }: IssuedKey) =>
    act(async ({ store, now }) => {
      await store.revokeKey(id, now().epochMilliseconds);
      return `The key of ${clean(name)} is revoked.`;
    });
  const end = async (one: IssuedKey) => {
    const isValid = one.revokedAt === null;
    const answers = [
      ["r", "rotate: a new key in its place", rotate] as const,
      ...(isValid ? [["y", "yes, revoke it", revoke] as const] : []),
    ];
    const question = `End the key of ${clean(one.name)} (${clean(one.email)})?`;
    const consequence = "The old key is invalid at once and for good; a new one is shown this once.";
    await (await ask.choose(question, answers, consequence))?.(one);
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

/** A key just made, shown this once. */
function NewKey({ secret, issued, close }: { secret: string; issued: IssuedKey; close: () => void }) {
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

interface IssueFormProps {
  submit: (facts: Omit<Parameters<typeof issueKey>[1], "createdAt">) => void;
  cancel: () => void;
}

function IssueForm({ submit, cancel }: IssueFormProps) {
  const { catalog } = useShop();
  const usual = catalog?.rate_limits.api_key_per_minute ?? "number";
  return (
    <Form
      title="Issue a key"
      about="One key per e-mail address. The key is shown once, on the next screen."
      submit="issue the key"
      fields={[
        { name: "name", label: "Name", hint: "who the key is for", check: fieldCheck(personName()) },
        { name: "email", label: "E-mail", hint: "how to reach them", check: fieldCheck(email()) },
        {
          ...{ name: "rate", label: "Requests a minute", hint: `empty for the usual ${usual}` },
          check: (text) =>
            text === "" || readRate(text) !== null ? null : `must be a whole number from 1 to ${MOST_PER_MINUTE}`,
        },
      ]}
      onSubmit={({ name = "", email: address = "", rate = "" }) =>
        submit({ name: trimmed(name), email: trimmed(address), useCase: null, ratePerMinute: readRate(rate) })
      }
      onCancel={cancel}
    />
  );
}

function trimmed(text: string): string {
  return String(normalize(text));
}
