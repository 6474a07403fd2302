/** Reports as the owner reads them, as `--json` prints them, and for a spreadsheet. */
import { OWNER } from "../../src/constants.ts";
import { ALWAYS_YEAR, dayAndDate, monthAndYear } from "../../src/domain/dates-in-words.ts";
import { waysOf } from "../../src/domain/payments.ts";
import { addDays } from "../../src/domain/schedule.ts";
import { toUnits } from "../../src/lib/money.ts";
import { spaced } from "../../src/lib/text.ts";
import { foldedTable, textTable } from "../terminal/columns.ts";
import { csv } from "../terminal/lists.ts";
import { clean } from "../terminal/output.ts";
import { firstOf } from "../terminal/wording.ts";
import { type CentsByCurrency, centsInWords, inUnits, signedInWords } from "./amounts.ts";
import { stateInWords } from "./entry-text.ts";
import { NO_AGENT, type Report, STATES, type Sum, type Tally, THE_SHOP } from "./report.ts";
import { byMonth, kindsInWords, summary, type Taking, takingsInWords, takingsJson } from "./takings.ts";

const LONGEST = 20;

/** @param columns the width of the terminal, which gets bars; 0 where the output is none */
export function reportText(report: Report, columns: number): string {
  const { from, to, all, by, groups, bays, closed, addons, leads, won } = report;
  // Where every job was closed, nothing is said of it.
  const states = STATES.filter((state) => state !== "not_closed" || all.not_closed.count > 0);
  // A group with payments alone has nothing to count.
  const worked = groups.filter(({ tally }) => tally.booked.count > 0);
  const parts = [
    `${from === to ? "" : `${dayAndDate(from, to)} to `}${dayAndDate(to, ALWAYS_YEAR)}\n`,
    by === "payment" && `${paymentTable(report, columns)}${takenInWords(report, columns) || "Taken: nothing\n"}`,
    barTable(
      ["", "number", "amount"],
      states.map((state) => [stateInWords(state), String(all[state].count), centsInWords(all[state].cents)]),
      states.map((state) => all[state].count),
      columns,
    ),
    `Earned: ${centsInWords(all.completed.cents) || "nothing"}\n${by === "payment" ? "" : takenInWords(report, columns)}`,
    taxInWords(report),
    by &&
      worked.length > 0 &&
      barTable(
        [by, ...states.map(stateInWords), "earned"],
        worked.map(({ name, tally }) => [
          by === "agent" ? agentInWords(name) : spaced(name),
          ...states.map((state) => String(tally[state].count)),
          centsInWords(tally.completed.cents),
        ]),
        worked.map(({ tally }) => tally.booked.count),
        columns,
      ),
    closed ? `Bays: ${clean(closed)}\n` : bays && `Bays used: ${bayUse(bays)}\n`,
    addons.length > 0 &&
      textTable(
        ["add-on", "number", "amount"],
        addons.map(({ name, sum }) => [spaced(name), String(sum.count), centsInWords(sum.cents)]),
      ),
    leads.length > 0 &&
      textTable(
        ["came through", "inquiries", "won", "lost"],
        leads.map((row) => [agentInWords(row.agent), String(row.leads), String(row.won), String(row.lost)]),
      ),
    won.count > 0 &&
      `Won of quote requests: ${[String(won.count), centsInWords(won.cents)].filter(Boolean).join(", ")}\n`,
  ];
  return parts.filter(Boolean).join("\n");
}

