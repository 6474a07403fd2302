/** Doctor tells apart why the public address cannot be reached. The faults are real ones, of servers on loopback. */
import { expect, test } from "bun:test";
import { siteProblem } from "../../cli/doctor/server.ts";
import { freePort } from "../process/server.ts";
import { EXPIRED, FOR_ANOTHER, FOR_LOCALHOST, KEY } from "./certificates.ts";

/** @param trusted the issuer that the caller trusts, beside the public ones */
async function reasonAt(url: string, trusted?: string, signal?: AbortSignal): Promise<string> {
  try {
    await fetch(url, { ...(trusted && { tls: { ca: trusted } }), ...(signal && { signal }) });
  } catch (error) {
    return siteProblem(error).reason;
  }
  return "answers";
}

test.each([
  ["trusted", FOR_LOCALHOST, FOR_LOCALHOST, "answers"],
  ["expired", EXPIRED, EXPIRED, "shows a certificate that has expired"],
  ["for another name", FOR_ANOTHER, FOR_ANOTHER, "shows a certificate for another name"],
  ["of an unknown issuer", FOR_LOCALHOST, undefined, "shows a certificate of an issuer that nobody trusts"],
])("a certificate that is %s", async (_, cert, trusted, reason) => {
  await using server = Bun.serve({ port: 0, tls: { key: KEY, cert }, fetch: () => new Response("here") });
  expect(await reasonAt(`https://localhost:${server.port}/`, trusted)).toBe(reason);
});

test("no TLS, nobody there, no such name, no answer", async () => {
  await using plain = Bun.serve({ port: 0, fetch: () => new Response("here") });
  await using silent = Bun.serve({ port: 0, fetch: () => new Promise<Response>(() => {}) });
  expect(await reasonAt(`https://localhost:${plain.port}/`)).toBe("does not speak TLS");
  expect(await reasonAt(`https://localhost:${freePort()}/`)).toBe("refuses the connection");
  expect(await reasonAt("https://shop.invalid/")).toBe("has no address: the domain is not known");
  const late = await reasonAt(`http://localhost:${silent.port}/`, undefined, AbortSignal.timeout(50));
  expect(late).toBe("does not answer in time");
  expect(siteProblem(new Error("anything else")).reason).toBe("does not answer");
});
