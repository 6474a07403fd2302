/** Where `:` goes: a screen by its name, a day, a booking or a lead by its code, or else a customer. */
import { shopDate } from "../../../src/domain/schedule.ts";
import { readDate } from "../../typed/dates.ts";
import { isReference, issueIn, readReference } from "../../typed/values.ts";
import type { MenuEntry, ScreenName } from "./navigation.ts";
import type { OpenShop } from "./open-shop.ts";

const ALWAYS: readonly Pick<MenuEntry, "name" | "title">[] = [
  { name: "home", title: "Home" },
  { name: "book", title: "New booking" },
];

interface Place {
  name: ScreenName;
  about: string;
}

/** @param typed the beginning of a name is enough; `di` is the diary, `fri` its Friday */
export async function placeNamed(
  typed: string,
  menu: readonly MenuEntry[],
  { store, clock, now }: OpenShop,
): Promise<Place> {
  const word = typed.toLowerCase();
  const screen = [...menu, ...ALWAYS].find(({ title }) => title.toLowerCase().startsWith(word));
  if (screen) return { name: screen.name, about: "" };
  const reference = readReference(typed);
  if (isReference(reference)) return { name: "lead", about: reference };
  const date = () => readDate(typed, () => shopDate(clock, now()), "nearest");
  if (issueIn(date) === null) return { name: "diary", about: date() };
  const code = typed.toUpperCase();
  return (await store.findBooking(code)) ? { name: "booking", about: code } : { name: "find", about: typed };
}
