/** Every command on a PostgreSQL database: that it works, says what is wrong there, and never shows the password. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, spyOn, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { API, BOOKING } from "../fixed-day.ts";
import { childEnv, dateIn, freePort, OPEN_DAILY, type ShopFolder, shopFolder, startServer } from "../process/server.ts";
import { until } from "../service-process.ts";
import { hasPostgres, type Postgres, SERVICE_PASSWORD, startPostgres } from "../services.ts";
import { COMMANDS, shopWithEverything } from "./every-command.ts";
import { saying, tintToday } from "./run.ts";

setDefaultTimeout(60_000);

describe.skipIf(!hasPostgres())("with PostgreSQL", () => {
  let postgres: Postgres;
  beforeAll(async () => {
    // By TCP, where PostgreSQL asks for the password.
    postgres = await startPostgres({ tcp: true });
  });
  afterAll(() => postgres[Symbol.asyncDispose]());

  const on = async (folder: ShopFolder, url: string, ...args: string[]) => {
    const ran = await tintToday(folder, args, { env: { TINT_DATA: url, PORT: String(freePort()) } });
    expect({ args, shown: ran.stdout + ran.stderr }).toEqual({
      args,
      shown: expect.not.stringContaining(SERVICE_PASSWORD),
    });
    return ran;
  };

  test("every command works", async () => {
    using folder = await shopWithEverything({}, Date.now());
    const url = await postgres.createDatabase();
    const brought = await on(folder, url, "data", "copy", "data", "TINT_DATA");
    expect(brought.stderr).toContain("The catalog is in the database now");
    const refused: string[] = [];
    for (const [path, args] of Object.entries(COMMANDS)) {
      // All edits of the catalog are saved alike: the commands of `catalog` and `block` stand for them.
      if (/^(price|addon|film|vehicle|hours|faq|init)\b/.test(path)) continue;
      const { status, stdout, stderr } = await on(folder, url, ...path.split(" "), ...args, "--json");
      if (status !== 0) refused.push(`${path}: ${stderr}`);
      else expect({ path, document: JSON.parse(stdout) }).toEqual({ path, document: expect.anything() });
    }
    expect(refused).toEqual([
      // They come after `bookings cancel` and `leads won`.
      expect.stringContaining("bookings move: Booking 7F3A1B0C is cancelled"),
      expect.stringContaining("bookings complete: Booking 7F3A1B0C is cancelled"),
      expect.stringContaining("bookings no-show: Booking 7F3A1B0C is cancelled"),
      expect.stringContaining("bookings ready: Booking 7F3A1B0C is cancelled"),
      expect.stringContaining("leads lost: Lead Q-7F3A1B is won"),
      expect.stringContaining("forget: Still booked for Pat Example"),
      expect.stringContaining("tint data copy earlier.db URL"),
    ]);

    const forgotten = await on(folder, url, "forget", "+14045550111", "--yes", "--anyway");
    expect(forgotten).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(
        /\nErased: .*\nThe person is still in copies .* backups and standbys .*\nThe person is still in .*copy\.db, .*earlier\.db\. .*\n$/,
      ),
    });
    const completed = await on(folder, url, "completion", "complete", "--", "keys", "revoke", "");
    expect(completed.stdout).toContain("key_");
  });

  test("the server, its log, and a copy of what it stored", async () => {
    using folder = shopFolder(OPEN_DAILY);
    const url = await postgres.createDatabase();
    await on(folder, url, "catalog", "import", "catalog.yaml");
    const booking = { ...BOOKING, date: dateIn(5) };
    await using server = await startServer(folder, { env: { TINT_DATA: url } });
    expect((await server.post(`${API}/bookings`, booking)).status).toBe(201);
    expect((await on(folder, url, "bookings", "--date", booking.date)).stdout).toContain("Pat Example");
    server.signal("SIGTERM");
    // A proxy hears of it while the server still answers.
    const readyz = () => fetch(new URL("/readyz", server.url));
    await until("readiness to end", async () => (await readyz()).status === 503);
    expect(await (await readyz()).json()).toEqual({ status: "stopping" });
    expect((await server.post(`${API}/estimates`, { vehicle_type: "suv" })).status).toBe(200);
    const { stderr: log } = await server.exited;
    expect(log).toContain(new URL(url).pathname);
    expect(log).not.toContain(SERVICE_PASSWORD);

    const backup = await on(folder, url, "backup", "--keep", "1", "copies");
    expect(backup).toMatchObject({ status: 0, stderr: expect.stringMatching(/checked, with the catalog in /) });
    const copy = readdirSync(join(folder.path, "copies")).find((name) => name.endsWith(".db")) ?? "";
    const out = await on(folder, url, "data", "copy", "TINT_DATA", "out", "--json");
    expect(JSON.parse(out.stdout)).toMatchObject({ to: "out", rows: { bookings: 1, leads: 1 } });
    expect(readFileSync(join(folder.path, "out", "tintdesk.catalog.yaml"), "utf8")).toBe(folder.read());
    for (const [from, to, why] of [
      ["out", "TINT_DATA", "cannot take the copy: it is not empty"],
      ["TINT_DATA", "out", "out cannot take the copy: there is a database already"],
      ["catalog.yaml", "new", "catalog.yaml cannot be copied: it is not a database of Tintdesk"],
      ["nowhere", "new", "There is no folder or file nowhere"],
      ["out", "catalog.yaml", "for a copy in one file: tint backup FILE"],
    ] as const)
      expect((await on(folder, url, "data", "copy", from, to)).stderr).toContain(why);

    const another = await postgres.createDatabase();
    const brought = await on(folder, another, "data", "copy", join("copies", copy), "TINT_DATA");
    expect(brought.stderr).toContain(`as it is in ${join("copies", copy.replace(".db", ".catalog.yaml"))}`);
    expect((await on(folder, another, "bookings", "--date", booking.date)).stdout).toContain("Pat Example");
    expect((await tintToday(folder, ["restore", join("copies", copy)])).status).toBe(0);
    expect((await tintToday(folder, ["bookings", "--date", booking.date])).stdout).toContain("Pat Example");
  });

  test("what PostgreSQL or the way to it refuses is said with the way out", async () => {
    using folder = shopFolder();
    using silent = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
    const url = await postgres.createDatabase();
    const at = (parts: Partial<Pick<URL, "username" | "hostname" | "port" | "pathname" | "search">>) =>
      Object.assign(new URL(url), parts).href;
    const cases: [string, string][] = [
      [at({ username: "nobody" }), "does not let this user in"],
      [at({ pathname: "/nowhere" }), "has no database of this name"],
      [at({ port: String(freePort()) }), "nothing answers there"],
      [at({ hostname: "nowhere.invalid" }), "nothing answers there"],
      [at({ search: "?sslmode=require" }), "has no TLS"],
      [at({ search: `${new URL(url).search}&pgbouncer=true` }), "does not know a setting behind the ?"],
      [at({ port: String(silent.port) }), "does not answer in time"],
    ];
    for (const [place, why] of cases) {
      const keys = await on(folder, place, "keys");
      expect({ why, ...keys }).toEqual({ why, status: 1, stdout: "", stderr: expect.stringContaining(why) });
    }
    const [[nobody]] = cases as [[string, string]];
    const doctor = await on(folder, nobody, "doctor", "--json");
    expect(JSON.parse(doctor.stdout).checks).toContainEqual({
      name: "database",
      level: "fault",
      message: expect.stringContaining("does not let this user in"),
      fix: expect.stringContaining("TINT_DATA"),
    });
    const copy = await on(folder, nobody, "data", "copy", "TINT_DATA", "elsewhere");
    expect(copy).toMatchObject(saying(1, "Nothing was copied."));
  });

  test("doctor names the server; with a clock that is off no program starts", async () => {
    using folder = shopFolder();
    const url = await postgres.createDatabase();
    await on(folder, url, "catalog", "import", "catalog.yaml");
    const checksOf = async () => JSON.parse((await on(folder, url, "doctor", "--json")).stdout).checks;
    const found = await checksOf();
    expect(found).toContainEqual({
      name: "database",
      level: "ok",
      message: expect.stringMatching(/^postgres:.* answers: PostgreSQL \d+(\.\d+)?, version \d+$/),
    });
    expect(found.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(["writing", "messages"]));

    const { now } = Date;
    const clock = spyOn(Date, "now").mockImplementation(() => now.call(Date) + 5_000);
    try {
      const message = expect.stringMatching(/clock is [2-5]\.\d s ahead of the database's/);
      // No second line calls the same clock good.
      expect((await checksOf()).filter(({ name }: { name: string }) => name === "clock")).toEqual([
        { name: "clock", level: "fault", message, fix: expect.any(String) },
      ]);
      expect(await on(folder, url, "serve")).toMatchObject({ status: 1, stderr: message });
    } finally {
      clock.mockRestore();
    }
  });

  test("six processes that start at once on an empty database make it once", async () => {
    const url = await postgres.createDatabase();
    const program = `
      import { openStore } from ${JSON.stringify(OPEN)};
      const store = await openStore({ kind: "url", url: process.env.TINT_DATA });
      console.log(await store.lockSecret());
      await store.close();`;
    const children = Array.from({ length: 6 }, () =>
      Bun.spawn([process.execPath, "-e", program], { env: childEnv({ TINT_DATA: url }), stderr: "inherit" }),
    );
    const said = await Promise.all(children.map((child) => new Response(child.stdout).text()));
    expect(await Promise.all(children.map((child) => child.exited))).toEqual(children.map(() => 0));
    expect(new Set(said).size).toBe(1);
  });
});

const OPEN = new URL("../../src/store/location/open.ts", import.meta.url).pathname;
