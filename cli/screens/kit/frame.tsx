/** The frame of every screen: title and status, the body, a line for notices, the footer, and the help over it. */
import { Box, Text } from "ink";
import { type ComponentProps, type ComponentType, type ReactNode, useRef, useState } from "react";
import type { CatalogError } from "../../../src/catalog/load/document.ts";
import type { Shop } from "../../../src/catalog/shop.ts";
import { shopDate } from "../../../src/domain/schedule.ts";
import { catalogFile } from "../../../src/env/env.ts";
import type { Column } from "../../terminal/columns.ts";
import { isWrittenAsDate, readDate } from "../../typed/dates.ts";
import { isReference, issueIn, readReference } from "../../typed/values.ts";
import { Footer, footerLines, type KeyBinding, type Keys, key, present, reachable, useKeys } from "./bindings.tsx";
import { type Ask, useAsk } from "./dialogs.tsx";
import { type KeyPress, useKeyPress } from "./keyboard.tsx";
import { type List, Table, type TableProps, useScroll } from "./list.tsx";
import type { OpenShop } from "./open-shop.ts";
import {
  catalogWord,
  type MenuEntry,
  type Nav,
  type Notice,
  type ScreenProps,
  type Step,
  useAct,
  useNav,
  useShop,
} from "./screen.ts";
import {
  fit,
  type Line,
  Lines,
  ONE_MOMENT,
  type Size,
  TitleBar,
  useTerminalSize,
  wrap,
  wrapLines,
  wrapTo,
} from "./text.tsx";

interface FrameProps {
  title: string;
  /** At the right of the title, such as a date or a count. */
  status?: string;
  /** The screen's own keys; help, back and quit are added. */
  keys: Keys;
  /** The purpose of the screen, above the keys in the help. */
  about?: string;
  /** A question, drawn in place of notices and footer; it takes all keys. */
  dialog?: ReactNode;
  /** Called before the screen is left, to ask about unsaved changes; call `leave` to leave. */
  beforeLeaving?: (leave: () => void) => unknown;
  /** Draws the body in a given number of columns and rows; anything larger is cut off. */
  children: (size: Size) => ReactNode;
}

/** Rows around the body of most screens: title, rule, notice and two lines of keys. */
export const AROUND_BODY = 5;
const NOTICE_ROWS = 3;
/** Two lines each for a question and its consequence, or a text and its refusal; one for the keys. */
const DIALOG_ROWS = 5;

export function Frame({ title, status = "", keys, about, dialog, beforeLeaving, children }: FrameProps) {
  const { columns, rows } = useTerminalSize();
  const { notice } = useNav();
  const going = useAsk();
  const question = dialog || going.dialog;
  const hasDialog = Boolean(question);
  const { bindings, isHelpOpen, closeHelp } = useFrameKeys(present(keys), hasDialog, beforeLeaving, going);
  const { text, isAlarm } = useStatus(title, status, columns);
  if (isHelpOpen)
    return <Help title={title} about={about} bindings={bindings} size={{ columns, rows }} close={closeHelp} />;

  const notices = noticeLines(notice, columns);
  const footer = footerLines(reachable(bindings), columns);
  const body = { columns, rows: rows - 2 - (hasDialog ? DIALOG_ROWS : notices.length + footer.length) };
  return (
    <Box flexDirection="column" width={columns} height={rows} overflow="hidden">
      <TitleBar title={title} status={text} width={columns} isAlarm={isAlarm} />
      <Box flexDirection="column" height={body.rows} overflow="hidden">
        {children(body)}
      </Box>
      {hasDialog ? (
        <Box flexDirection="column" height={DIALOG_ROWS} justifyContent="flex-end" overflow="hidden">
          {question}
        </Box>
      ) : (
        <>
          <Lines lines={notices} width={columns} />
          <Footer lines={footer} width={columns} />
        </>
      )}
    </Box>
  );
}

