/** What is held outlives the server, and never its own end. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { API } from "../helpers.ts";
import { dateIn, jsonOf, NO_LIMITS, OPEN_DAILY, shopFolder, startServer } from "./server.ts";

const wish = (time: string, phone: string, more: object = {}) => ({
  ...{ date: dateIn(3), time, customer_name: "Pat Example", customer_phone: phone, vehicle_type: "suv" },
  ...{ customer_email: `pat${phone.slice(-2)}@example.com`, coverage: "front2", ...more },
});

test("after a restart a hold that is over is free, and one that is not is still held", async () => {
  using folder = shopFolder({ ...OPEN_DAILY, ...NO_LIMITS, "scheduling.bays": 1 });
  const [first, second, other] = ["+14045550101", "+14045550102", "+14045550103"] as const;
  const codes: string[] = [];
  {
    await using server = await startServer(folder);
    for (const [time, phone] of [
      ["09:00", first],
      ["14:00", second],
    ] as const) {
      const { data } = await jsonOf(await server.post(`${API}/bookings`, wish(time, phone, { hold: true })));
      expect(data.status).toBe("held");
      codes.push(data.confirmation_code);
    }
    server.signal("SIGTERM");
    await server.exited;
  }
  // An hour passes for the first one.
  using db = new Database(folder.database);
  db.run("UPDATE bookings SET held_until = ? WHERE confirmation_code = ?", [Date.now() - 1, codes[0] ?? ""]);
  await using server = await startServer(folder);
  const confirm = async (i: number, phone: string) =>
    jsonOf(await server.post(`${API}/bookings/confirm`, { confirmation_code: codes[i], phone }));
  expect((await confirm(0, first)).error_code).toBe("HOLD_OVER");
  expect((await jsonOf(await server.post(`${API}/bookings`, wish("14:00", other)))).error_code).toBe("SLOT_TAKEN");
  expect((await jsonOf(await server.post(`${API}/bookings`, wish("09:00", other)))).data.status).toBe("confirmed");
  expect((await confirm(1, second)).data.status).toBe("confirmed");
});
