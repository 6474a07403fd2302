/** Pushes to the CRM: signed, with one id per event, and to the right address only. */
import { expect, test } from "bun:test";
import { type AddressInfo, createServer } from "node:net";
import { pushToCrm } from "../../src/messages/webhook.ts";
import { API, catalogWith, QUOTE, testApp } from "../helpers.ts";
import { leadChange } from "../store/conformance-values.ts";
import { startOutbox, untilIs } from "./outbox.ts";
import { CRM_SECRET, startCrm } from "./receivers.ts";

const NEVER = new AbortController().signal;

test("every attempt at an event carries the same id and a signature", async () => {
  using crm = startCrm((nth) => [500, 307, 429, 204][nth - 1] ?? 204);
  const outbox = startOutbox({ crm: crm.settings });
  const change = leadChange({ id: "evt_one" });
  const id = await outbox.add({ kind: "push_to_crm", payload: { ...change, lead: { ...change.lead, name: "Zoë" } } });
  expect(await outbox.settled(id)).toMatchObject({ status: "done", attempts: 4 });
  expect(crm.refused).toEqual([]);
  expect(crm.pushed).toHaveLength(4);
  for (const pushed of crm.pushed)
    expect(pushed).toMatchObject({ id: "evt_one", event: { type: "lead.created", data: { name: "Zoë" } } });
  expect(new Set(crm.pushed.map(({ event }) => JSON.stringify(event))).size).toBe(1);
});

test.each([
  [204, { kind: "done" }],
  [307, { kind: "retry", reason: "the CRM answered 307; redirects are not followed" }],
  [400, { kind: "retry", reason: "the CRM answered 400" }],
  [410, { kind: "failed", reason: "the CRM answered 410: it wants no more events" }],
  [503, { kind: "retry", reason: "the CRM answered 503" }],
] as const)("%d of the CRM", async (status, outcome) => {
  using crm = startCrm(() => status);
  expect(await pushToCrm(leadChange(), crm.settings, NEVER)).toEqual(outcome);
  expect(crm.pushed).toHaveLength(1);
});

test("the CRM is told of a new lead and of every change", async () => {
  using crm = startCrm();
  const outbox = startOutbox({ crm: crm.settings });
  const app = testApp({ store: outbox.store, now: Temporal.Now.instant() });
  const body = { ...QUOTE, phone: "(404) 555-0112 x7", message: "two panes" };
  const { json } = await app.post(`${API}/quote-request`, body);
  await untilIs(() => crm.pushed.length, 1);
  await outbox.store.moveLead({ id: json.data.lead_id, to: "contacted", note: "calls back", at: Date.now() });
  await untilIs(() => crm.pushed.length, 2);
  const [created, updated] = crm.pushed;
  const { lead_id, reference } = json.data;
  const data = { lead_id, reference, status: "new", phone: "+14045550112", phone_extension: "7", note: null };
  expect(created?.event).toMatchObject({ type: "lead.created", data });
  expect(created?.event.data.details.message).toBe("two panes");
  expect(updated?.event).toMatchObject({ type: "lead.updated", data: { status: "contacted", note: "calls back" } });
  expect(created?.id).toMatch(/^evt_/);
  expect(updated?.id).not.toBe(created?.id);
});

test("without a push in the follow-up the CRM is told of no change", async () => {
  using crm = startCrm();
  const outbox = startOutbox({ crm: crm.settings });
  const catalog = catalogWith({ follow_up: [{ after: "0m", do: "notify_shop_sms" }] });
  const app = testApp({ store: outbox.store, catalog, now: Temporal.Now.instant() });
  const { json } = await app.post(`${API}/quote-request`, QUOTE);
  await outbox.store.moveLead({ id: json.data.lead_id, to: "won", at: Date.now() });
  expect(outbox.jobs().map(({ kind }) => kind)).toEqual(["notify_shop_sms"]);
});