/** `Taken: $1,250.50 (cash $200.00, card $1,050.50)`, each way in a line of its own where that is too long; what changed a day that was over; and what nobody paid. */
function takenInWords({ taken: all, changes, unpaid, notAsPriced, from }: Report, columns: number): string {
  const sum = summary(all);
  const taken = takingsInWords(all) || (unpaid.count > 0 ? "nothing" : "");
  const line = `Taken: ${taken}\n`;
  const isLong = (text: string) => columns > 0 && Bun.stringWidth(text) > columns;
  const ways = waysOf(all).map((way) => `  ${way} ${centsInWords(sum.ways[way].cents)}\n`);
  const worth = centsInWords(unpaid.cents);
  const others = firstOf(
    notAsPriced.map(({ name, code, currency, cents }) => `${clean(name) || code} ${signedInWords(currency, cents)}`),
    MOST_OTHERS,
  );
  const together = `Not as priced: ${others.join(", ")}\n`;
  return [
    ...(taken === ""
      ? []
      : isLong(line)
        ? [`Taken: ${centsInWords(sum.cents)}${kindsInWords(all)}\n`, ...ways]
        : [line]),
    ...changes.map(
      ({ date, on, by, currency, cents }) =>
        `${dayAndDate(date, from)} changed on ${dayAndDate(on, from)}: ${signedInWords(currency, cents)} ${by}\n`,
    ),
    ...(unpaid.count === 0 ? [] : [`Without a payment: ${unpaid.count} completed${worth && `, ${worth}`}\n`]),
    ...(others.length === 0
      ? []
      : isLong(together)
        ? ["Not as priced:\n", ...others.map((one) => `  ${one}\n`)]
        : [together]),
  ].join("");
}

/** How many a report names whose payment was not the price; `--json` has them all. */
const MOST_OTHERS = 10;

/** Each day with a payment, and below them the months, or the sum where these are not whole months. */
function paymentTable({ takings, taken, from, to }: Report, columns: number): string {
  if (takings.size === 0) return "";
  const ways = waysOf(taken);
  const row = (name: string, one: readonly Taking[]) => {
    const sum = summary(one);
    return [name, ...ways.map((way) => centsInWords(sum.ways[way].cents)), centsInWords(sum.cents)];
  };
  const days = [...takings].map(([date, one]) => row(dayAndDate(date, from), one));
  const isMonths = from.endsWith("-01") && addDays(to, 1).endsWith("-01");
  const months = () => byMonth(takings).map(([month, one]) => row(monthAndYear(`${month}-01`), one));
  const sums = isMonths ? months() : days.length > 1 ? [row("together", taken)] : [];
  return foldedTable(["payment", ...ways, "taken"], [...days, ...sums], columns);
}

/** The tax in what was taken and in what is to come; empty without tax. */
function taxInWords({ taken, all }: Report): string {
  const parts = [
    [centsInWords(summary(taken).tax), "in what was taken"],
    [centsInWords(all.to_come.tax), "to come"],
  ].filter(([tax]) => tax !== "");
  return parts.length === 0 ? "" : `Tax: ${parts.map(([tax, state]) => `${tax} ${state}`).join(", ")}\n`;
}

/** The assistants by the catalog's words for them. */
function agentInWords(agent: string): string {
  if (agent === OWNER) return THE_SHOP;
  return agent === NO_AGENT ? "no known assistant" : agent;
}

/** A table with a bar behind each row, as long as there is room. @param counts the length of each row's bar */
function barTable(head: string[], rows: string[][], counts: readonly number[], columns: number): string {
  const plain = textTable(head, rows).trimEnd().split("\n");
  // A narrow terminal has every column too, in two parts and without bars.
  if (columns > 0 && plain.some((line) => Bun.stringWidth(line) > columns)) return foldedTable(head, rows, columns);
  const width = Math.max(...plain.map((line) => Bun.stringWidth(line))) + 2;
  const longest = Math.max(0, Math.min(LONGEST, columns - width));
  const most = Math.max(1, ...counts);
  const bar = (i: number) => "█".repeat(Math.round(((counts[i - 1] ?? 0) / most) * longest));
  const line = (text: string, i: number) => (text + " ".repeat(width - Bun.stringWidth(text)) + bar(i)).trimEnd();
  return `${plain.map(line).join("\n")}\n`;
}

function bayUse({ usedMinutes, openMinutes }: NonNullable<Report["bays"]>): string {
  const hours = (minutes: number) => `${Math.round(minutes / 60)} h`;
  return `${hours(usedMinutes)} of ${hours(openMinutes)} open, ${Math.round((usedMinutes / openMinutes) * 100)}%`;
}

