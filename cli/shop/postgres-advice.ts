/** Issues of PostgreSQL and of the connection to it, in words with a way out. */
import { errorFacts } from "../../src/lib/files.ts";

interface Advice {
  /**
   * Beginnings of a SQLSTATE (PostgreSQL, appendix A; two letters are a class), or of the code or name of an error of the
   * connection.
   */
  codes: readonly string[];
  reason: string;
  /** What to do, in sentences. */
  wayOut: string;
}

const URL_IS_IN = "the URL is in TINT_DATA (.env beside the catalog) or in --data";
const ADVICE: readonly Advice[] = [
  {
    codes: ["28"],
    reason: "PostgreSQL does not let this user in",
    wayOut: `Correct the user and the password: ${URL_IS_IN}.`,
  },
  {
    codes: ["3D000"],
    reason: "PostgreSQL has no database of this name",
    wayOut: "Make it with createdb, or correct the end of the URL.",
  },
  {
    // Bun sends parameters of the URL that it does not know to the server, as settings of the session.
    codes: ["42704"],
    reason: "PostgreSQL does not know a setting behind the ? of its URL",
    wayOut: `Remove the names that belong to another program, like pgbouncer: ${URL_IS_IN}.`,
  },
  {
    codes: ["42501"],
    reason: "this user is not allowed to",
    wayOut: "Make the user the owner of the database: ALTER DATABASE … OWNER TO …",
  },
  {
    codes: ["53300"],
    reason: "PostgreSQL has no connection left",
    wayOut: "Raise its max_connections, or stop programs that use it.",
  },
  { codes: ["53100"], reason: "the disk of PostgreSQL is full", wayOut: "Make room there." },
  {
    codes: ["25006"],
    reason: "this server of PostgreSQL can only be read",
    wayOut: "Name the primary in the URL, not a standby.",
  },
  {
    codes: ["57P", "ERR_POSTGRES_CONNECTION_CLOSED"],
    reason: "PostgreSQL starts, stops, or closed the connection",
    wayOut: "Try again in a moment.",
  },
  {
    codes: ["22021", "22P05"],
    reason: "a text has the character U+0000, which PostgreSQL cannot keep",
    wayOut: "Take the character out of the text.",
  },
  {
    codes: ["57014", "55P03", "ERR_POSTGRES_CONNECTION_TIMEOUT", "NoAnswer"],
    reason: "PostgreSQL does not answer in time",
    wayOut: "Look at its load, and at firewalls between this machine and the database.",
  },
  {
    codes: ["ERR_POSTGRES_CONNECTION_REFUSED", "ERR_POSTGRES_CONNECTION_FAILED"],
    reason: "nothing answers there",
    wayOut: "Check the host name and the port, that PostgreSQL runs, and that it listens on that address.",
  },
  {
    codes: ["ERR_POSTGRES_TLS_NOT_AVAILABLE"],
    reason: "PostgreSQL has no TLS",
    wayOut: "Switch on ssl in postgresql.conf, or leave sslmode out of the URL on a private network.",
  },
  {
    codes: ["ERR_POSTGRES_TLS", "CERT_", "DEPTH_ZERO", "UNABLE_TO_", "SELF_SIGNED", "ERR_TLS", "ERR_SSL"],
    reason: "the TLS certificate of PostgreSQL is not trusted",
    wayOut: "Give it a certificate for its host name, from an authority that this machine trusts.",
  },
  {
    codes: ["ERR_INVALID_URL"],
    reason: "its URL cannot be read",
    wayOut: `In a password write / as %2F, ? as %3F, # as %23 and @ as %40: ${URL_IS_IN}.`,
  },
];

/** Looks at the causes as well, because the store wraps errors. @returns undefined for an error that is none of these */
export function postgresAdvice(error: unknown): Pick<Advice, "reason" | "wayOut"> | undefined {
  for (let one: unknown = error, depth = 0; one instanceof Error && depth < 5; one = one.cause, depth++) {
    const { errno } = one as Error & { errno?: unknown };
    const codes = [errno, errorFacts(one).code, one.name].filter((code) => typeof code === "string");
    const found = ADVICE.find((issue) => issue.codes.some((code) => codes.some((has) => has.startsWith(code))));
    if (found) return found;
  }
  return undefined;
}
