/** Copies all data of a location to an empty one. The engines can differ. */
import { existsSync, realpathSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { flush, makeFolder, makePrivate, removeTemporaries, temporaryName } from "../../lib/files.ts";
import { type Copied, CopyRefused, copyRows, type Progress, type RowSource, type RowTarget } from "../copy-rows.ts";
import { versionError } from "../migrations.ts";
import { postgresDifference } from "../postgres/migrate.ts";
import { fillPostgres, readPostgresRows } from "../postgres/postgres.ts";
import { doubtDueJobs } from "../queries/claims.ts";
import { databaseFile } from "../sqlite/database.ts";
import { takeFolder } from "../sqlite/file-lock.ts";
import { hasOurTables, inspectDatabase, readDatabase, schemaDifference } from "../sqlite/inspect.ts";
import { schemaVersion } from "../sqlite/migrate.ts";
import { enterFolder } from "../sqlite/restore.ts";
import { fillSqliteFile, readSqliteRows } from "../sqlite/sqlite.ts";
import type { DataLocation } from "./location.ts";

/** A location, or a copy that `tint backup` made. */
export type CopySource = DataLocation | { kind: "file"; file: string };

/** Writes a consistent copy of a PostgreSQL database to an empty file, as SQLite. */
export function copyToFile(url: string, file: string): Promise<Copied> {
  return readPostgresRows(url, (from) => fillSqliteFile(file, (to) => copyRows(from, to)));
}

/** One of the locations failed; `cause` is its error. Nothing was copied. */
export class CopyError extends Error {
  override readonly name = "CopyFault";
  constructor(
    readonly at: "from" | "to",
    cause: unknown,
  ) {
    super(`the place to copy ${at} failed`, { cause });
  }
}

/** As they are at this moment; every row is compared afterwards. After an error the target is as it was. */
export async function copyData(from: CopySource, to: DataLocation, onProgress?: Progress): Promise<Copied> {
  if (isSameLocation(from, to)) throw new CopyRefused("to", "the data are there already");
  let at: CopyError["at"] = "from";
  try {
    return await read(from, (source) => {
      at = "to";
      return fill(to, async (target) => {
        const copied = await copyRows(source, target, onProgress);
        // The database of which the file is a copy went on.
        if (from.kind === "file") await target.perform(doubtDueJobs(Date.now()));
        return copied;
      });
    });
  } catch (error) {
    throw error instanceof CopyRefused ? error : new CopyError(at, error);
  }
}

async function read(from: CopySource, work: (from: RowSource) => Promise<Copied>): Promise<Copied> {
  if (from.kind === "url") return readPostgres(from.url, work);
  if (from.kind === "file") return readFile(from.file, work);
  const file = databaseFile(from.folder);
  // Keeps a restore from replacing the file meanwhile.
  const leave = enterFolder(file);
  try {
    return await readFile(file, work);
  } finally {
    leave();
  }
}

async function readPostgres(url: string, work: (from: RowSource) => Promise<Copied>): Promise<Copied> {
  const difference = await postgresDifference(url);
  if (difference !== undefined) throw new CopyRefused("from", difference);
  return readPostgresRows(url, work);
}

async function readFile(file: string, work: (from: RowSource) => Promise<Copied>): Promise<Copied> {
  if (!hasOurTables(file)) throw new CopyRefused("from", "it is not a database of Tintdesk, or it is damaged");
  const version = readDatabase(file, schemaVersion);
  // First, because a look for damage computes what the schema says. A database of another version is refused later.
  const difference = version === 0 || versionError(version) ? undefined : schemaDifference(file);
  if (difference !== undefined) throw new CopyRefused("from", difference);
  const { issues } = inspectDatabase(file);
  if (issues.length > 0) throw new CopyRefused("from", `it is damaged: ${issues.join("; ")}`);
  return readSqliteRows(file, work);
}

async function fill(to: DataLocation, work: (to: RowTarget) => Promise<Copied>): Promise<Copied> {
  if (to.kind === "url") return fillPostgres(to.url, work);
  const file = databaseFile(to.folder);
  makeFolder(to.folder);
  const release = takeFolder(to.folder);
  const temporary = temporaryName(file);
  try {
    if (existsSync(file)) throw new CopyRefused("to", "there is a database already");
    // The folder is locked, so no other copy is at work.
    removeTemporaries(file);
    makePrivate(temporary);
    const copied = await fillSqliteFile(temporary, work);
    flush(temporary);
    renameSync(temporary, file);
    flush(dirname(file));
    return copied;
  } finally {
    rmSync(temporary, { force: true });
    release();
  }
}

function isSameLocation(from: CopySource, to: DataLocation): boolean {
  if (from.kind === "url") return to.kind === "url" && databaseAddress(from.url) === databaseAddress(to.url);
  if (to.kind === "url") return false;
  const file = from.kind === "file" ? from.file : databaseFile(from.folder);
  return existsSync(databaseFile(to.folder)) && realpathSync(file) === realpathSync(databaseFile(to.folder));
}

/** Server and database, without the user. */
function databaseAddress(url: string): string {
  const { host, pathname, searchParams } = new URL(url);
  return [host.replace(/:5432$/, ""), pathname, searchParams.get("host")].join(" ");
}
