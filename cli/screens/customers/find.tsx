/** The customers that fit a typed text. */
import { useEffect, useState } from "react";
import { customerRow, searchCustomers } from "../../customers/customers.ts";
import { countryOf } from "../../shop/clock.ts";
import { key } from "../kit/bindings.tsx";
import { useAsk } from "../kit/dialogs.tsx";
import { Frame } from "../kit/frame.tsx";
import { type Column, Table, useSelection } from "../kit/list.tsx";
import { useNav } from "../kit/navigation.ts";
import type { ScreenProps } from "../kit/screen-stack.tsx";
import { useLive, useShop } from "../kit/shop.ts";
import { isWide, ONE_MOMENT } from "../kit/text.tsx";

/** The most customers that are read. */
const READ = 100;

/** @param about what is looked for; asked when empty */
export function Screen({ about }: ScreenProps) {
  const { clock, catalog, now } = useShop();
  const { open, back } = useNav();
  const ask = useAsk();
  const [text, setText] = useState(about);
  const live = useLive(
    async ({ store }) => (text === "" ? [] : searchCustomers(store, text, countryOf(catalog), READ)),
    text,
  );
  const selection = useSelection(live?.length ?? 0, [], 0, text);
  const customer = live?.[selection.index];
  const look = async () => {
    const typed = await ask.text({
      label: "Name, phone, e-mail, vehicle or code",
      submit: "find",
      check: (typed) => (typed === "" ? "Type a part of it, or press Esc." : null),
    });
    if (typed !== undefined) setText(typed);
    else if (text === "") back();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is asked once, as the screen opens
  useEffect(() => {
    if (text === "") void look();
  }, []);
  return (
    <Frame
      title={text === "" ? "Find a customer" : `Find: ${text}`}
      status={live === null || text === "" ? "" : live.length === READ ? `the newest ${READ}` : `${live.length}`}
      about="Customers by name, phone, e-mail, vehicle, booking code or lead; a part is enough. The same phone is the same customer."
      keys={[
        ...selection.keys,
        customer &&
          key("enter", "open", () => open("customer", customer.id), "Show bookings, leads, amounts and notes."),
        key("/", "find", () => void look(), "Look for somebody else."),
      ]}
      dialog={ask.dialog}
    >
      {({ columns, rows }) => (
        <Table
          columns={isWide(columns) ? WIDE : NARROW}
          rows={(live ?? []).map((one) => {
            const [name = "", phone = "", , vehicle = "", visits = "", amount = "", last = ""] = customerRow(
              one,
              clock,
              now(),
            );
            return { key: one.id, cells: [name, phone, vehicle, last, visits, amount] };
          })}
          selected={selection.index}
          width={columns}
          height={rows}
          empty={text === "" ? "" : live === null ? ONE_MOMENT : `Nobody fits ${text}.`}
        />
      )}
    </Frame>
  );
}

const NARROW: readonly Column[] = [
  { head: "name" },
  { head: "phone", width: 15, grows: true },
  { head: "vehicle" },
  { head: "last", width: 16 },
];
const WIDE: readonly Column[] = [
  ...NARROW,
  { head: "visits", width: 6, align: "right" },
  { head: "amount", width: 11, align: "right" },
];
