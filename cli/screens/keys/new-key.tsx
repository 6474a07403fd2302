/** A key just made, shown this once. */
import { Box, Text, useStdout } from "ink";
import type { IssuedKey } from "../../../src/store/store.ts";
import { key } from "../kit/input/bindings.ts";
import { useNav } from "../kit/shell/navigation.ts";
import { Paragraph } from "../kit/text/lines.tsx";
import { Frame } from "../kit/widgets/frame.tsx";

interface NewKeyProps {
  secret: string;
  issued: IssuedKey;
  close: () => void;
}

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
        key("c", "copy", copy, "Put the key on the clipboard, in terminals that allow it."),
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

/** OSC 52: asks the terminal to put text on the clipboard, over SSH too. */
function copySequence(text: string): string {
  return `\u001b]52;c;${Buffer.from(text).toString("base64")}\u0007`;
}
