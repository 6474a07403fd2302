/** A hash of the code that checks a catalog, for a checkout, where the code may change between two runs. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "../../..");
/** The rooms that src/catalog may import (see test/architecture.test.ts), and the versions of the libraries. */
const PARTS = ["bun.lock", "src/vocabulary.ts", "src/errors.ts", "src/lib", "src/schema", "src/catalog"];

/** @returns undefined when a part cannot be read, as in the executable */
export function codeHash(root: string = ROOT): string | undefined {
  try {
    const hash = new Bun.CryptoHasher("sha256").update(Bun.version);
    for (const part of PARTS) {
      for (const file of filesOf(join(root, part)))
        hash.update(`\0${file.slice(root.length)}\0`).update(readFileSync(file));
    }
    return hash.digest("hex");
  } catch {
    return undefined;
  }
}

function filesOf(part: string): string[] {
  if (/\.\w+$/.test(part)) return [part];
  return readdirSync(part, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
}
