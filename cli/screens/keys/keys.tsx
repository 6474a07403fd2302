/** API keys: who has one, and issuing, rotating and revoking them. */
import { useState } from "react";
import { rfc3339 } from "../../../src/domain/schedule.ts";
import type { IssuedKey } from "../../../src/store/store.ts";
import { issueKey, replaceKey } from "../../keys/issue.ts";
import { clean } from "../../terminal/text.ts";
import { key } from "../kit/input/keyboard.tsx";
import { type Shop, useAct, useLive, useShop } from "../kit/shell/shop.ts";
import { Confirm } from "../kit/widgets/dialogs.tsx";
import { Frame } from "../kit/widgets/frame.tsx";
import { type Column, Table, useSelection } from "../kit/widgets/list.tsx";
import { IssueForm } from "./issue-form.tsx";
import { NewKey } from "./new-key.tsx";

const COLUMNS: readonly Column[] = [
  { head: "key", width: 13 },
  { head: "name" },
  { head: "email" },
  { head: "a minute", width: 8, align: "right" },
  { head: "issued", width: 10 },
  { head: "state", width: 7 },
];

function cells(one: IssuedKey, { catalog, clock }: Shop): string[] {
  return [
    `${one.prefix}…`,
    one.name,
    one.email,
    String(one.ratePerMinute ?? catalog?.rate_limits.api_key_per_minute ?? "usual"),
    rfc3339(clock, one.createdAt).slice(0, 10),
    one.revokedAt === null ? "valid" : "revoked",
  ];
}

export function Screen() {
  const shop = useShop();
  const act = useAct();
  const keys = useLive(({ store }) => store.keys());
  const selection = useSelection(keys?.length ?? 0);
  const [made, setMade] = useState<{ key: string; issued: IssuedKey } | null>(null);
  const [isIssuing, setIssuing] = useState(false);
  const [asked, setAsked] = useState<{ what: "rotate" | "revoke"; one: IssuedKey } | null>(null);
  const one = keys?.[selection.index] ?? null;

  if (made) return <NewKey secret={made.key} issued={made.issued} close={() => setMade(null)} />;
  if (isIssuing)
    return (
      <IssueForm
        cancel={() => setIssuing(false)}
        submit={(facts) =>
          act(async () => {
            const result = await issueKey(shop.store, { ...facts, createdAt: shop.now().epochMilliseconds });
            setIssuing(false);
            setMade(result);
            return null;
          })
        }
      />
    );
  const rotate = (old: IssuedKey) =>
    act(async () => {
      setMade(await replaceKey(shop.store, old));
      return null;
    });
  const revoke = ({ id, name }: IssuedKey) =>
    act(async () => {
      await shop.store.revokeKey(id, shop.now().epochMilliseconds);
      return `The key of ${clean(name)} is revoked.`;
    });
  const answer = (yes: (one: IssuedKey) => void) => () => {
    setAsked(null);
    if (asked) yes(asked.one);
  };
  return (
    <Frame
      title="API keys"
      status={keys === null ? "" : `${keys.length}`}
      about="A key raises the limits of the program that uses it. Keys themselves are not kept: a lost one is rotated."
      keys={[
        ...selection.keys,
        key("i", "issue a key", () => setIssuing(true), "Make a key for somebody; it is shown once."),
        ...(one
          ? [key("r", "rotate", () => setAsked({ what: "rotate", one }), "Put a new key in the place of this one.")]
          : []),
        ...(one?.revokedAt === null
          ? [key("x", "revoke", () => setAsked({ what: "revoke", one }), "Make this key invalid at once.")]
          : []),
      ]}
      dialog={
        asked && (
          <Confirm
            question={`${asked.what === "rotate" ? "Rotate" : "Revoke"} the key of ${clean(asked.one.name)} (${clean(asked.one.email)})?`}
            consequence={CONSEQUENCE[asked.what]}
            yes={asked.what}
            onYes={answer(asked.what === "rotate" ? rotate : revoke)}
            onNo={() => setAsked(null)}
          />
        )
      }
    >
      {({ columns, rows }) => (
        <Table
          columns={COLUMNS}
          rows={(keys ?? []).map((each) => ({
            key: each.id,
            cells: cells(each, shop),
            dim: each.revokedAt !== null,
          }))}
          selected={selection.index}
          width={columns}
          height={rows}
          empty={keys === null ? "One moment…" : "No keys yet. Press i to issue one."}
        />
      )}
    </Frame>
  );
}

const CONSEQUENCE = {
  rotate: "The old key is invalid at once; the new one is shown this once.",
  revoke: "Whoever uses it is refused at once. Rotating brings it back with a new key.",
};
