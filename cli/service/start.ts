/** Starts the server and the nightly backup, once their units are written. */
import { askServer } from "../doctor/port.ts";
import { Failure } from "../failure.ts";
import { SERVER_UNIT, TIMER_UNIT } from "./units.ts";

interface StartOptions {
  /** Runs systemctl with these words. */
  systemctl: (...words: string[]) => void;
  host: string;
  port: number;
  /** How long the server may take to be ready. */
  withinMs?: number;
}

/** Starts both units, and waits until the server is ready. @throws Failure when it is not */
export async function startUnits({ systemctl, host, port, withinMs = 10_000 }: StartOptions): Promise<void> {
  systemctl("daemon-reload");
  systemctl("enable", SERVER_UNIT, TIMER_UNIT);
  // A server that already runs gets the new unit only by a restart.
  systemctl("restart", SERVER_UNIT, TIMER_UNIT);
  // With port 0 the server takes any free one, and only its log says which.
  if (port === 0) return;
  const end = performance.now() + withinMs;
  while ((await askServer(host, port))?.status !== "ready") {
    if (performance.now() > end)
      throw new Failure(
        `The server was started, but is not ready on ${host}:${port}. See why with journalctl -u tintdesk -n 20, and tint doctor. systemd goes on trying.`,
      );
    await Bun.sleep(100);
  }
}
