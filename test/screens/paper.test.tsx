/** The paper of a booking and of a lead on its screen: read, copied, sent. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { tint } from "../cli/run.ts";
import { dateFromNow } from "../fixed-day.ts";
import { OPEN_DAILY, shopFolder } from "../process/server.ts";
import { openOn } from "./render.tsx";

setDefaultTimeout(60_000);

test("p on the card asks which paper; Enter sends it", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const args = ["--date", dateFromNow(3), "--time", "09:00", "--name", "Robin", "--phone", "404-555-0143"];
  const booked = await tint(folder, ["book", "suv", ...args, "--email", "robin@example.com", "--json"]);
  const { confirmation_code: code } = JSON.parse(booked.stdout);
  const terminal = await openOn(folder, "booking", { about: code, sees: "p paper" });
  await terminal.press("p").see("Which paper does the customer get?");
  await terminal.press("p").see(/^Receipt +[\s\S]*Page +\S+\/book\/receipt\//);
  await terminal.press("enter").see("How does Robin get the receipt?");
  await terminal.press("e").see("to Robin, robin@example.com, waits: e-mails are off");
  await terminal.press("enter", "e").see("the same e-mail waits already");
  await terminal.press("esc").see("p paper");
  await terminal.press("p", "q").see(/^Quote +[\s\S]*Valid until/);
  const mails = JSON.parse((await tint(folder, ["outbox", "--json"])).stdout);
  expect(mails.filter(({ kind }: { kind: string }) => kind === "paper_email")).toHaveLength(1);
});

test("a lead's p shows its quote", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const { stdout } = await tint(folder, ["leads", "add", "--name", "Kim", "--vehicle", "21 camry", "--json"]);
  const { reference } = JSON.parse(stdout);
  const terminal = await openOn(folder, "lead", { about: reference, sees: "p paper" });
  await terminal.press("p").see(/^Quote +[\s\S]*For +Kim[\s\S]*Valid until/);
});

test("y after a move that nothing tells of: the customer asked for it, and need not be called", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const args = ["--date", dateFromNow(3), "--time", "09:00", "--name", "Robin", "--phone", "404-555-0143"];
  const { confirmation_code: code } = JSON.parse((await tint(folder, ["book", "suv", ...args, "--json"])).stdout);
  const terminal = await openOn(folder, "booking", { about: code, sees: "m move" });
  await terminal.press("m", ..."2pm", "enter").see(/Nobody is told[\s\S]*y the customer knows/);
  await terminal.press("y").see("Robin need not be called.");
  expect(JSON.parse((await tint(folder, ["calls", "--json"])).stdout)).toEqual([]);
});
