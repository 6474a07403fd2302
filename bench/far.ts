/**
 * A network that takes a while: passes on what a program says to a port of this machine so many milliseconds later, and the
 * answers at once. Prints the port that it listens on.
 *
 *   bun bench/far.ts <port> <milliseconds>
 */
import { connect, createServer } from "node:net";

const [port, ms] = process.argv.slice(2).map(Number) as [number, number];

const server = createServer({ noDelay: true }, (near) => {
  const far = connect({ port, host: "127.0.0.1", noDelay: true });
  // In their order, whatever the timers do.
  const said: Buffer[] = [];
  near.on("data", (chunk: Buffer) => {
    said.push(chunk);
    setTimeout(() => far.write(said.shift() as Buffer), ms);
  });
  far.on("data", (chunk) => near.write(chunk));
  for (const socket of [near, far]) {
    socket.on("error", () => {});
    socket.on("close", () => {
      near.destroy();
      far.destroy();
    });
  }
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address && typeof address === "object") process.stdout.write(`${address.port}\n`);
});
