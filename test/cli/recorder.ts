/** Preloaded into a command: writes the paths of all loaded files to the file named by `TINT_TEST_LOADED`. */
import { writeFileSync } from "node:fs";

process.on("exit", () => {
  const file = process.env.TINT_TEST_LOADED;
  // Bun keeps ES modules in the same cache as CommonJS ones.
  if (file) writeFileSync(file, JSON.stringify(Object.keys(require.cache)));
});
