/** The owner's first screen: today's bookings, new leads, overdue messages, the catalog's health, a menu to every screen. */
import { Box, Text } from "ink";
import type { Shop } from "../../../src/catalog/shop.ts";
import { type JobKind, jobsThatAre, SHOP_NEWS } from "../../../src/constants.ts";
import { dayAndTime } from "../../../src/domain/dates-in-words.ts";
import { type BookingStatus, bringsMoney, isCancelled, OPEN_LEADS } from "../../../src/domain/lifecycle.ts";
import { addDays, momentOf, shopDate, shopTime } from "../../../src/domain/schedule.ts";
import { MINUTE_MS } from "../../../src/lib/durations.ts";
import { counted } from "../../../src/lib/text.ts";
import { heldInWords, heldMessages, overdueJobs } from "../../../src/messages/message-rules.ts";
import type { DiaryEntry } from "../../../src/store/diary-days.ts";
import type { Booking } from "../../../src/store/store.ts";
import { sumInWords } from "../../diary/amounts.ts";
import { callsInWords } from "../../diary/calls.ts";
import { readDiary, readStanding } from "../../diary/entries.ts";
import { openInWords } from "../../diary/entry-text.ts";
import type { ServerSeen } from "../../server/listening.ts";
import { channelsInWords, offInWords, stuckInWords } from "../../server/outbox.ts";
import { type ShopLocale, shopPhone } from "../../shop/clock.ts";
import { clean } from "../../terminal/output.ts";
import { startInWords } from "../../terminal/wording.ts";
import { mondayOf } from "../../typed/dates.ts";
import { drawnLeads } from "../customers/lead-table.tsx";
import { bookingColumns, isPale } from "../diary/booking-table.tsx";
import { key, pair } from "../kit/bindings.tsx";
import { CatalogIssue, Frame } from "../kit/frame.tsx";
import { type Selection, Table, useSelection } from "../kit/list.tsx";
import type { OpenShop } from "../kit/open-shop.ts";
import { catalogWord, type MenuEntry, type Nav, useLive, useNav, useShop } from "../kit/screen.ts";
import { fit, isWide, type Line, Lines, ONE_MOMENT, type Size, wrapTo } from "../kit/text.tsx";

/** The messages that need Twilio. */
const TEXT_KINDS: readonly JobKind[] = [...SHOP_NEWS, ...jobsThatAre({ by: "twilio" })];
/** The most new leads that are read; the screen says when there are more. */
const MOST_LEADS = 500;

async function readHome(catalog: Shop, { store, now }: OpenShop) {
  const today = shopDate(catalog, now());
  const at = now().epochMilliseconds;
  const monday = mondayOf(today);
  const [bookings, week, upcoming, open, leads, overdue, texts, held, calls] = await Promise.all([
    readStanding(store, { from: today, to: today }, catalog),
    readDiary(store, monday, addDays(monday, 6), catalog),
    store.upcoming(at, ["confirmed"]),
    store.notClosed(momentOf(catalog, today, "00:00")),
    store.leads(OPEN_LEADS, MOST_LEADS, undefined, ["quote_request"]),
    overdueJobs(store, { now: at, afterMinutes: catalog.messages.stuck_after_minutes }),
    store.countDueJobs(TEXT_KINDS, at),
    heldMessages(store),
    store.callsToMake(),
  ]);
  const booked = week.map(({ booking }) => booking).filter(({ status }) => bringsMoney(status));
  const next = upcoming.find(({ date }) => date > today) ?? null;
  return { today, bookings, booked, next, open, leads, overdue, textsDue: texts.count, held, calls };
}
/** Who is a little late still comes next. */
const LATE_MS = 15 * MINUTE_MS;

/** The place of who comes next, or else of the work that is being done: few lines may fit. */
function nextIn(entries: readonly DiaryEntry[], now: number): number {
  const open = entries.map(({ booking }) => ({ ...booking, isOpen: booking.status === "confirmed" }));
  const next = open.findIndex(({ isOpen, startAt }) => isOpen && startAt >= now - LATE_MS);
  return Math.max(0, next < 0 ? open.findIndex(({ isOpen, endAt }) => isOpen && endAt > now) : next);
}

