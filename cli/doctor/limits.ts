/** Checks whether limits are shared with other servers, as TINT_LIMITS asks for. */
import { EnvError } from "../../src/env/env.ts";
import { readLimits } from "../../src/env/settings.ts";
import { redacted } from "../../src/store/place/place.ts";
import { type Finding, fault, ok } from "./finding.ts";

const NAME = "limits";

/** @param isShared whether several servers can use the database @returns no finding for a single server without Valkey */
export async function checkLimits(isShared: boolean): Promise<Finding[]> {
  try {
    const url = readLimits();
    if (url === null) {
      return isShared ? [ok(NAME, "each server counts requests by itself; with several servers, set TINT_LIMITS")] : [];
    }
    // Loaded only where there is a Valkey to try.
    const { tryValkey } = await import("../../src/limits/valkey/trial.ts");
    const tried = await tryValkey(url);
    if ("ms" in tried) return [ok(NAME, `shared through ${redacted(url)}, in ${tried.ms.toFixed(2)} ms a request`)];
    return [
      fault(
        NAME,
        `${redacted(url)} cannot be used: ${tried.reason}. Each server counts by itself meanwhile`,
        "start Valkey; check the address, user and password in TINT_LIMITS, and with TLS the certificate",
      ),
    ];
  } catch (error) {
    if (!(error instanceof EnvError)) throw error;
    return [fault(NAME, error.message, "correct the variable, or unset it")];
  }
}
