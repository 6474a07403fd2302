/** The clock without Temporal agrees with Temporal, even at clock changes. */
import { expect, test } from "bun:test";
import { momentOf, momentShown, rfc3339, shopDate } from "../../src/domain/schedule.ts";

const ZONES = "America/New_York Europe/London Australia/Lord_Howe Asia/Kathmandu UTC America/Sao_Paulo".split(" ");
const AROUND = [-86_400_000, -3_600_000, -1000, -1, 0, 1, 999, 1000, 1_800_000, 3_600_000, 86_400_000];

function momentsOf(zone: string): number[] {
  const moments = [-5_364_662_400_000, 0, 32_503_680_000_000];
  let at: Temporal.ZonedDateTime | null = Temporal.ZonedDateTime.from(`2026-01-01T00:00[${zone}]`);
  for (let i = 0; i < 12 && at; i++) {
    moments.push(at.epochMilliseconds);
    at = at.getTimeZoneTransition("next");
  }
  return moments.flatMap((moment) => AROUND.map((ms) => moment + ms));
}

test.each(ZONES)("%s", (zone) => {
  const moments = momentsOf(zone);
  const clock = { business: { timezone: zone } };
  // The second time round, the offsets are remembered.
  for (const moment of [...moments, ...moments.toReversed()]) {
    const there = Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(zone);
    expect(rfc3339(clock, moment)).toBe(there.toString({ timeZoneName: "never", smallestUnit: "second" }));
    expect(shopDate(clock, moment)).toBe(there.toPlainDate().toString());
  }
});

test.each(ZONES)("%s: the moment of a time of day", (zone) => {
  const clock = { business: { timezone: zone } };
  for (const moment of momentsOf(zone)) {
    const date = shopDate(clock, moment);
    for (const time of ["00:00", "01:30", "02:00", "02:30", "12:00", "23:59", "24:00"]) {
      const wall = Temporal.PlainDate.from(date)
        .toPlainDateTime()
        .add({ minutes: Number(time.slice(0, 2)) * 60 + Number(time.slice(3)) });
      const there = wall.toZonedDateTime(zone);
      expect(momentOf(clock, date, time)).toBe(there.epochMilliseconds);
      expect(momentShown(clock, date, time)).toBe(
        there.toPlainDateTime().equals(wall) ? there.epochMilliseconds : null,
      );
    }
  }
});
