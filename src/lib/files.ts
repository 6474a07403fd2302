/** Files of the shop's user, also when root makes them, that no link leads elsewhere; and what the system's errors mean. */
import {
  closeSync,
  constants,
  fchownSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/** Makes a new file, whole or not at all. Throws EEXIST also where a link stands: whoever put it there wants another file written. */
export function makeFile(file: string, content: string | Uint8Array, mode = 0o666): void {
  const handle = openSync(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
  try {
    leaveHandleToOwner(handle, file);
    writeFileSync(handle, content);
    fsyncSync(handle);
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  } finally {
    closeSync(handle);
  }
}

/** Makes a file that only its owner may read. */
export function makePrivate(file: string, content: string | Uint8Array = ""): void {
  makeFile(file, content, 0o600);
}

/** A name that nobody can guess, in the folder of a file: a rename between disks is not one step. */
export function temporaryName(file: string): string {
  return join(dirname(file), `.${basename(file)}.${crypto.randomUUID()}.tmp`);
}

/** Puts a private file in the place of the one before, all or nothing. @throws the system's error */
export function replacePrivately(file: string, content?: string | Uint8Array): void {
  const temporary = temporaryName(file);
  try {
    makePrivate(temporary, content);
    renameSync(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Removes what a killed program left under names of `temporaryName`. Call it while no other program makes the file. */
export function removeTemporaries(file: string): void {
  const isTemporary = new RegExp(`^\\.${RegExp.escape(basename(file))}\\.[0-9a-f-]{36}\\.tmp(-journal)?$`);
  const folder = dirname(file);
  try {
    for (const name of readdirSync(folder)) if (isTemporary.test(name)) rmSync(join(folder, name), { force: true });
  } catch {
    // A folder that cannot be listed or cleaned does not stop the work.
  }
}

/** Only its owner may enter it; folders above it are made too, each left to the owner of the one above. */
export function makeFolder(folder: string): void {
  const first = mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  const made = [resolve(folder)];
  while (made[0] !== undefined && made[0].length > resolve(first).length) made.unshift(dirname(made[0]));
  made.forEach(leaveToOwner);
}

/**
 * Gives what root has just made to the owner of the folder it is in: `sudo tint …` must not lock out the server, which runs
 * as the shop's user. A link, or a second name of another file, is left alone: that user might have put it there to get
 * the file that it leads to.
 */
export function leaveToOwner(path: string): void {
  if (process.getuid?.() !== 0) return;
  let handle: number;
  try {
    handle = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch {
    return;
  }
  try {
    leaveHandleToOwner(handle, path);
  } finally {
    closeSync(handle);
  }
}

function leaveHandleToOwner(handle: number, path: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(path));
  const own = fstatSync(handle);
  if (uid !== 0 && (own.isDirectory() || own.nlink === 1)) fchownSync(handle, uid, gid);
}

/** Waits until a file, or the names in a folder, are on the disk. */
export function flush(path: string): void {
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

const EXPLANATIONS: Record<string, string> = {
  ENOENT: "there is no such file or folder",
  ENOTDIR: "a part of the path is a file, not a folder",
  EISDIR: "it is a folder",
  EEXIST: "a file of that name exists already",
  EACCES: "you are not allowed to",
  EPERM: "you are not allowed to",
  EROFS: "the disk can only be read",
  ENOSPC: "the disk is full",
  EPIPE: "the program that read it has stopped",
  EBADF: "it is closed",
  EIO: "the disk does not answer",
  EFBIG: "the file is too large for the disk",
  EDQUOT: "your share of the disk is used up",
  ENAMETOOLONG: "the name is too long",
  ELOOP: "its links form a circle",
  EMFILE: "too many files are open",
  EADDRNOTAVAIL: "this machine has no such address",
  SQLITE_FULL: "the disk is full",
  // SQLite cannot make room for its shared memory.
  SQLITE_IOERR_SHMSIZE: "the disk is full",
  SQLITE_IOERR: "the disk does not answer",
  SQLITE_CANTOPEN: "the file cannot be opened",
  SQLITE_READONLY: "the file can only be read",
  SQLITE_BUSY: "another program is using it",
  SQLITE_PERM: "you are not allowed to",
  SQLITE_AUTH: "you are not allowed to",
};

/** Reads anything thrown. A field of another type counts as missing. */
export function errorFacts(error: unknown) {
  const fields: Record<string, unknown> = Object(error);
  const text = (value: unknown) => (typeof value === "string" ? value : undefined);
  return {
    name: text(fields.name),
    /** Like `ENOENT` or `SQLITE_FULL`. */
    code: text(fields.code),
    message: text(fields.message),
    syscall: text(fields.syscall),
    /** The SMTP command that failed, like `RCPT TO`. */
    command: text(fields.command),
    responseCode: typeof fields.responseCode === "number" ? fields.responseCode : undefined,
  };
}

/** The code of an error, like `ENOENT` or `SQLITE_FULL`; undefined when it has none. */
export function codeOf(error: unknown): string | undefined {
  return errorFacts(error).code;
}

/** How the owner repairs a damaged database. */
export const HOW_TO_REPAIR = "stop the server, then put back the last good copy: tint restore FILE";

export function meansDamage(code: string | undefined): boolean {
  return ["SQLITE_CORRUPT", "SQLITE_NOTADB"].some((one) => code?.startsWith(one));
}

/** The reason in words; an unknown code is returned as it is. */
export function explainCode(code: string | undefined): string {
  if (code === undefined) return "the reason is not known";
  // SQLite adds a detail to some codes: SQLITE_IOERR_WRITE.
  return EXPLANATIONS[code] ?? EXPLANATIONS[code.replace(/^(SQLITE_[A-Z]+)_.*/, "$1")] ?? code;
}
