/** `tint bookings`: the diary, one booking, and its changes. */
import type { Command } from "../terminal/command.ts";
import { addChanges } from "./bookings/change.ts";
import { addEnds } from "./bookings/end.ts";
import { addList } from "./bookings/list.ts";
import { addMany } from "./bookings/many.ts";

export function configure(command: Command): void {
  command.examples(
    "tint bookings",
    "tint bookings --date tomorrow",
    "tint bookings 7F3A2B9C",
    "tint bookings cancel 7F3A2B9C --by customer",
    "tint bookings cancel --network 203.0.113.9 --since 2h",
  );
  addList(command);
  addMany(command);
  addChanges(command);
  addEnds(command);
}
