/** API keys: who has one, and issuing, rotating and revoking them. */
import { useState } from "react";
import type { IssuedKey } from "../../../src/store/store.ts";
import { issueKey, replaceKey } from "../../server/keys.ts";
import { clean } from "../../terminal/output.ts";
import { dayInWords } from "../../terminal/wording.ts";
import { key } from "../kit/bindings.tsx";
import { useAsk } from "../kit/dialogs.tsx";
import { type Column, Table, useList } from "../kit/list.tsx";
import { ListFrame } from "../kit/list-frame.tsx";
import type { OpenShop } from "../kit/open-shop.ts";
import { useAct, useLive, useShop } from "../kit/shop.ts";
import { ONE_MOMENT } from "../kit/text.tsx";
import { IssueForm, NewKey } from "./new-key.tsx";

/** A key just made, with the secret that is shown once. */
interface MadeKey {
  key: string;
  issued: IssuedKey;
}

export function Screen() {
  const shop = useShop();
  const act = useAct();
  const ask = useAsk();
  const keys = useLive(({ store }) => store.keys());
  const list = useList(keys, { id: ({ id }) => id, cells: (one) => cells(one, shop) });
  const [made, setMade] = useState<MadeKey | null>(null);
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
            return null;
          })
        }
      />
    );
  const rotate = async (old: IssuedKey) => {
    await act(async ({ store }) => {
      setMade(await replaceKey(store, old));
      return null;
    });
  };
  const revoke = async ({ id, name }: IssuedKey) => {
    await act(async ({ store, now }) => {
      await store.revokeKey(id, now().epochMilliseconds);
      return `The key of ${clean(name)} is revoked.`;
    });
  };
  const end = async (one: IssuedKey) => {
    const isValid = one.revokedAt === null;
    const answers = [
      ["r", "rotate: a new key in its place", rotate] as const,
      ...(isValid ? [["y", "yes, revoke it", revoke] as const] : []),
    ];
    const question = `End the key of ${clean(one.name)} (${clean(one.email)})?`;
    const consequence = "The old key is invalid at once; a new one is shown this once.";
    await (await ask.choose(question, answers, consequence))?.(one);
  };
  const { row } = list;
  const endHelp = "Make this key invalid at once, or put a new one in its place.";
  return (
    <ListFrame
      title="API keys"
      status={keys === null ? "" : `${keys.length}`}
      about="A key raises the limits of the program that uses it. Keys themselves are not kept: a lost one is rotated."
      list={list}
      keys={[
        key("n", "new key", () => setIssuing(true), "Make a key for somebody; it is shown once."),
        ...(row ? [key("x", "revoke or rotate", () => void end(row), endHelp)] : []),
      ]}
      dialog={ask.dialog}
    >
      {(place) => (
        <Table
          columns={COLUMNS}
          rows={list.rows.map((each) => ({
            key: each.id,
            cells: cells(each, shop),
            dim: each.revokedAt !== null,
          }))}
          {...place}
          empty={keys === null ? ONE_MOMENT : "No keys yet. Press n to issue one."}
        />
      )}
    </ListFrame>
  );
}

const COLUMNS: readonly Column[] = [
  { head: "key", width: 13 },
  { head: "name" },
  { head: "email" },
  { head: "a minute", width: 8, align: "right" },
  { head: "issued", width: 10 },
  { head: "state", width: 7 },
];

function cells(one: IssuedKey, { catalog, clock, now }: OpenShop): string[] {
  return [
    `${one.prefix}…`,
    one.name,
    one.email,
    String(one.ratePerMinute ?? catalog?.rate_limits.api_key_per_minute ?? "usual"),
    dayInWords(clock, one.createdAt, now()),
    one.revokedAt === null ? "valid" : "revoked",
  ];
}