type HomeFacts = Awaited<ReturnType<typeof readHome>>;

export function Screen() {
  const { catalog } = useShop();
  return catalog ? <Home catalog={catalog} /> : <HomeWithoutCatalog />;
}

function Home({ catalog }: { catalog: Shop }) {
  const shop = useShop();
  const { open, menu } = useNav();
  const facts = useLive((shop) => readHome(catalog, shop));
  const server = useLive(({ askServer }) => askServer(), "", false) ?? null;
  const bookings = facts?.bookings ?? [];
  const leads = facts?.leads ?? [];
  // One selection runs through bookings, leads and menu.
  const next = nextIn(bookings, shop.now().epochMilliseconds);
  const selection = useSelection(bookings.length + leads.length + menu.length, [], next);
  const entry = bookings[selection.index];
  const lead = leads[selection.index - bookings.length];
  const chosen = menu[selection.index - bookings.length - leads.length];
  const clock = shopTime(catalog, shop.now());
  const openJobs = () => open("diary", facts?.open[0]?.date);
  return (
    <Frame
      title={catalog.business.name}
      status={dayAndTime(clock.toPlainDate().toString(), clock.toPlainTime().toString())}
      about="What a shop needs to know now. It keeps itself up to date: a booking made online appears within two seconds."
      keys={[
        key("n", "new booking", () => open("book"), "Book a customer on the phone or at the counter."),
        facts?.open[0] && key("g", "open jobs", openJobs, "Go to the first job of a past day that is still open."),
        ...selection.keys,
        entry && key("enter", "open booking", () => open("booking", entry.booking.confirmationCode)),
        lead && key("enter", "open lead", () => open("lead", lead.reference)),
        ...menuKeys(selection, chosen, menu, open),
      ]}
    >
      {(size) =>
        facts ? (
          <Body facts={facts} server={server} selected={selection.index} size={size} />
        ) : (
          <Text dimColor>{ONE_MOMENT}</Text>
        )
      }
    </Frame>
  );
}

/** `Mon Nov 23, 9:00 AM Jordan Sample, (404) 555-0142`. */
function nextInWords(next: Booking, shop: ShopLocale, now: Temporal.Instant): string {
  const { lead } = next;
  const phone = lead.phone === "" ? "" : `, ${clean(shopPhone(lead, shop))}`;
  return `${startInWords(next, now)} ${clean(lead.name)}${phone}`;
}

interface BodyProps {
  facts: HomeFacts;
  /** Null until it was asked. */
  server: ServerSeen | null;
  selected: number;
  size: Size;
}

/** The two headings and three blank lines. */
const FIXED_ROWS = 5;
const HEADING_ROWS = 2;
/** Rows that bookings and leads each keep: the heading and a line, or a sentence when there are none. */
const leastRows = (count: number) => (count === 0 ? 1 : 2);

function Body({ facts, server, selected, size: { columns, rows } }: BodyProps) {
  const shop = useShop();
  const { menu } = useNav();
  const { bookings, next, leads } = facts;
  const health = healthLines(facts, server, shop, columns);
  const menuHeight = menuRows(menu, columns);
  const least = leastRows(bookings.length) + leastRows(leads.length);
  // Without room for blank lines and for what is well, today's bookings, the warnings and the menu still have theirs.
  const isTight =
    rows - FIXED_ROWS - health.length - menuHeight < Math.max(least, bookings.length + 1 + leastRows(leads.length));
  const warnings = health.filter(({ look }) => look === "error");
  const most = rows - HEADING_ROWS - menuHeight - least;
  const shown = (isTight ? warnings : health).slice(0, Math.max(0, most));
  const free = rows - (isTight ? HEADING_ROWS : FIXED_ROWS) - shown.length - menuHeight;
  const room = shareRows(free, bookings.length, leads.length);
  const selectedLead = selected - bookings.length;
  return (
    <Box flexDirection="column" height={rows}>
      <Text bold>{fit(todayInWords(facts, shop.now()), columns)}</Text>
      <Table
        columns={bookingColumns(shop, facts.today, columns, true)}
        rows={bookings}
        id={({ booking }) => booking.id}
        isDim={isPale}
        selected={selectedLead < 0 ? selected : -1}
        width={columns}
        height={room.bookings}
        empty={
          next ? `Nothing today. Next: ${nextInWords(next, shop.clock, shop.now())}` : "Nothing is booked for today."
        }
      />
      {!isTight && <Text> </Text>}
      <Text bold>{`Open quote requests: ${leads.length}${leads.length === MOST_LEADS ? " or more" : ""}`}</Text>
      <Table
        columns={drawnLeads(shop, columns)}
        rows={leads}
        id={({ id }) => id}
        selected={selectedLead < leads.length ? selectedLead : -1}
        width={columns}
        height={room.leads}
        empty="Nobody waits for an answer."
      />
      {!isTight && <Text> </Text>}
      <Lines lines={shown} width={columns} />
      <Box flexGrow={1} />
      <MenuGrid menu={menu} selected={selectedLead - leads.length} width={columns} />
    </Box>
  );
}

