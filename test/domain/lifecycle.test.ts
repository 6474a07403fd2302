/** The moves between the states of bookings and leads: every pair of states. */
import { expect, test } from "bun:test";
import {
  BOOKING_STATUSES,
  bookedAs,
  bookingMayBecome,
  isCancelled,
  isTooEarly,
  LEAD_STATUSES,
  type LeadStatus,
  leadMayBecome,
  leadStateBefore,
  noLonger,
  reachedBy,
  WITH_BOOKING,
} from "../../src/domain/lifecycle.ts";

test("a booking leaves held and confirmed, once each", () => {
  const ways = BOOKING_STATUSES.flatMap((from) =>
    BOOKING_STATUSES.filter((to) => bookingMayBecome(from, to)).map((to) => `${from} → ${to}`),
  );
  expect(ways).toEqual([
    "held → confirmed",
    "held → cancelled_by_shop",
    "held → cancelled_by_customer",
    "held → expired",
    "confirmed → completed",
    "confirmed → no_show",
    "confirmed → cancelled_by_shop",
    "confirmed → cancelled_by_customer",
  ]);
  expect(BOOKING_STATUSES.filter(isCancelled)).toEqual(["cancelled_by_shop", "cancelled_by_customer"]);
});

test.each([
  ["completed", -1, true],
  ["completed", 0, false],
  ["no_show", -1, true],
  ["no_show", 0, false],
  ["cancelled_by_shop", -1, false],
  ["cancelled_by_customer", -1, false],
] as const)("%s at %d ms from its start: too early %p", (to, after, tooEarly) => {
  expect(isTooEarly({ startAt: 1_000 }, to, 1_000 + after)).toBe(tooEarly);
});

test.each([
  ["new", ["contacted", "quoted", "won", "lost"], ["new"]],
  ["contacted", ["quoted", "won", "lost"], ["new", "contacted"]],
  ["quoted", ["won", "lost"], ["new", "contacted", "quoted"]],
  ["won", ["new", "contacted", "quoted"], [...LEAD_STATUSES]],
  ["lost", ["new", "contacted", "quoted", "won"], [...LEAD_STATUSES]],
] as const)("a lead that is %s may become %j and has reached %j", (from, next, reached) => {
  expect(LEAD_STATUSES.filter((to) => leadMayBecome(from, to))).toEqual([...next]);
  expect(reachedBy(from)).toEqual([...reached]);
});

const [A, B, W] = [bookedAs("A"), bookedAs("B"), WITH_BOOKING];
test.each([
  ["contacted, quoted, contacted", "new"],
  ["lost, won", "lost"],
  [`contacted, won ${A}, lost ${W}`, "contacted"],
  [`contacted, won ${A}, lost ${W}, won ${A}`, "contacted"],
  [`contacted, won ${A}, lost ${W}, won`, "lost"],
  [`contacted, won ${A}, lost ${W}, won ${B}`, "lost"],
  [`new, won ${A}, won ${B}, lost ${W}`, "new"],
  [`won, won ${A}, lost ${W}`, "won"],
  [`won, won ${A}, won ${noLonger(A)}`, "new"],
  [`contacted, won ${A}, contacted ${noLonger(A)}, quoted, contacted, won ${A}`, "contacted"],
  [`won, won ${A}, won a note`, "won"],
] as const)("a lead that was %s goes back to %s", (history, before) => {
  const events = history.split(", ").map((one) => {
    const [status = "", ...note] = one.split(" ");
    return { status: status as LeadStatus, note: note.join(" ") || null };
  });
  expect(leadStateBefore(events)).toBe(before);
});
