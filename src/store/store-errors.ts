/** The errors of a database, the same for both engines. */

/** The database cannot be used now: locked, full, read-only, deleted, or silent. Nothing was stored. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
}

/** SQLite found damaged pages in the file. */
export class StoreDamaged extends Error {
  override readonly name = "StoreDamaged";
}

/** The database or its writer did not answer a write. Whether the write was stored is not known. */
export class OutcomeUnknown extends Error {
  override readonly name = "OutcomeUnknown";
}

/** The tables of the database are none that this program knows. Nothing was changed. */
class UnknownVersion extends Error {
  /** @param reason what the message says of the database @param wayOut what to do */
  constructor(
    readonly reason: string,
    readonly wayOut: string,
  ) {
    super(`the database ${reason}; ${wayOut}`);
  }
}

export class StoreTooNew extends UnknownVersion {
  override readonly name = "StoreTooNew";
  constructor(version: number, known: number) {
    super(`is of version ${version}, newer than this program (${known})`, "update Tintdesk");
  }
}

/** The tables are not those of their version. */
export class StoreDiffers extends UnknownVersion {
  override readonly name = "StoreDiffers";
  /** @param difference like `it lacks the index "…"` */
  constructor(version: number, difference: string) {
    super(
      `calls itself version ${version}, but is not as that version is: ${difference}`,
      "open it with the Tintdesk that made it, or restore a backup",
    );
  }
}

/** A file of another program, or a copy that was made without the log in which the tables stand. */
export class StoreForeign extends UnknownVersion {
  override readonly name = "StoreForeign";
  constructor() {
    super(
      "has none of the tables of Tintdesk",
      "copy it together with its -wal file, restore a backup, or move it away to begin anew",
    );
  }
}

/** The database is from before the first version that this program can bring up to date. */
export class StoreTooOld extends UnknownVersion {
  override readonly name = "StoreTooOld";
  constructor(version: number, oldest: number) {
    const reason = `is of version ${version}, older than this program can bring up to date (from ${oldest} on)`;
    super(reason, "open it with the Tintdesk that made it");
  }
}