function todayInWords({ bookings, booked, next }: HomeFacts, now: Temporal.Instant): string {
  // As in the week: what brings no money is counted apart.
  const many = (fits: (status: BookingStatus) => boolean) =>
    bookings.filter(({ booking }) => fits(booking.status)).length;
  const [held, missed] = [many((status) => status === "held"), many((status) => status === "no_show")];
  const today = [
    counted(many(bringsMoney), "booking"),
    held > 0 && `${held} held`,
    many(isCancelled) > 0 && `${many(isCancelled)} cancelled`,
    missed > 0 && counted(missed, "no-show"),
  ]
    .filter(Boolean)
    .join(", ");
  const isOver = bookings.every(
    ({ booking: { status, endAt } }) => status !== "confirmed" || endAt <= now.epochMilliseconds,
  );
  if (bookings.length > 0 && isOver && next)
    return `Today: ${today} · next: ${startInWords(next, now)} ${clean(next.lead.name)}`;
  const week = booked.length + (booked.length > 0 ? `, ${sumInWords(booked)}` : "");
  return `Today: ${today} · this week: ${week}`;
}

/** Rows for the two tables with their headings. Each gets half; a table that needs less leaves the rest to the other. */
function shareRows(room: number, bookings: number, leads: number) {
  const wanted = { bookings: bookings + 1, leads: leads + 1 };
  const forLeads = Math.min(wanted.leads, Math.max(Math.floor(room / 2), room - wanted.bookings));
  return { bookings: Math.min(wanted.bookings, room - forLeads), leads: forLeads };
}

/** Says what is wrong with the file, and offers the screens that do not need it. */
function HomeWithoutCatalog() {
  const { catalogSource } = useShop();
  const { open, menu } = useNav();
  const usable = menu.filter(({ withoutCatalog }) => withoutCatalog);
  const selection = useSelection(usable.length);
  const chosen = usable[selection.index];
  return (
    <Frame
      title="Tintdesk"
      about={`Prices and hours need a good ${catalogWord(catalogSource)}; diary, leads and keys do not.`}
      keys={[...selection.keys, ...menuKeys(selection, chosen, usable, open)]}
    >
      {({ columns, rows }) => {
        const menuHeight = menuRows(usable, columns);
        return (
          <Box flexDirection="column" height={rows}>
            <Box flexDirection="column" height={rows - menuHeight} overflow="hidden">
              <CatalogIssue size={{ columns, rows: rows - menuHeight }} />
            </Box>
            <MenuGrid menu={usable} selected={selection.index} width={columns} />
          </Box>
        );
      }}
    </Frame>
  );
}

function columnsOf(width: number): number {
  return isWide(width) ? 2 : 3;
}

/** Includes the rule above the menu. */
function menuRows(menu: readonly MenuEntry[], width: number): number {
  return 1 + Math.ceil(menu.length / columnsOf(width));
}

