/** Saves an edit of the catalog: only a catalog without issues. What differs is told value by value. */

import { CatalogError, readText, textOrEmpty } from "../load/document.ts";
import { rememberSaved } from "../load/load.ts";
import { parseCatalog, parseText } from "../load/parse.ts";
import { derive, type Shop } from "../shop.ts";
import type { CatalogSource, Replacement, SaveOptions } from "../source.ts";

export interface Edit extends Replacement {
  /** The catalog before the change; null when it was faulty and the change fixes it. */
  before: Shop | null;
  after: Shop;
  /** False when it was saved, but the version before could not be kept. */
  undoable: boolean;
}

type Change = (text: string) => string;

/** A server that watches it takes the change over. `change` gets the newest text. Throws CatalogError or EditError, and nothing changed. */
export async function editCatalog(source: CatalogSource, change: Change, options: SaveOptions = {}): Promise<Edit> {
  const { values, ...edit } = await source.save((text) => editOf(text, change, source.name), options);
  if (edit.changed) rememberSaved(source, { text: edit.text, values });
  return edit;
}

/** The result of a change, without saving it. Throws as `editCatalog` does. */
export function previewEdit(source: CatalogSource, change: Change, { create = false }: SaveOptions = {}): Edit {
  const text = create ? textOrEmpty(source) : readText(source);
  const { values: _, ...edit } = editOf(text, change, source.name);
  return { ...edit, undoable: true };
}

function editOf(text: string, change: Change, name: string): Omit<Edit, "undoable"> & { values: unknown } {
  const edited = change(text);
  const changed = edited !== text;
  const { catalog, values } = parseText(Buffer.from(edited), name);
  const after = derive(catalog);
  return { before: changed ? parsedOrNull(text, name) : after, after, values, was: text, text: edited, changed };
}

function parsedOrNull(text: string, name: string): Shop | null {
  try {
    return parseCatalog(Buffer.from(text), name);
  } catch (error) {
    if (error instanceof CatalogError) return null;
    throw error;
  }
}
