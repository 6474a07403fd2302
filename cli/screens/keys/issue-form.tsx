/** The form for a new key. */
import type { z } from "zod";
import { email, normalise, personName } from "../../../src/schema/fields.ts";
import { MOST_PER_MINUTE, readRate } from "../../keys/issue.ts";
import { readField } from "../../typed/fields.ts";
import { useShop } from "../kit/shell/shop.ts";
import { TextForm } from "../kit/widgets/text-form.tsx";

interface KeyFacts {
  name: string;
  email: string;
  useCase: null;
  ratePerMinute: number | null;
}

export function IssueForm({ submit, cancel }: { submit: (facts: KeyFacts) => void; cancel: () => void }) {
  const { catalog } = useShop();
  const usual = catalog?.rate_limits.api_key_per_minute ?? "number";
  return (
    <TextForm
      title="Issue a key"
      about="One key per e-mail address. The key is shown once, on the next screen."
      submit="issue the key"
      fields={[
        { label: "Name", hint: "who the key is for", check: (text) => fault(personName(), text) },
        { label: "E-mail", hint: "how to reach them", check: (text) => fault(email(), text) },
        {
          label: "Requests a minute",
          hint: `empty for the usual ${usual}`,
          check: (text) =>
            text === "" || readRate(text) !== null ? null : `must be a whole number from 1 to ${MOST_PER_MINUTE}`,
        },
      ]}
      onSubmit={([name = "", address = "", rate = ""]) =>
        submit({ name: tidy(name), email: tidy(address), useCase: null, ratePerMinute: readRate(rate) })
      }
      onCancel={cancel}
    />
  );
}

/** Why a text is refused, by the rule of the same field in the API; null when it is not. */
function fault(schema: z.ZodType<string>, text: string): string | null {
  return readField(schema, text).fault ?? null;
}

function tidy(text: string): string {
  return String(normalise(text));
}
