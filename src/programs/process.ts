/** What the programs that run until they are stopped have in common. */
import { type Logger, pino } from "pino";

/** What has not ended by then is cut off. */
export const DRAIN_MS = 10_000;

/** Standard error: standard output belongs to data and to protocols. */
export function createLog(level: string): Logger {
  return pino({ level, base: null }, pino.destination({ fd: 2, sync: true }));
}

export function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const name of ["SIGTERM", "SIGINT"] as const) process.once(name, () => resolve(name));
  });
}

/** Takes no new requests, and waits for those in flight. */
export async function drain(server: { stop: (abrupt?: boolean) => Promise<void> }): Promise<void> {
  const cutOff = setTimeout(() => void server.stop(true), DRAIN_MS);
  await server.stop();
  clearTimeout(cutOff);
}
