/** The diary: the bookings of a day, or the days of a week. */
import { useState } from "react";
import { shopDate } from "../../../src/domain/schedule.ts";
import type { ScreenProps } from "../kit/shell/screen-stack.tsx";
import { useShop } from "../kit/shell/shop.ts";
import { DayView } from "./day.tsx";
import { WeekView } from "./week.tsx";

/** @param about the date to show first; today when empty */
export function Screen({ about }: ScreenProps) {
  const { clock, now } = useShop();
  const today = shopDate(clock, now());
  const [date, setDate] = useState(about || today);
  const [isWeek, setWeek] = useState(false);
  const place = { date, today, go: setDate };
  return isWeek ? (
    <WeekView {...place} openDay={() => setWeek(false)} />
  ) : (
    <DayView {...place} openWeek={() => setWeek(true)} />
  );
}
