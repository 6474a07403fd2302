/** Preloaded into a command: writes the names of all the files it loaded to the file that `TINT_TEST_LOADED` names. */
import { writeFileSync } from "node:fs";

process.on("exit", () => {
  const file = process.env.TINT_TEST_LOADED;
  // Bun keeps ES modules in the same cache as CommonJS ones.
  if (file) writeFileSync(file, JSON.stringify(Object.keys(require.cache)));
});
