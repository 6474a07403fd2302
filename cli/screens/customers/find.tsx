/** The customers that fit a typed text. */
import { useLayoutEffect, useState } from "react";
import { customerColumns, searchCustomers } from "../../customers/customers.ts";
import { countryOf } from "../../shop/clock.ts";
import { pick } from "../../terminal/columns.ts";
import { key } from "../kit/bindings.tsx";
import { useAsk } from "../kit/dialogs.tsx";
import { ListScreen } from "../kit/frame.tsx";
import { useList } from "../kit/list.tsx";
import { useNav } from "../kit/navigation.ts";
import type { ScreenProps } from "../kit/screen-stack.tsx";
import { useLive, useShop } from "../kit/shop.ts";
import { isWide } from "../kit/text.tsx";

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
  const columns = customerColumns(clock, now());
  const list = useList(live, { id: ({ id }) => id, columns, about: text, isFilterable: false });
  const customer = list.row;
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
  useLayoutEffect(() => {
    if (text === "") void look();
  }, []);
  return (
    <ListScreen
      title={text === "" ? "Find a customer" : `Find: ${text}`}
      status={text === "" ? "" : live?.length === READ ? `the newest ${READ}` : `${live?.length}`}
      about="Customers by name, phone, e-mail, vehicle, booking code or lead; a part is enough. The same phone is the same customer."
      list={list}
      keys={[
        customer &&
          key("enter", "open", () => open("customer", customer.id), "Show bookings, leads, amounts and notes."),
        key("/", "find", () => look(), "Look for somebody else."),
      ]}
      dialog={ask.dialog}
      columns={(width) => pick(columns, isWide(width) ? WIDE : NARROW)}
      empty={text === "" ? "" : `Nobody fits ${text}.`}
    />
  );
}

const NARROW = ["name", "phone", "vehicle", "last"];
const WIDE = [...NARROW, "visits", "amount"];
