/** The form for a new key, and a key just made, shown this once. */
import { Box, Text, useStdout } from "ink";
import type { z } from "zod";
import { email, normalise, personName } from "../../../src/schema/fields.ts";
import type { IssuedKey } from "../../../src/store/store.ts";
import { MOST_PER_MINUTE, readRate } from "../../server/keys.ts";
import { readField } from "../../typed/values.ts";
import { key } from "../kit/bindings.tsx";
import { Form } from "../kit/form.tsx";
import { Frame } from "../kit/frame.tsx";
import { useNav } from "../kit/navigation.ts";
import { useShop } from "../kit/shop.ts";
import { copySequence, Paragraph } from "../kit/text.tsx";

interface NewKeyProps {
  secret: string;
  issued: IssuedKey;
  close: () => void;
}

/** A key just made, shown this once. */
export function NewKey({ secret, issued, close }: NewKeyProps) {
  const { stdout } = useStdout();
  const { say } = useNav();
  const copy = () => {
    stdout.write(copySequence(secret));
    say({ kind: "done", text: "Sent to the clipboard, if your terminal allows it. Check by pasting it." });
  };
  return (
    <Frame
      title="A new key"
      about="This is the only time the key is shown; only its digest is kept."
      keys={[
        key("space", "copy", copy, "Put the key on the clipboard, in terminals that allow it."),
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

interface KeyFacts {
  name: string;
  email: string;
  useCase: null;
  ratePerMinute: number | null;
}

/** The form for a new key. */
export function IssueForm({ submit, cancel }: { submit: (facts: KeyFacts) => void; cancel: () => void }) {
  const { catalog } = useShop();
  const usual = catalog?.rate_limits.api_key_per_minute ?? "number";
  return (
    <Form
      title="Issue a key"
      about="One key per e-mail address. The key is shown once, on the next screen."
      submit="issue the key"
      fields={[
        { name: "name", label: "Name", hint: "who the key is for", check: (text) => firstIssue(personName(), text) },
        { name: "email", label: "E-mail", hint: "how to reach them", check: (text) => firstIssue(email(), text) },
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

/** Why a text is refused, by the rule of the same field in the API; null when it is not. */
function firstIssue(schema: z.ZodType<string>, text: string): string | null {
  return readField(schema, text).issue ?? null;
}

function trimmed(text: string): string {
  return String(normalise(text));
}
