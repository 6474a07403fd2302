/** The owner's first screen: today's bookings, new leads, stuck messages, the catalog's health, a menu to every screen. */

import { Box, Text } from "ink";
import type { Catalog } from "../../../src/catalog/schema.ts";
import { isCancelled } from "../../../src/domain/lifecycle.ts";
import { shopDate, shopTime } from "../../../src/domain/schedule.ts";
import { readDiary } from "../../diary/entries.ts";
import { stuckJobs } from "../../messages/stuck.ts";
import { dayAndDate } from "../../terminal/times.ts";
import { dayCells, dayColumns } from "../diary/booking-table.ts";
import { type KeyBinding, key } from "../kit/input/keyboard.tsx";
import { type MenuEntry, useNav } from "../kit/shell/navigation.ts";
import { type Shop, useLive, useShop } from "../kit/shell/shop.ts";
import { Lines } from "../kit/text/lines.tsx";
import type { Size } from "../kit/text/terminal.tsx";
import { Frame } from "../kit/widgets/frame.tsx";
import { Table, useSelection } from "../kit/widgets/list.tsx";
import { LEAD_COLUMNS, leadCells } from "../leads/lead-table.ts";
import { healthLines, TEXTS } from "./health.ts";
import { MenuGrid, menuKeys, menuRows, withoutLetters } from "./menu.tsx";
import { HomeWithoutCatalog } from "./without-catalog.tsx";

/** No shop has more. */
const ALL_LEADS = 100_000;

async function readHome(catalog: Catalog, { store, now }: Shop) {
  const today = shopDate(catalog, now());
  const at = now().epochMilliseconds;
  const [bookings, leads, stuck, texts] = await Promise.all([
    readDiary(store, today, today),
    store.leads(["new"], ALL_LEADS),
    stuckJobs(store, at, catalog.messages.stuck_after_minutes),
    store.countDueJobs(TEXTS, at),
  ]);
  return { bookings, leads, stuck, textsDue: texts.count };
}
type HomeFacts = Awaited<ReturnType<typeof readHome>>;

export function Screen() {
  const { catalog } = useShop();
  return catalog ? <Home catalog={catalog} /> : <HomeWithoutCatalog />;
}

function Home({ catalog }: { catalog: Catalog }) {
  const shop = useShop();
  const { open, menu } = useNav();
  const live = useLive((shop) => readHome(catalog, shop));
  const bookings = live?.bookings ?? [];
  const leads = live?.leads ?? [];
  const selection = useSelection(bookings.length + leads.length + menu.length);
  const entry = bookings[selection.index];
  const lead = leads[selection.index - bookings.length];
  const chosen = menu[selection.index - bookings.length - leads.length];
  const enter: KeyBinding[] = [
    ...(entry ? [key("enter", "open booking", () => open("booking", entry.booking.confirmationCode))] : []),
    ...(lead ? [key("enter", "open lead", () => open("lead", lead.reference))] : []),
  ];
  const clock = shopTime(catalog, shop.now());
  return (
    <Frame
      title={catalog.business.name}
      status={`${dayAndDate(clock.toPlainDate().toString())} ${clock.toPlainTime().toString({ smallestUnit: "minute" })}`}
      about="What a shop needs to know now. It keeps itself up to date: a booking made online appears within two seconds."
      keys={[...withoutLetters(selection.keys), ...enter, ...menuKeys(selection, chosen, menu, open)]}
    >
      {(size) =>
        live ? (
          <Body home={live} shop={shop} menu={menu} selected={selection.index} size={size} />
        ) : (
          <Text dimColor>One moment…</Text>
        )
      }
    </Frame>
  );
}

interface BodyProps {
  home: HomeFacts;
  shop: Shop;
  menu: readonly MenuEntry[];
  selected: number;
  size: Size;
}

/** Rows of the screen that are neither bookings nor leads nor health nor menu: headings and blank lines. */
const FIXED_ROWS = 5;

function Body({ home, shop, menu, selected, size: { columns, rows } }: BodyProps) {
  const { bookings, leads } = home;
  const now = shop.now().epochMilliseconds;
  const health = healthLines(home, shop, columns);
  const room = rows - FIXED_ROWS - health.length - menuRows(menu, columns);
  const cancelled = bookings.filter(({ booking }) => isCancelled(booking.status)).length;
  // A table needs its heading too; what one of the two does not need is the other's.
  const wanted = { bookings: Math.max(1, bookings.length + 1), leads: Math.max(1, leads.length + 1) };
  const leadRoom = Math.min(wanted.leads, Math.max(Math.floor(room / 2), room - wanted.bookings));
  const bookingRoom = Math.min(wanted.bookings, room - leadRoom);
  return (
    <Box flexDirection="column" height={rows}>
      <Heading
        text={`Today: ${count(bookings.length - cancelled, "booking")}${cancelled > 0 ? `, ${cancelled} cancelled` : ""}`}
      />
      <Table
        columns={dayColumns(columns)}
        rows={bookings.map((entry) => ({
          key: entry.booking.id,
          cells: dayCells(entry, shop.clock),
          dim: entry.booking.status !== "confirmed",
        }))}
        selected={selected < bookings.length ? selected : -1}
        width={columns}
        height={bookingRoom}
        empty="Nothing is booked for today."
      />
      <Text> </Text>
      <Heading text={`New leads: ${leads.length}`} />
      <Table
        columns={LEAD_COLUMNS}
        rows={leads.map((lead) => ({ key: lead.id, cells: leadCells(lead, now) }))}
        selected={selected - bookings.length < leads.length ? selected - bookings.length : -1}
        width={columns}
        height={leadRoom}
        empty="Nobody waits for an answer."
      />
      <Text> </Text>
      <Lines lines={health} width={columns} />
      <Box flexGrow={1} />
      <MenuGrid menu={menu} selected={selected - bookings.length - leads.length} width={columns} />
    </Box>
  );
}

function Heading({ text }: { text: string }) {
  return <Text bold>{text}</Text>;
}

function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? "" : "s"}`;
}
