/** The owner's first screen: today's bookings, new leads, stuck messages, the catalog's health, a menu to every screen. */
import { Box, Text } from "ink";
import type { Catalog } from "../../../src/catalog/schema.ts";
import { isCancelled } from "../../../src/domain/lifecycle.ts";
import { shopDate, shopTime } from "../../../src/domain/schedule.ts";
import { dayAndTime } from "../../../src/domain/spoken-dates.ts";
import { stuckJobs } from "../../../src/jobs/stuck.ts";
import { heldTexts } from "../../../src/jobs/text-rules.ts";
import { readDiary } from "../../diary/entries.ts";
import { BookingTable } from "../diary/booking-table.tsx";
import { type KeyBinding, key } from "../kit/input/bindings.ts";
import { type MenuEntry, useNav } from "../kit/shell/navigation.ts";
import { type Shop, useLive, useShop } from "../kit/shell/shop.ts";
import { Lines } from "../kit/text/lines.tsx";
import type { Size } from "../kit/text/terminal.tsx";
import { counted, ONE_MOMENT } from "../kit/text/words.ts";
import { Frame } from "../kit/widgets/frame.tsx";
import { useSelection } from "../kit/widgets/list.tsx";
import { LeadTable } from "../leads/lead-table.tsx";
import { healthLines, TEXTS } from "./health.ts";
import { MenuGrid, menuKeys, menuRows, withoutLetters } from "./menu.tsx";
import { HomeWithoutCatalog } from "./without-catalog.tsx";

/** The most new leads that are read; the screen says when there are more. */
const MOST_LEADS = 500;

async function readHome(catalog: Catalog, { store, now }: Shop) {
  const today = shopDate(catalog, now());
  const at = now().epochMilliseconds;
  const [bookings, leads, stuck, texts, held] = await Promise.all([
    readDiary(store, today, today),
    store.leads(["new"], MOST_LEADS, undefined, ["quote_request"]),
    stuckJobs(store, { now: at, afterMinutes: catalog.messages.stuck_after_minutes }),
    store.countDueJobs(TEXTS, at),
    heldTexts(store),
  ]);
  return { bookings, leads, stuck, textsDue: texts.count, held };
}
type HomeFacts = Awaited<ReturnType<typeof readHome>>;

export function Screen() {
  const { catalog } = useShop();
  return catalog ? <Home catalog={catalog} /> : <HomeWithoutCatalog />;
}

function Home({ catalog }: { catalog: Catalog }) {
  const shop = useShop();
  const { open, menu } = useNav();
  const facts = useLive((shop) => readHome(catalog, shop));
  const bookings = facts?.bookings ?? [];
  const leads = facts?.leads ?? [];
  // One selection runs through bookings, leads and menu.
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
      status={dayAndTime(clock.toPlainDate().toString(), clock.toPlainTime().toString())}
      about="What a shop needs to know now. It keeps itself up to date: a booking made online appears within two seconds."
      keys={[
        key("n", "new booking", () => open("book"), "Book a customer on the phone or at the counter."),
        ...withoutLetters(selection.keys),
        ...enter,
        ...menuKeys(selection, chosen, menu, open),
      ]}
    >
      {(size) =>
        facts ? (
          <Body facts={facts} shop={shop} menu={menu} selected={selection.index} size={size} />
        ) : (
          <Text dimColor>{ONE_MOMENT}</Text>
        )
      }
    </Frame>
  );
}

interface BodyProps {
  facts: HomeFacts;
  shop: Shop;
  menu: readonly MenuEntry[];
  selected: number;
  size: Size;
}

/** The two headings and three blank lines. */
const FIXED_ROWS = 5;

function Body({ facts, shop, menu, selected, size: { columns, rows } }: BodyProps) {
  const { bookings, leads } = facts;
  const health = healthLines(facts, shop, columns);
  const room = shareRows(rows - FIXED_ROWS - health.length - menuRows(menu, columns), bookings.length, leads.length);
  const cancelled = bookings.filter(({ booking }) => isCancelled(booking.status)).length;
  const selectedLead = selected - bookings.length;
  return (
    <Box flexDirection="column" height={rows}>
      <Text bold>
        {`Today: ${counted(bookings.length - cancelled, "booking")}${cancelled > 0 ? `, ${cancelled} cancelled` : ""}`}
      </Text>
      <BookingTable
        entries={bookings}
        selected={selected < bookings.length ? selected : -1}
        width={columns}
        height={room.bookings}
        empty="Nothing is booked for today."
      />
      <Text> </Text>
      <Text bold>{`New leads: ${leads.length}${leads.length === MOST_LEADS ? " or more" : ""}`}</Text>
      <LeadTable
        leads={leads}
        selected={selectedLead < leads.length ? selectedLead : -1}
        width={columns}
        height={room.leads}
        empty="Nobody waits for an answer."
      />
      <Text> </Text>
      <Lines lines={health} width={columns} />
      <Box flexGrow={1} />
      <MenuGrid menu={menu} selected={selectedLead - leads.length} width={columns} />
    </Box>
  );
}

/** Rows for the two tables with their headings. Each gets half; a table that needs less leaves the rest to the other. */
function shareRows(room: number, bookings: number, leads: number): { bookings: number; leads: number } {
  const wanted = { bookings: bookings + 1, leads: leads + 1 };
  const forLeads = Math.min(wanted.leads, Math.max(Math.floor(room / 2), room - wanted.bookings));
  return { bookings: Math.min(wanted.bookings, room - forLeads), leads: forLeads };
}