/** The screen's keys with those that every screen has: help, back, quit, Ctrl+C. */
function useFrameKeys(
  keys: readonly KeyBinding[],
  hasDialog: boolean,
  beforeLeaving: FrameProps["beforeLeaving"] = (leave) => leave(),
  ask: Ask,
) {
  const { say, isFirst, open, back, quit, interrupt, menu, history } = useNav();
  const shop = useShop();
  const act = useAct();
  const isTaken = (name: string) => keys.some(({ on }) => on.includes(name));
  const step = (on: string, way: keyof Step, help: string): KeyBinding[] =>
    history.can[way] && !isTaken(on)
      ? [key(on, way === "undo" ? "undo" : "again", () => act((shop) => history.go(way, shop)), help)]
      : [];
  const goTo = async () => {
    const check = (typed: string) => (isWrittenAsDate(typed) ? issueIn(() => dayNamed(typed, shop)) : null);
    const typed = await ask.text({ label: "Go to a screen, a day, a code or a customer", submit: "go there", check });
    if (typed) open(...(await placeNamed(typed, menu, shop)));
  };
  const [isHelpOpen, setHelpOpen] = useState(false);
  const bindings = present([
    ...keys,
    !isTaken("/") && { ...key("/", "find", () => open("find"), "Find a customer."), does: null },
    ...step("u", "undo", "Take back the last thing that was done on the screens, and again the one before."),
    ...step("U", "redo", "Do again what was taken back."),
    key(":", "go to", () => goTo(), "Go to any screen, day (friday, 11/27), booking, lead or customer."),
    { ...key("?", "help", () => setHelpOpen(true)), help: "Show what every key does." },
    !isFirst && key("esc", "back", () => beforeLeaving(back), "Go back to the screen before."),
    key("q", "quit", () => beforeLeaving(quit), "Leave the program."),
  ]);
  // A notice stays until the next key.
  const clearing = (run: KeyBinding["run"]) => (press: KeyPress) => {
    say(null);
    return run(press);
  };
  const clearingAll = bindings.map((one) => ({ ...one, run: clearing(one.run) }));
  useKeys(clearingAll, !hasDialog && !isHelpOpen);
  useCtrlC(() => {
    setHelpOpen(false);
    return beforeLeaving(interrupt);
  });
  return { bindings, isHelpOpen, closeHelp: () => setHelpOpen(false) };
}

/** The status, after a warning while the catalog has a mistake. The status gives way where both have no room. */
function useStatus(title: string, status: string, columns: number) {
  const { catalogIssue, isCatalogMissing, catalogSource } = useShop();
  if (!catalogIssue) return { text: status, isAlarm: false };
  const alarm = isCatalogMissing ? "there is no catalog" : `${catalogWord(catalogSource)} has a mistake`;
  const both = status === "" ? alarm : `${alarm} · ${status}`;
  const isTooLong = Bun.stringWidth(title + both) + 2 > columns;
  return { text: isTooLong ? alarm : both, isAlarm: true };
}

function noticeLines(notice: Notice | null, columns: number): Line[] {
  const isError = notice?.kind === "error";
  const text = notice ? `${isError ? "✗" : "✓"} ${notice.text}` : "";
  return wrapTo(text, columns, NOTICE_ROWS).map((line) => ({ text: line, look: isError ? "error" : "good" }));
}

interface HelpProps extends Pick<FrameProps, "title" | "about"> {
  bindings: readonly KeyBinding[];
  size: Size;
  close: () => void;
}

function Help({ title, about, bindings, size: { columns, rows }, close }: HelpProps) {
  const lines = [
    ...(about ? [...wrap(about, columns), ""] : []).map((text) => ({ text })),
    ...bindings.flatMap((one) => explained(one, columns)),
  ];
  const room = rows - 3;
  const scroll = useScroll(lines, room);
  const keys = [...scroll.keys, { on: ["?", "esc", "q", "enter"], label: "Esc", does: "close the help", run: close }];
  useKeys(keys);
  return (
    <Box flexDirection="column" width={columns} height={rows} overflow="hidden">
      <TitleBar title={`${title}: help`} width={columns} />
      {scroll.draw({ columns, rows: room })}
      <Footer lines={footerLines(keys, columns)} width={columns} />
    </Box>
  );
}

