/** `tint completion`: a script for the shell, and the words that the script asks for. */
import { script } from "@bomb.sh/tab";
import tab from "@bomb.sh/tab/commander";
import type { Command } from "commander";
import { placesIn } from "../arguments.ts";
import { addWords } from "../completion/stored-words.ts";
import { openShopCatalog } from "../shop/catalog.ts";
import { commandOf } from "../terminal/help.ts";
import { print } from "../terminal/output.ts";
import { oneOfWords, wordArgument } from "../typed/words.ts";
import type { CreateProgram } from "./command.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;

const HOW = `
Examples:
  bash:  tint completion bash > ~/.local/share/bash-completion/completions/tint
         without the package bash-completion: echo 'source <(tint completion bash)' >> ~/.bashrc
  zsh:   tint completion zsh > "\${fpath[1]}/_tint"
  fish:  tint completion fish > ~/.config/fish/completions/tint.fish`;

/**
 * Before the library's script for bash. Sourced twice, its read-only variables would be errors, so the second time it
 * ends at once. A function stands in for the one of the package bash-completion that the script calls.
 */
const BASH_HELPER = `declare -F __tint_complete > /dev/null && return 0
if ! declare -F _get_comp_words_by_ref > /dev/null; then
    _get_comp_words_by_ref() {
        words=("\${COMP_WORDS[@]}")
        cword=$COMP_CWORD
        cur=\${COMP_WORDS[COMP_CWORD]}
        prev=\${COMP_WORDS[COMP_CWORD - 1]}
    }
fi
`;

export function configure(command: Command, _args: readonly string[], createProgram: CreateProgram): void {
  command
    .description("Prints a script that completes commands, flags and their words in your shell.")
    .addArgument(wordArgument("<shell>", SHELLS))
    .addHelpText("after", HOW)
    .action(async (typed: string) => {
      const shell = oneOfWords("a shell", typed, SHELLS);
      if (shell === "bash") await print(BASH_HELPER);
      // The script calls `tint completion complete -- …` for the next words.
      script(shell, "tint", "tint completion");
    });
  command
    .command("complete", { hidden: true })
    .argument("[words...]")
    .action(async (words: string[]) => {
      await openShopCatalog(placesIn(words));
      const program = await createProgram((name) => name === words[0], words.slice(1));
      await addWords(commandOf(program, words), words);
      const root = tab(program);
      // The library adds a command of that name; ours is `completion complete`.
      root.commands.delete("complete");
      root.parse(words);
    });
}
