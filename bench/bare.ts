/** The yardstick: a bare `Bun.serve` that answers a constant of the size in `X-Size`, as JSON. Prints the port it listens on. */
const bodies = new Map<string, string>();
const bodyOf = (size: string): string => {
  const body = bodies.get(size) ?? `{"data":"${"x".repeat(Math.max(0, Number(size) - 11))}"}`;
  bodies.set(size, body);
  return body;
};
const init = { headers: { "Content-Type": "application/json" } };

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: (request) => new Response(bodyOf(request.headers.get("x-size") ?? "100"), init),
});
process.stdout.write(`${server.port}\n`);