const LABEL_WIDTH = 12;

function explained({ label, does, help }: KeyBinding, columns: number): Line[] {
  return wrap(help ?? does ?? "", columns - LABEL_WIDTH).map((text, i) => ({
    name: fit(i === 0 ? label : "", LABEL_WIDTH),
    text,
  }));
}

type Fact = readonly [name: string, value: string | null | undefined];

interface FactsFrameProps extends Omit<FrameProps, "children"> {
  /** Undefined until they are read; null where the thing is not there. */
  facts: readonly Fact[] | null | undefined;
  /** Said of a thing that is not there. */
  otherwise?: string;
}

/** A screen of facts: names and values. Long values are wrapped, and the whole scrolls. */
export function FactsFrame({ keys, facts, otherwise, ...frame }: FactsFrameProps) {
  const { columns, rows } = useTerminalSize();
  const lines = drawFacts(facts ?? [], columns);
  const scroll = useScroll(lines, rows - AROUND_BODY);
  return (
    <Frame {...frame} keys={[...scroll.keys, ...keys]}>
      {(size) => (facts ? scroll.draw(size) : <Text dimColor>{facts === null ? otherwise : ONE_MOMENT}</Text>)}
    </Frame>
  );
}

/** The lines of the facts, names in a column of their own; both are wrapped. A fact without a value is left out. */
function drawFacts(facts: readonly Fact[], columns: number): Line[] {
  const given = facts.flatMap(([name, value]) => (value ? [{ name, value }] : []));
  const width = Math.min(Math.max(0, ...given.map(({ name }) => Bun.stringWidth(name))), Math.floor(columns / 3));
  return given.flatMap(({ name, value }) => {
    const [names, texts] = [wrap(name, width), wrap(value, columns - width - GAP)];
    const lines = names.length > texts.length ? names : texts;
    return lines.map((_, i) => ({ name: fit(names[i] ?? "", width + GAP), text: texts[i] ?? "" }));
  });
}

const GAP = 2;

/** Ctrl+Z is answered. Ctrl+C asks before it leaves, as q does; pressed twice in a row it leaves without asking. */
function useCtrlC(leave: () => unknown): void {
  const { interrupt, say } = useNav();
  const wasPressed = useRef(false);
  useKeyPress(({ name }) => {
    if (name === "ctrl+z") say({ kind: "error", text: "Ctrl+Z has no effect here: q leaves, and tint comes back." });
    const isAgain = wasPressed.current;
    wasPressed.current = name === "ctrl+c";
    return wasPressed.current && (isAgain ? interrupt : leave)();
  });
}

const ALWAYS: readonly Pick<MenuEntry, "name" | "title">[] = [
  { name: "home", title: "Home" },
  { name: "book", title: "New booking" },
];

/** @param typed the beginning of a name or of a word of it is enough; `di` is the diary, `fri` its Friday */
async function placeNamed(typed: string, menu: readonly MenuEntry[], shop: OpenShop): Promise<Parameters<Nav["open"]>> {
  const word = typed.toLowerCase();
  const begins = (name: string) => name.toLowerCase().startsWith(word);
  const screen = [...ALWAYS, ...menu].find(({ title }) => [title, ...title.split(" ")].some(begins));
  if (screen) return [screen.name];
  const reference = readReference(typed);
  if (isReference(reference)) return ["lead", reference];
  if (issueIn(() => dayNamed(typed, shop)) === null) return ["diary", dayNamed(typed, shop)];
  const code = typed.toUpperCase();
  return (await shop.store.findBooking(code)) ? ["booking", code] : ["find", typed];
}

function dayNamed(typed: string, { clock, now }: OpenShop): string {
  return readDate(typed, () => shopDate(clock, now()), "nearest");
}

