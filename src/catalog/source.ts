/** Where the text of a catalog is kept: a file, or the database that several machines share. */
import type { ShopAddress } from "./at-site.ts";

/** The text that a program took last, for a start after a faulty edit and a reboot. */
export interface TextInForce {
  read: () => Uint8Array | null;
  /** Does nothing where it cannot be written. */
  keep: (bytes: Uint8Array) => void;
}

interface CatalogText {
  bytes: Uint8Array;
  /** SHA-256 of the bytes. */
  hash: string;
  /** Null for a file, which has no numbers. */
  version: number | null;
  /** The source, and the version where it has numbers: issues in the text name it. */
  name: string;
}

/** A change of the text, ready to be saved. */
export interface Replacement {
  was: string;
  text: string;
  /** False when there is nothing to save. */
  changed: boolean;
}

export interface SaveOptions {
  /** How long to wait for other programs that save, in milliseconds. */
  waitMs?: number;
  /** Names the change in the history; a file keeps no notes. */
  note?: string;
  /** Saves also where there is no catalog yet; the change is then made from an empty text. Only in a database. */
  create?: boolean;
}

export interface EarlierText {
  number: number;
  text: string;
  /** When the version after it was saved, in epoch milliseconds. */
  replacedAt: number;
}

export interface CatalogSource {
  /** Where the shop is reached; null leaves the catalog's addresses as they are. The port is set once the server listens. */
  readonly address: ShopAddress | null;
  /** The folder in which the hashes of good texts are remembered, which only the owner may write; null without one. */
  readonly memory: string | null;
  /** As messages name it. */
  readonly name: string;
  /** The path of the file; null in a database. */
  readonly file: string | null;
  /** Null in a database, where every text was checked before it was saved, and without a data folder. */
  readonly inForce: TextInForce | null;
  /** The current text; of a database, as it was last seen. @throws CatalogError when there is none, or it cannot be read */
  read: () => CatalogText;
  watch: () => CatalogLook;
  /**
   * Saves a change, unless it changes nothing.
   * @param work makes the change from the newest text; called again where somebody else saved in the meantime
   * @returns the change; `undoable` is false when the text before could not be kept
   * @throws EditError when it cannot be saved, or whatever `work` throws; nothing is changed then
   */
  save: <T extends Replacement>(work: (text: string) => T, options?: SaveOptions) => Promise<T & { undoable: boolean }>;
  /** As `tint catalog history` counts; without a number, the version before the last save. */
  earlier: (number?: number) => Promise<EarlierText | null>;
}

interface CatalogLook {
  everyMs: number;
  hasChanged: () => boolean | Promise<boolean>;
  /** Notes that the text was read in its present state. */
  settle: () => void;
}

/** An edit cannot be made. The owner reads the message. */
export class EditError extends Error {
  override readonly name = "EditError";
}
