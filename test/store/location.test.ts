import { expect, test } from "bun:test";
import { locationIssue, locationOf, redacted, shownLocation, theDatabase } from "../../src/store/location/location.ts";

test.each([
  ["./data", "folder", "The database in ./data"],
  [":memory:", "folder", "The database in :memory:"],
  ["C:/shop", "folder", "The database in C:/shop"],
  ["postgres", "folder", "The database in postgres"],
  ["postgres://db/shop", "url", "The database postgres://db/shop"],
  ["POSTGRESQL://u:hunter2@db/shop", "url", "The database postgresql://u:***@db/shop"],
] as const)("%s is a %s", (text, kind, words) => {
  const place = locationOf(text);
  expect([place.kind, theDatabase(place), locationIssue(text)]).toEqual([kind, words, undefined]);
  expect(words).toEndWith(` ${shownLocation(place)}`);
});

test.each([
  ["mysql://u:hunter2@db/shop", "must be a folder, or the URL of a PostgreSQL database"],
  ["postgres:/u:hunter2@db/shop", "must be a folder, or the URL of a PostgreSQL database"],
  ["https://db.example.com", "must be a folder, or the URL of a PostgreSQL database"],
  ["postgres://u:hunter2/1@db/shop", "write / as %2F"],
  ["postgres://u:hunter2@/shop?host=/run", "write / as %2F"],
  ["postgres://u:1#hunter2@db/shop", "write / as %2F"],
])("%s is refused", (text, why) => {
  const issue = locationIssue(text);
  expect(issue).toContain(why);
  expect(issue).not.toContain("hunter2");
});

const SECRET = "hunter2";

test.each([
  ["./data", "./data"],
  [":memory:", ":memory:"],
  ["C:\\shop\\data", "C:\\shop\\data"],
  ["postgres://db.example/shop", "postgres://db.example/shop"],
  ["postgres://tint@db.example:5433/shop?prepare=false", "postgres://tint@db.example:5433/shop?prepare=false"],
  [`postgres://tint:${SECRET}@db.example/shop`, "postgres://tint:***@db.example/shop"],
  [`postgresql://:${SECRET}@db.example/shop`, "postgresql://:***@db.example/shop"],
  [`rediss://default:${SECRET}@limits.example:6380/0`, "rediss://default:***@limits.example:6380/0"],
  [`postgres://db.example/shop?user=tint&password=${SECRET}`, "postgres://db.example/shop?user=tint&password=***"],
  [`postgres://db.example/shop?password=${SECRET}&password=${SECRET}`, "postgres://db.example/shop?password=***"],
  [`postgres://db.example/shop?sslPassword=${SECRET}`, "postgres://db.example/shop?sslPassword=***"],
  [`postgres:///shop?host=/run/db&password=${SECRET}`, "postgres:///shop?host=%2Frun%2Fdb&password=***"],
  [`postgres://tint@db.example/shop#${SECRET}`, "postgres://tint@db.example/shop"],
  [` postgres://tint:${SECRET}@db.example/shop\n`, "postgres://tint:***@db.example/shop"],
])("%j is shown as %j", (place, shown) => {
  expect(redacted(place)).toBe(shown);
});

test.each([
  `postgres://tint:a/${SECRET}@db.example/shop`,
  `postgres://tint:1/${SECRET}@db.example/shop`,
  `postgres://tint:1?${SECRET}@db.example/shop`,
  `postgres://tint:1#${SECRET}@db.example/shop`,
  `postgres://tint:${SECRET}@one.example:5432,two.example:5432/shop`,
  `postgres://tint:${SECRET}@db.example:port/shop`,
  `postgres://tint:${SECRET}@[::1/shop`,
  `postgres:/tint:${SECRET}@db.example/shop`,
  `postgres:tint:${SECRET}@db.example`,
  `  POSTGRES://tint:${SECRET}@/sh op:x`,
])("of %j only the scheme is shown, or nothing secret", (place) => {
  const shown = redacted(place);
  expect(shown).not.toContain(SECRET);
  expect(shown.toLowerCase()).toStartWith("postgres:");
});
