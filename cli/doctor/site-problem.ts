/** Why the public address does not answer, in words, and what to do about it. */
import { errorFacts } from "../../src/lib/files.ts";

interface SiteProblem {
  reason: string;
  fix: string;
}

const RENEW =
  "look at the log of the web server in front (journalctl -u caddy): it renews the certificate, or says why not";
const ISSUER = {
  reason: "shows a certificate of an issuer that nobody trusts",
  fix: "let the web server in front get one from a public issuer (Caddy does by itself), with the certificates between",
};

/** By the error codes of fetch. */
const PROBLEMS: Readonly<Record<string, SiteProblem>> = {
  CERT_HAS_EXPIRED: { reason: "shows a certificate that has expired", fix: RENEW },
  CERT_NOT_YET_VALID: { reason: "shows a certificate that is not valid yet", fix: "set the clock of this machine" },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    reason: "shows a certificate for another name",
    fix: "name this domain in the web server in front: see deploy/Caddyfile",
  },
  DEPTH_ZERO_SELF_SIGNED_CERT: ISSUER,
  SELF_SIGNED_CERT_IN_CHAIN: ISSUER,
  UNABLE_TO_GET_ISSUER_CERT: ISSUER,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ISSUER,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ISSUER,
  EPROTO: {
    reason: "does not speak TLS",
    fix: "let the web server in front serve https on port 443: see deploy/Caddyfile",
  },
  ECONNREFUSED: {
    reason: "refuses the connection",
    fix: "start the web server in front (systemctl status caddy), and open ports 80 and 443 in the firewall",
  },
  ENOTFOUND: { reason: "has no address: the domain is not known", fix: "point the domain at this machine" },
  TimeoutError: {
    reason: "does not answer in time",
    fix: "point the domain at this machine, and open ports 80 and 443 in the firewall",
  },
};

const UNKNOWN: SiteProblem = {
  reason: "does not answer",
  fix: "point the domain at this machine, and put a web server with a certificate in front: see deploy/Caddyfile",
};

/** @param error of fetch */
export function siteProblem(error: unknown): SiteProblem {
  const { code, name } = errorFacts(error);
  return PROBLEMS[code ?? ""] ?? PROBLEMS[name ?? ""] ?? UNKNOWN;
}
