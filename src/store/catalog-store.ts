/** The versions of a catalog in the database that several machines share. */

/** The name in messages. */
export const STORED_CATALOG = "the catalog in the database";

export interface CatalogFacts {
  version: number;
  /** SHA-256 of the text. */
  hash: string;
  /** Epoch milliseconds. */
  madeAt: number;
  /** User and machine. */
  madeBy: string;
  /** A line that names the change. */
  note: string;
}

export interface StoredCatalog extends CatalogFacts {
  text: string;
}

export interface CatalogStore {
  /** The number of the version in force; 0 while there is none. */
  latest: () => Promise<number>;
  /** @param version by default the one in force @returns null where there is no such version */
  read: (version?: number) => Promise<StoredCatalog | null>;
  /** The newest first. */
  history: (limit: number) => Promise<CatalogFacts[]>;
  /** Adds a version. @returns false when another version has this number already; nothing is changed then */
  add: (next: StoredCatalog) => Promise<boolean>;
  close: () => Promise<void>;
}
