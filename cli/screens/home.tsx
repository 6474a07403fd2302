/** The owner's first screen: today's bookings, new leads, stuck messages, the catalog's health, a menu to every screen. */
import { Box, Text } from "ink";
import { shopTime } from "../../src/domain/schedule.ts";
import { dayAndDate, readDiary } from "../diary.ts";
import { stuckJobs } from "../stuck.ts";
import { dayCells, dayColumns } from "./diary-table.ts";
import { cut } from "./kit/fit.ts";
import { Frame } from "./kit/frame.tsx";
import { type KeyBinding, key } from "./kit/keys.tsx";
import { Table, useSelection } from "./kit/list.tsx";
import { type MenuEntry, useNav } from "./kit/nav.tsx";
import { type Shop, useLive, useShop } from "./kit/shop.tsx";
import type { Size } from "./kit/terminal.tsx";
import { LEAD_COLUMNS, leadCells } from "./lead-table.ts";
import { MenuGrid, menuRows } from "./menu-grid.tsx";

const LEADS_READ = 200;

async function readHome({ store, catalog, now }: Shop) {
  const today = shopTime(catalog, now()).toPlainDate().toString();
  const [bookings, leads, stuck] = await Promise.all([
    readDiary(store, today, today),
    store.leads(["new"], LEADS_READ),
    stuckJobs(store, now().epochMilliseconds, catalog.messages.stuck_after_minutes),
  ]);
  return { bookings, leads, stuck };
}
type Home = Awaited<ReturnType<typeof readHome>>;

export function Screen() {
  const shop = useShop();
  const { open, menu } = useNav();
  const live = useLive(readHome);
  const bookings = live?.bookings ?? [];
  const leads = live?.leads ?? [];
  const selection = useSelection(bookings.length + leads.length + menu.length);
  const entry = bookings[selection.index];
  const lead = leads[selection.index - bookings.length];
  const chosen = menu[selection.index - bookings.length - leads.length];
  const enter: KeyBinding[] = [
    ...(entry ? [key("enter", "open booking", () => open("booking", entry.booking.confirmationCode))] : []),
    ...(lead ? [key("enter", "open lead", () => open("lead", lead.reference))] : []),
    ...(chosen ? [key("enter", `open ${chosen.title}`, () => open(chosen.name))] : []),
  ];
  const jumps = menu.map(
    ({ name, key: letter, title, about }): KeyBinding => ({
      on: [letter],
      label: letter,
      does: null,
      help: `${title}: ${about}.`,
      run: () => open(name),
    }),
  );
  const clock = shopTime(shop.catalog, shop.now());
  return (
    <Frame
      title={shop.catalog.business.name}
      status={`${dayAndDate(clock.toPlainDate().toString())} ${clock.toPlainTime().toString({ smallestUnit: "minute" })}`}
      about="What a shop needs to know now. It keeps itself up to date: a booking made online appears within two seconds."
      keys={[
        ...withoutLetters(selection.keys),
        ...enter,
        { on: [], label: "letter", does: "open a screen", help: "A letter opens the screen it stands for:", run() {} },
        ...jumps,
        ...stepsInMenu(selection, chosen !== undefined, menu),
      ]}
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

/** The letters belong to the menu here. */
function withoutLetters(keys: readonly KeyBinding[]): KeyBinding[] {
  return keys.map((binding) => ({ ...binding, on: binding.on.filter((name) => name.length > 1) }));
}

function stepsInMenu(
  { index, select }: ReturnType<typeof useSelection>,
  isInMenu: boolean,
  menu: readonly MenuEntry[],
): KeyBinding[] {
  if (!isInMenu || menu.length < 2) return [];
  return [
    { on: ["left"], label: "← →", does: null, help: "Move in the menu.", run: () => select(index - 1) },
    { on: ["right"], label: "→", does: null, help: "Move right in the menu.", run: () => select(index + 1) },
  ];
}

interface BodyProps {
  home: Home;
  shop: Shop;
  menu: readonly MenuEntry[];
  selected: number;
  size: Size;
}

/** Rows of the screen that are neither bookings nor leads nor menu: headings, blank lines, messages, catalog. */
const FIXED_ROWS = 7;

function Body({ home: { bookings, leads, stuck }, shop, menu, selected, size: { columns, rows } }: BodyProps) {
  const now = shop.now().epochMilliseconds;
  const room = rows - FIXED_ROWS - menuRows(menu, columns);
  // A table needs its heading too; what one of the two does not need is the other's.
  const wanted = { bookings: Math.max(1, bookings.length + 1), leads: Math.max(1, leads.length + 1) };
  const leadRoom = Math.min(wanted.leads, Math.max(Math.floor(room / 2), room - wanted.bookings));
  const bookingRoom = Math.min(wanted.bookings, room - leadRoom);
  return (
    <Box flexDirection="column" height={rows}>
      <Heading text={`Today: ${count(bookings.length, "booking")}`} />
      <Table
        columns={dayColumns(columns)}
        rows={bookings.map((entry) => ({
          key: entry.booking.id,
          cells: dayCells(entry, shop),
          dim: entry.booking.status !== "confirmed",
        }))}
        selected={selected < bookings.length ? selected : -1}
        width={columns}
        height={bookingRoom}
        empty="Nothing is booked for today."
      />
      <Text> </Text>
      <Heading text={leads.length === LEADS_READ ? `New leads: ${LEADS_READ} or more` : `New leads: ${leads.length}`} />
      <Table
        columns={LEAD_COLUMNS}
        rows={leads.map((lead) => ({ key: lead.id, cells: leadCells(lead, now) }))}
        selected={selected - bookings.length < leads.length ? selected - bookings.length : -1}
        width={columns}
        height={leadRoom}
        empty="Nobody waits for an answer."
      />
      <Text> </Text>
      <Health stuck={stuck} shop={shop} width={columns} />
      <Box flexGrow={1} />
      <MenuGrid menu={menu} selected={selected - bookings.length - leads.length} width={columns} />
    </Box>
  );
}

function Heading({ text }: { text: string }) {
  return <Text bold>{text}</Text>;
}

function Health({ stuck, shop: { catalogFault }, width }: { stuck: Home["stuck"]; shop: Shop; width: number }) {
  const [first] = stuck;
  const messages = first
    ? `${stuck.length} stuck, the oldest for lead ${first.lead.reference} (${first.lastError ?? "never tried"}): see tint outbox`
    : "none is stuck";
  const fault = catalogFault?.faults[0]?.split("\n")[0];
  return (
    <>
      <Text {...(first && { color: "red" })}>
        <Text bold>Messages: </Text>
        {cut(messages, width - 10)}
      </Text>
      <Text {...(fault !== undefined && { color: "red" })}>
        <Text bold>Catalog: </Text>
        {cut(fault ?? "catalog.yaml is good", width - 9)}
      </Text>
    </>
  );
}

function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? "" : "s"}`;
}