interface ListBodyProps<Row> extends Pick<TableProps<Row>, "isDim" | "empty"> {
  list: List<Row>;
  /** The columns to draw at this width, where they are not those of the list. */
  columns?: ((width: number) => readonly Column<Row>[]) | undefined;
  below?: ((size: Size) => readonly (Line | string)[]) | undefined;
}

export function ListBody<Row>(props: ListBodyProps<Row> & { size: Size }) {
  const { list, columns = list.columns, below, empty, size, isDim } = props;
  const { rows, id, index, marked, isRead, filter } = list;
  const lines = below?.(size) ?? [];
  return (
    <Box flexDirection="column" height={size.rows}>
      <Table
        {...{ rows, id, isDim, marked, selected: index, width: size.columns, height: size.rows - lines.length }}
        columns={columns(size.columns)}
        empty={isRead ? (filter === "" ? empty : `Nothing here has ${filter}.`) : ONE_MOMENT}
      />
      <Box flexGrow={1} />
      <Lines lines={lines} width={size.columns} />
    </Box>
  );
}

type ListScreenProps<Row> = Omit<ComponentProps<typeof Frame>, "children"> & ListBodyProps<Row>;

export function ListScreen<Row>({ list, columns, below, isDim, empty, ...frame }: ListScreenProps<Row>) {
  const { marked, filter, keys, dialog, isRead } = list;
  return (
    <Frame
      {...frame}
      title={filter === "" ? frame.title : `${frame.title}, only ${filter}`}
      status={marked?.size ? `${marked.size} marked` : isRead ? (frame.status ?? "") : ""}
      keys={[...keys, ...frame.keys]}
      dialog={frame.dialog ?? dialog}
    >
      {(size) => <ListBody {...{ list, columns, below, isDim, empty, size }} />}
    </Frame>
  );
}

/** A screen that needs the catalog: while there is none, it shows what is wrong. */
export function withCatalog(title: string, Body: ComponentType<ScreenProps & { catalog: Shop }>) {
  return function CatalogScreen(props: ScreenProps) {
    const { catalog } = useShop();
    return catalog ? <Body {...props} catalog={catalog} /> : <CatalogIssueScreen title={title} />;
  };
}

export function CatalogIssueScreen({ title }: { title: string }) {
  return (
    <Frame title={title} keys={[]}>
      {(size) => <CatalogIssue size={size} />}
    </Frame>
  );
}

export function CatalogIssue({ size: { columns, rows } }: { size: Size }) {
  const { catalogIssue, isCatalogMissing, catalogSource } = useShop();
  const head = wrapLines(
    isCatalogMissing ? howToBegin(catalogSource.file, catalogIssue) : howToRepair(catalogSource.file),
    columns,
  );
  const issues = isCatalogMissing ? [] : (catalogIssue?.issues ?? []).flatMap((issue) => wrapIssue(issue, columns));
  const room = rows - head.length;
  const shown =
    issues.length > room ? [...issues.slice(0, room - 1), `… ${issues.length - room + 1} lines more`] : issues;
  return <Lines lines={[...head, ...shown]} width={columns} />;
}

function howToRepair(file: string | null): string[] {
  return [
    file === null
      ? "The catalog in the database has a mistake, or a newer program wrote it. Update this program, or bring in a good file with tint catalog import FILE: this then goes on by itself."
      : "The catalog has a mistake. Fix it in a text editor: this goes on by itself as soon as the file is good.",
    "",
  ];
}

function howToBegin(file: string | null, issue: CatalogError | null): string[] {
  if (file === null || issue?.message.includes("tint catalog undo")) return [issue?.message ?? ""];
  return [
    `There is no catalog yet: the file ${file}, which holds the shop's prices, hours and texts.`,
    "",
    `To make one, leave with q and type: ${file === catalogFile() ? "tint init" : `tint init --catalog ${file}`}`,
    "To use one that is elsewhere: tint --catalog FILE",
  ];
}

function wrapIssue(issue: string, columns: number): (Line | string)[] {
  const [what = "", ...quoted] = issue.split("\n");
  return [...wrapLines([what], columns), ...quoted.map((text) => ({ text, isQuoted: true as const })), ""];
}
