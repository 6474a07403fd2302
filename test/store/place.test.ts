import { expect, test } from "bun:test";
import { nameOf, placeFault, placeOf, theDatabase } from "../../src/store/place/place.ts";

test.each([
  ["./data", "folder", "./data", "The database in ./data"],
  [":memory:", "folder", ":memory:", "The database in :memory:"],
  ["C:/shop", "folder", "C:/shop", "The database in C:/shop"],
  ["postgres", "folder", "postgres", "The database in postgres"],
  ["postgres://db/shop", "url", "postgres://db/shop", "The database postgres://db/shop"],
  ["POSTGRESQL://u:hunter2@db/shop", "url", "postgresql://u:***@db/shop", "The database postgresql://u:***@db/shop"],
])("%s is a %s", (text, kind, name, words) => {
  const place = placeOf(text);
  expect({ kind: place.kind, name: nameOf(place), words: theDatabase(place), fault: placeFault(text) }).toEqual({
    kind: kind as "folder" | "url",
    name,
    words,
    fault: undefined,
  });
});

test.each([
  ["mysql://u:hunter2@db/shop", "must be a folder, or the URL of a PostgreSQL database"],
  ["postgres:/u:hunter2@db/shop", "must be a folder, or the URL of a PostgreSQL database"],
  ["https://db.example.com", "must be a folder, or the URL of a PostgreSQL database"],
  ["postgres://u:hunter2/1@db/shop", "write / as %2F"],
  ["postgres://u:hunter2@/shop?host=/run", "write / as %2F"],
  ["postgres://u:1#hunter2@db/shop", "write / as %2F"],
])("%s is refused", (text, why) => {
  const fault = placeFault(text);
  expect(fault).toContain(why);
  expect(fault).not.toContain("hunter2");
});
