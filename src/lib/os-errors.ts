/** Error codes of the operating system and of SQLite, and what they mean to the owner. */

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
    /** The system call that failed. */
    syscall: text(fields.syscall),
    /** The status that a mail server answered. */
    responseCode: typeof fields.responseCode === "number" ? fields.responseCode : undefined,
  };
}

/** The code of an error, like `ENOENT` or `SQLITE_FULL`; undefined when it has none. */
export function codeOf(error: unknown): string | undefined {
  return errorFacts(error).code;
}

/** How the owner repairs a damaged database. */
export const HOW_TO_REPAIR = "stop the server, then put back the last good copy: tint restore FILE";

/** Whether a code of SQLite says that the database is damaged. */
export function meansDamage(code: string | undefined): boolean {
  return ["SQLITE_CORRUPT", "SQLITE_NOTADB"].some((one) => code?.startsWith(one));
}

/** The reason in words; an unknown code is returned as it is. */
export function explainCode(code: string | undefined): string {
  if (code === undefined) return "the reason is not known";
  // SQLite adds a detail to some codes: SQLITE_IOERR_WRITE.
  return EXPLANATIONS[code] ?? EXPLANATIONS[code.replace(/^(SQLITE_[A-Z]+)_.*/, "$1")] ?? code;
}
