import { script } from "@bomb.sh/tab";
import tab from "@bomb.sh/tab/commander";
import { Argument, type Command } from "commander";
import { createProgram } from "../program.ts";

const HOW = `
Examples:
  bash:  tint completion bash > ~/.local/share/bash-completion/completions/tint   (needs the package bash-completion)
  zsh:   tint completion zsh > "\${fpath[1]}/_tint"
  fish:  tint completion fish > ~/.config/fish/completions/tint.fish`;

export function configure(command: Command): void {
  command
    .description("Prints a script that completes commands and flags in your shell.")
    .addArgument(new Argument("<shell>", "your shell").choices(["bash", "zsh", "fish"]))
    .addHelpText("after", HOW)
    // The script asks `tint completion complete -- …` for what may come next.
    .action((shell: string) => script(shell, "tint", "tint completion"));
  command
    .command("complete", { hidden: true })
    .argument("[words...]")
    .action(async (words: string[]) => {
      const root = tab(await createProgram((name) => name === words[0]));
      // The library's own command for this; ours stands under completion.
      root.commands.delete("complete");
      root.parse(words);
    });
}