test.each([
  ["http://93.184.216.34/hook", false, "CRM_WEBHOOK_URL must begin with https://"],
  ["https://10.0.0.7/hook", false, "10.0.0.7 is in a private network"],
  ["https://169.254.169.254/latest/meta-data", false, "169.254.169.254 is in a private network"],
  ["https://[fd00::1]/", false, "fd00::1 is in a private network"],
  ["https://[::ffff:10.0.0.7]/", false, "is in a private network"],
  ["http://10.0.0.7/hook", true, "CRM_WEBHOOK_URL must begin with https://"],
  ["https://no-such-host.invalid/", false, "no-such-host.invalid cannot be resolved"],
])("%s is not connected to (private networks allowed: %p)", async (url, allowPrivate, reason) => {
  const outcome = await pushToCrm(leadChange(), { url, secret: CRM_SECRET, allowPrivate }, NEVER);
  expect(outcome).toMatchObject({ kind: "retry", reason: expect.stringContaining(reason) });
});

test("a private network is connected to when that is allowed", async () => {
  const settings = { url: "https://10.255.255.1/hook", secret: CRM_SECRET, allowPrivate: true };
  const outcome = await pushToCrm(leadChange(), settings, AbortSignal.timeout(50));
  // The connection may fail, but the rule did not refuse it.
  expect(JSON.stringify(outcome)).not.toContain("private network");
});

test("a push connects to the checked address and names the CRM in the request", async () => {
  using crm = startCrm();
  const { port } = new URL(crm.settings.url);
  const answers = [["127.0.0.1"], ["93.184.216.34"]];
  const names: string[] = [];
  const resolve = async (name: string) => {
    names.push(name);
    return answers.shift() ?? [];
  };
  const settings = { ...crm.settings, url: `http://crm.example.com:${port}/hook?shop=1` };
  expect(await pushToCrm(leadChange(), settings, NEVER, resolve)).toEqual({ kind: "done" });
  expect(names).toEqual(["crm.example.com"]);
  expect(crm.pushed).toMatchObject([{ host: `crm.example.com:${port}`, path: "/hook?shop=1" }]);
  // The name now resolves to a public address, where plain http must not go.
  expect(await pushToCrm(leadChange(), settings, NEVER, resolve)).toMatchObject({
    reason: "CRM_WEBHOOK_URL must begin with https://",
  });
  expect(crm.pushed).toHaveLength(1);
});

test("the next address is tried when one refuses the connection", async () => {
  using crm = startCrm();
  const settings = { ...crm.settings, url: crm.settings.url.replace("127.0.0.1", "crm.example.com") };
  const resolve = async () => ["127.0.0.2", "127.0.0.1"];
  expect(await pushToCrm(leadChange(), settings, NEVER, resolve)).toEqual({ kind: "done" });
});

test("one private address among several is enough to refuse", async () => {
  const settings = { url: "https://crm.example.com/hook", secret: CRM_SECRET, allowPrivate: false };
  const resolve = async () => ["93.184.216.34", "10.0.0.7"];
  const expected = { kind: "retry", reason: expect.stringContaining("crm.example.com is in a private network") };
  expect(await pushToCrm(leadChange(), settings, NEVER, resolve)).toMatchObject(expected);
});

test("the certificate must bear the name of the CRM, not the address", async () => {
  const { promise: greeting, resolve: greeted } = Promise.withResolvers<string>();
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", (hello) => {
      greeted(hello.toString("latin1"));
      socket.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const { port } = server.address() as AddressInfo;
  const settings = { url: `https://crm.example.com:${port}/hook`, secret: CRM_SECRET, allowPrivate: false };
  expect(await pushToCrm(leadChange(), settings, NEVER, async () => ["127.0.0.1"])).toMatchObject({ kind: "retry" });
  // The first message of TLS holds the requested name in plain text.
  expect(await greeting).toContain("crm.example.com");
  server.close();
});