export function reportJson({ all, by, groups, takings, taken, ...report }: Report) {
  const { from, to, bays, addons, leads, won, changes, unpaid, notAsPriced } = report;
  return {
    ...{ from, to },
    ...tallyJson(all),
    bay_use: bays && { used_minutes: Math.round(bays.usedMinutes), open_minutes: bays.openMinutes },
    addons: addons.map(({ name, sum }) => ({ addon: name, ...sumJson(sum) })),
    leads,
    won: sumJson(won),
    taken: takingsJson(taken),
    changed: changes.map(({ cents, ...change }) => ({ ...change, amount: toUnits(cents) })),
    unpaid: sumJson(unpaid),
    not_as_priced: notAsPriced.map(({ code, name, date, currency, cents }) => ({
      ...{ confirmation_code: code, name, date, difference: toUnits(cents), currency },
    })),
    ...(by === "payment" && {
      days: [...takings].map(([date, one]) => ({ date, ...takingsJson(one) })),
      months: byMonth(takings).map(([month, one]) => ({ month, ...takingsJson(one) })),
    }),
    ...(by && {
      by,
      groups: groups.map(({ name, tally, taken }) => ({ name, ...tallyJson(tally), taken: takingsJson(taken) })),
    }),
  };
}

function tallyJson({ booked, ...tally }: Tally) {
  const { count: _, ...earned } = sumJson(tally.completed);
  const states = Object.entries(tally).map(([state, sum]) => [state, sumJson(sum)]);
  return { booked: { count: booked.count }, earned, ...Object.fromEntries(states) };
}

function sumJson({ count, cents, tax }: Sum) {
  return { count, amounts: inUnits(cents), ...(Object.keys(tax).length > 0 && { tax: inUnits(tax) }) };
}

/** A row for each group and state; of payments, for each day, way and kind. All that were booked have no amount. */
export function reportCsv({ all, by, groups, takings, taken, won }: Report): string {
  if (by === "payment")
    return csv(
      ["date", "payment", "number", "amount", "currency", "kind", "tax"],
      [...takings].flatMap(([date, ofDay]) =>
        [...Map.groupBy(ofDay, ({ by, kind, currency }) => [by, currency, kind].join())].sort().map(([key, same]) => {
          const [way = "", currency = "", kind = ""] = key.split(",");
          const { count, cents, tax } = summary(same);
          return [date, way, count, inUnits(cents)[currency] ?? 0, currency, kind, inUnits(tax)[currency] ?? 0];
        }),
      ),
    );
  const rows = (name: string[], tally: Tally) =>
    STATES.flatMap((state) => {
      const amounts = Object.entries(inUnits(tally[state].cents));
      const [currency = "", amount = state === "booked" ? null : 0] = amounts[0] ?? [];
      const taxes = inUnits(tally[state].tax);
      const taxIn = (money: string) => taxes[money] ?? 0;
      return [
        [...name, state, tally[state].count, amount, currency, amount === null ? null : taxIn(currency)],
        ...amounts.slice(1).map(([other, more]) => [...name, state, 0, more, other, taxIn(other)]),
      ];
    });
  const moneyRows = (name: string[], { count, cents, tax }: Omit<Sum, "tax"> & { tax: CentsByCurrency | null }) =>
    Object.entries(inUnits(cents)).map(([currency, amount], i) => {
      return [...name, i === 0 ? count : 0, amount, currency, tax ? (inUnits(tax)[currency] ?? 0) : null];
    });
  const head = ["state", "number", "amount", "currency", "tax"];
  if (!by)
    return csv(head, [
      ...rows([], all),
      ...moneyRows(["taken"], summary(taken)),
      ...moneyRows(["won"], { ...won, tax: null }),
    ]);
  return csv(
    [by, ...head],
    [
      ...groups.flatMap(({ name, tally, taken }) => [
        ...rows([name], tally),
        ...moneyRows([name, "taken"], summary(taken)),
      ]),
      // An inquiry can be won without a booking, so its amount belongs to no group of bookings.
      ...moneyRows(["", "won"], { ...won, tax: null }),
    ],
  );
}
