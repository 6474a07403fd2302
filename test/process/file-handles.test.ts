/** A server that is out of file handles still serves open connections, and new ones once handles are free again. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { API, BOOKING } from "../helpers.ts";
import { dateIn, NO_LIMITS, OPEN_DAILY, rawConnection, shopFolder, startServer } from "./server.ts";

setDefaultTimeout(30_000);

test("out of file handles: /livez, reads and the first booking are answered, and a new caller when one goes", async () => {
  using folder = shopFolder({ ...OPEN_DAILY, ...NO_LIMITS });
  await using server = await startServer(folder, { handles: 48 });
  using connected = await rawConnection(server.port);
  let answers = 0;
  const ask = async (method: string, path: string, body = "") => {
    connected.send(`${method} ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    answers += 1;
    const { text } = await connected.receive((soFar) => soFar.split("HTTP/1.1 ").length > answers);
    return Number(text.split("HTTP/1.1 ")[answers]?.slice(0, 3));
  };
  expect(await ask("GET", "/livez")).toBe(200);

  // An answer shows that a connection was accepted.
  const others = await Promise.all(Array.from({ length: 60 }, () => rawConnection(server.port)));
  for (const one of others) one.send("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const accepted = await Promise.all(
    others.map((one) =>
      one
        .receive((text) => text.includes("alive"), 1_000)
        .then(
          ({ text }) => text.includes("alive"),
          () => false,
        ),
    ),
  );
  expect(accepted).toContain(true);
  expect(accepted).toContain(false);

  expect(await ask("GET", "/livez")).toBe(200);
  expect(await ask("GET", `${API}/services`)).toBe(200);
  expect(await ask("POST", `${API}/bookings`, JSON.stringify({ ...BOOKING, date: dateIn(3) }))).toBe(201);

  for (const one of others) one.reset();
  expect((await server.fetch("/livez")).status).toBe(200);
});
