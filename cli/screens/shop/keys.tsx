/** API keys: who has one, and issuing, rotating and revoking them. */
import { useState } from "react";
import type { IssuedKey } from "../../../src/store/store.ts";
import { issueKey, replaceKey } from "../../server/keys.ts";
import { clean } from "../../terminal/output.ts";
import { dayInWords } from "../../terminal/wording.ts";
import { key } from "../kit/bindings.tsx";
import { Confirm, useActions } from "../kit/dialogs.tsx";
import { Frame } from "../kit/frame.tsx";
import { type Column, Table, useSelection } from "../kit/list.tsx";
import { type OpenShop, useAct, useLive, useShop } from "../kit/shop.ts";
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
  const keys = useLive(({ store }) => store.keys());
  const selection = useSelection(keys?.length ?? 0);
  const [made, setMade] = useState<MadeKey | null>(null);
  const [isIssuing, setIssuing] = useState(false);
  const actions = useKeyActions(keys?.[selection.index] ?? null, setMade);

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
  return (
    <Frame
      title="API keys"
      status={keys === null ? "" : `${keys.length}`}
      about="A key raises the limits of the program that uses it. Keys themselves are not kept: a lost one is rotated."
      keys={[
        ...selection.keys,
        key("i", "issue a key", () => setIssuing(true), "Make a key for somebody; it is shown once."),
        ...actions.keys,
      ]}
      dialog={actions.dialog}
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
          empty={keys === null ? ONE_MOMENT : "No keys yet. Press i to issue one."}
        />
      )}
    </Frame>
  );
}

interface KeyQuestion {
  about: "rotate" | "revoke";
  one: IssuedKey;
}

/** @param selected null when none is selected @param onMade gets the key that replaces a rotated one */
function useKeyActions(selected: IssuedKey | null, onMade: (made: MadeKey) => void) {
  const { store, now } = useShop();
  const act = useAct();
  const rotate = (old: IssuedKey) =>
    act(async () => {
      onMade(await replaceKey(store, old));
      return null;
    });
  const revoke = ({ id, name }: IssuedKey) =>
    act(async () => {
      await store.revokeKey(id, now().epochMilliseconds);
      return `The key of ${clean(name)} is revoked.`;
    });
  return useActions<KeyQuestion>(
    (ask) => {
      if (!selected) return [];
      const askTo = (about: KeyQuestion["about"]) => () => ask({ about, one: selected });
      const rotateKey = key("r", "rotate", askTo("rotate"), "Put a new key in place of this one.");
      const revokeKey = key("x", "revoke", askTo("revoke"), "Make this key invalid at once.");
      return selected.revokedAt === null ? [rotateKey, revokeKey] : [rotateKey];
    },
    ({ about, one }, close) => (
      <Confirm
        question={`${about === "rotate" ? "Rotate" : "Revoke"} the key of ${clean(one.name)} (${clean(one.email)})?`}
        consequence={CONSEQUENCE[about]}
        yes={about}
        onYes={() => (about === "rotate" ? rotate(one) : revoke(one))}
        close={close}
      />
    ),
  );
}

const CONSEQUENCE = {
  rotate: "The old key is invalid at once; the new one is shown this once.",
  revoke: "Whoever uses it is refused at once. Rotating brings it back with a new key.",
};

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