/** @param selected from 0; any other number marks none */
function MenuGrid({ menu, selected, width }: { menu: readonly MenuEntry[]; selected: number; width: number }) {
  const columns = columnsOf(width);
  const room = Math.floor(width / columns) - LEAD;
  const lines = Array.from({ length: Math.ceil(menu.length / columns) }, (_, i) => i * columns);
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Text dimColor>{"─".repeat(width)}</Text>
      {lines.map((first) => (
        <Text key={first}>
          {menu.slice(first, first + columns).map((entry, i) => (
            <Text key={entry.name} inverse={first + i === selected}>
              {`${first + i === selected ? "›" : " "} `}
              <Text bold>{entry.key}</Text>
              {`  ${fit(isWide(width) ? `${entry.title}: ${entry.about}` : entry.title, room)}`}
            </Text>
          ))}
        </Text>
      ))}
    </Box>
  );
}

/** Columns of the mark, the letter and the spaces around them. */
const LEAD = 5;

/** The keys of a menu that ends a list. @param chosen the selected entry; undefined while the selection is elsewhere */
function menuKeys(selection: Selection, chosen: MenuEntry | undefined, menu: readonly MenuEntry[], open: Nav["open"]) {
  const aside = pair(["left"], ["right"], "← →", null, "Move in the menu.", (by) =>
    selection.select(selection.index + by),
  );
  return [
    ...(chosen ? [key("enter", `open ${chosen.title}`, () => open(chosen.name)), aside] : []),
    { on: [], label: "letter", does: "open a screen", help: "A letter opens the screen it stands for:", run() {} },
    ...menu.map(({ name, key: letter, title, about }) => ({
      on: [letter],
      label: letter,
      does: null,
      help: `${title}: ${about}.`,
      run: () => open(name),
    })),
  ];
}

/** Says whether messages go out and the catalog is good. */
function healthLines(
  { open, overdue, textsDue, held, calls }: HomeFacts,
  server: ServerSeen | null,
  { catalogIssue, catalogSource, now }: OpenShop,
  width: number,
): Line[] {
  const areTextsOff = server?.says?.jobs?.off.includes(SMS) ?? false;
  const off = offInWords([SMS], textsDue);
  // A text that was never tried waits for the settings only: it is counted, but not as overdue.
  const failing = areTextsOff
    ? overdue.filter(({ kind, attempts }) => attempts > 0 || !TEXT_KINDS.includes(kind))
    : overdue;
  const stuck = stuckInWords(failing, now().epochMilliseconds);
  const late = [...(failing.length > 0 ? [`${stuck}: m shows them`] : []), ...held.map(heldInWords)].join("; ");
  const messages = areTextsOff ? [off, late].filter(Boolean).join("; ") : late || stuck;
  const issue = catalogIssue?.issues[0]?.split("\n")[0];
  return [
    ...(open.length === 0 ? [] : health("Open: ", `${openInWords(open)}: g leads there`, true, width)),
    ...(calls.length === 0 ? [] : health("Calls: ", `${callsInWords(calls)}: tint calls`, true, width)),
    ...health("Server: ", serverInWords(server), server !== null && !isWell(server), width),
    ...health("Messages: ", messages, late !== "" || (areTextsOff && textsDue > 0), width),
    ...health("Catalog: ", issue ?? `${catalogWord(catalogSource)} is good`, issue !== undefined, width),
  ];
}

function isWell({ says }: ServerSeen): boolean {
  return says?.status === "ready" && !says.warnings?.length;
}

/** As the server names the channel of texts. */
const SMS = "sms";

function serverInWords(server: ServerSeen | null): string {
  if (server === null) return "is being asked…";
  const { at, says } = server;
  if (!says) return `nothing answers on ${at}, so no messages go out: start it with tint serve`;
  const off = says.jobs?.off ?? [];
  const state = says.status === "ready" ? "up" : "not ready, see tint doctor";
  const warned = says.warnings?.length ? `; ${says.warnings.join("; ")}: see tint doctor` : "";
  return `${state}, on ${at}${off.length === 0 ? "" : `, off: ${channelsInWords(off)}`}${warned}`;
}

function health(name: string, text: string, isBad: boolean, width: number): Line[] {
  return wrapTo(text, width - name.length, HEALTH_ROWS).map((line, i) => ({
    name: i === 0 ? name : " ".repeat(name.length),
    text: line,
    ...(isBad && { look: "error" }),
  }));
}

/** The most lines, for messages and for the catalog each. */
const HEALTH_ROWS = 3;
