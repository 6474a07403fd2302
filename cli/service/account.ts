/** The user that a service runs as. */
import { readFileSync, statSync } from "node:fs";
import { Failure } from "../failure.ts";

export interface Account {
  name: string;
  uid: number;
  gid: number;
}

/**
 * The account of that name; by default the owner of the folder.
 * @throws Failure when there is none, or when root would run the server
 */
export function accountFor(folder: string, name: string | undefined): Account {
  const accounts = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
    .map(([login = "", , uid, gid]): Account => ({ name: login, uid: Number(uid), gid: Number(gid) }));
  const { uid } = statSync(folder);
  const found = accounts.find((one) => (name === undefined ? one.uid === uid : one.name === name));
  if (!found)
    throw new Failure(
      name === undefined ? `${folder} belongs to no user of this machine.` : `There is no user ${name}.`,
    );
  if (found.uid === 0)
    throw new Failure(
      `The server would run as root. Give it a user of its own:\n  useradd --system --home-dir ${folder} tintdesk\n  chown -R tintdesk: ${folder}\nThen run this again.`,
    );
  return found;
}
