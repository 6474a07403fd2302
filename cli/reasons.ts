/** Codes of the system in the owner's words. */

const REASONS: Record<string, string> = {
  ENOENT: "there is no such file or folder",
  ENOTDIR: "a part of the path is a file, not a folder",
  EISDIR: "it is a folder",
  EEXIST: "there is a file of that name already",
  EACCES: "you are not allowed to",
  EPERM: "you are not allowed to",
  EROFS: "the disk can only be read",
  ENOSPC: "the disk is full",
  EPIPE: "whatever read it has stopped reading",
  EBADF: "it is closed",
  EIO: "the disk does not answer",
};

export function reasonOf(code: string): string {
  return REASONS[code] ?? code;
}
