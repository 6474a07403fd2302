/** The catalog in the database: its versions, and a source that compares the version before a save. */
import { NoCatalog } from "../../catalog/load/document.ts";
import { changedPaths } from "../../catalog/load/values.ts";
import { type CatalogSource, EditError } from "../../catalog/source.ts";
import { OutcomeUnknown, StoreUnavailable } from "../store-errors.ts";

/** How often the version is looked at; a change is in force within 2 seconds (contract 19). */
const LOOK_MS = 500;
/** How long a save goes on while others save as well. */
const WAIT_MS = 10_000;

function noStoredCatalogMessage(location: string): string {
  return `There is no catalog in the database ${location} yet. To put one there: tint catalog import catalog.yaml. To make the catalog of a new shop first: tint init.`;
}

interface Origin {
  location: string;
  /** Who saves, for the history: user and machine. */
  by: string;
}

/** Reads the text in force. @throws the error of a database that cannot be used */
export async function openStoredCatalog(store: CatalogStore, { location, by }: Origin): Promise<CatalogSource> {
  let seen = await store.read();

  return {
    ...IN_DATABASE,
    read() {
      if (!seen)
        throw new NoCatalog(STORED_CATALOG, [`there is none in ${location}`], noStoredCatalogMessage(location));
      const { text, hash, version } = seen;
      return { bytes: Buffer.from(text), hash, version, name: `${STORED_CATALOG} (version ${version})` };
    },
    watch() {
      let settled = seen?.version;
      return {
        everyMs: LOOK_MS,
        async hasChanged() {
          try {
            if ((await store.latest()) !== (seen?.version ?? 0)) seen = await store.read();
          } catch {
            // Without the database the last text stays in force; `/readyz` and doctor say that the database is away.
            return false;
          }
          const hasChanged = seen?.version !== settled;
          settled = seen?.version;
          return hasChanged;
        },
        settle() {
          settled = seen?.version;
        },
      };
    },
    async save(work, { waitMs = WAIT_MS, note, create = false } = {}) {
      const deadline = performance.now() + waitMs;
      for (;;) {
        seen = await orRefuse(store.read(), "Nothing was saved.");
        if (!seen && !create) throw new EditError(noStoredCatalogMessage(location));
        const made = work(seen?.text ?? "");
        if (!made.changed) return { ...made, undoable: true };
        if (made.text.includes("\0"))
          throw new EditError("The text has a NUL character, which a database cannot keep.");
        const changed = [note, seen && changedPaths(made)].filter(Boolean).join(": ");
        const next = versionAfter(seen, made.text, by, changed);
        if (await orRefuse(store.add(next), UNKNOWN)) {
          seen = next;
          return { ...made, undoable: true };
        }
        if (performance.now() > deadline)
          throw new EditError("Others change the catalog all the time; nothing was saved. Try again in a moment.");
      }
    },
    async earlier(number) {
      const latest = await store.latest();
      const version = number ?? latest - 1;
      const [found, after] = await Promise.all([store.read(version), store.read(version + 1)]);
      return found && { number: version, text: found.text, replacedAt: after?.madeAt ?? found.madeAt };
    },
  };
}

const UNKNOWN = "Whether the change was saved is not known: tint catalog history tells it once the database answers.";

/** Waits for the database. @throws EditError when it does not answer */
async function orRefuse<T>(answer: Promise<T>, outcome: string): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof StoreUnavailable || error instanceof OutcomeUnknown)
      throw new EditError(`The database does not answer. ${outcome}`);
    throw error;
  }
}

function versionAfter(was: StoredCatalog | null, text: string, madeBy: string, note: string): StoredCatalog {
  const hash = Bun.CryptoHasher.hash("sha256", text, "hex");
  return { version: (was?.version ?? 0) + 1, text, hash, madeAt: Date.now(), madeBy, note };
}

export const STORED_CATALOG = "the catalog in the database";
/** What a source in a database has in place of a file. */
export const IN_DATABASE = { address: null, memory: null, name: STORED_CATALOG, file: null, inForce: null };

export interface StoredCatalog {
  version: number;
  text: string;
  /** SHA-256 of the text. */
  hash: string;
  /** Epoch milliseconds. */
  madeAt: number;
  /** User and machine. */
  madeBy: string;
  /** A line that names the change. */
  note: string;
}

export interface CatalogStore {
  /** The number of the version in force; 0 while there is none. */
  latest: () => Promise<number>;
  /** @param version by default the one in force @returns null where there is no such version */
  read: (version?: number) => Promise<StoredCatalog | null>;
  /** The newest first. */
  history: (limit: number) => Promise<Omit<StoredCatalog, "text">[]>;
  /** Adds a version. @returns false when another version has this number already; nothing is changed then */
  add: (next: StoredCatalog) => Promise<boolean>;
  close: () => Promise<void>;
}
