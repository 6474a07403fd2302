/** A quote or receipt as the customer gets it: to read out, to copy, to send. @see ../../customers/paper.ts */
import {
  PAPER_WAYS,
  PAPERS,
  type PaperKind,
  type PaperWay,
  paperText,
  paperUrl,
} from "../../../src/capabilities/desk/paper.ts";
import type { Booking } from "../../../src/store/store.ts";
import { type CustomerPaper, requirePaper, sendToCustomer } from "../../customers/paper.ts";
import { ownerContext } from "../../diary/owner.ts";
import { cleanLines } from "../../terminal/output.ts";
import { key } from "../kit/bindings.tsx";
import { type Actions, useAsk } from "../kit/dialogs.tsx";
import { FactsFrame } from "../kit/frame.tsx";
import { useNav } from "../kit/navigation.ts";
import type { ScreenProps } from "../kit/screen-stack.tsx";
import { useAct, useCopy, useLive, useShop } from "../kit/shop.ts";
import { ONE_MOMENT } from "../kit/text.tsx";

/** @param about what it is, then of which booking or lead: `receipt 7F3A2B9C` */
export function Screen({ about }: ScreenProps) {
  const [word = "", name = ""] = about.split(" ");
  const kind = PAPERS.find((one) => one === word) ?? "quote";
  const { store, catalog, now } = useShop();
  const copy = useCopy();
  const act = useAct();
  const live = useLive(async ({ catalog, store, now }) => {
    if (!catalog) return null;
    const desk = { store, catalog, now: now() };
    const given = await requirePaper(kind, name, desk);
    const code = given.booking?.confirmationCode ?? given.lead.reference;
    return { given, url: await paperUrl(kind, code, ownerContext(desk)) };
  }, about);
  const send = (given: CustomerPaper, way: PaperWay) =>
    act(async () => (catalog ? sendToCustomer(way, given, { store, catalog, now: now() }) : null));
  const given = live?.given;
  const ask = useAsk();
  const choose = async (given: CustomerPaper) => {
    const answers = PAPER_WAYS.map((way) => [way.charAt(0), way === "email" ? "by e-mail" : "by text", way] as const);
    const way = await ask.choose(`How does ${given.lead.name} get the ${kind}?`, answers);
    if (way) await send(given, way);
  };
  return (
    <FactsFrame
      title={kind === "quote" ? "Quote" : "Receipt"}
      status={name}
      about={`What the customer may have. To print it: its page, or tint ${kind} ${name} --html.`}
      keys={
        given
          ? [
              key("enter", "send", () => choose(given), "Send it to the customer, by e-mail or as a link by text."),
              key(
                "space",
                "copy",
                () => copy(cleanLines(paperText(given.paper))),
                "Put it on the clipboard, in terminals that allow it.",
              ),
            ]
          : []
      }
      dialog={ask.dialog}
      facts={given ? [...given.paper.facts, ["Page", live?.url]] : []}
      otherwise={ONE_MOMENT}
    />
  );
}

/** The key that makes paper of a booking, or the quote of a lead. @param booking null for a lead without one */
export function usePaper(reference: string | undefined, booking: Booking | null): Actions {
  const { open } = useNav();
  const { catalog } = useShop();
  const name = booking?.confirmationCode ?? reference;
  const ask = useAsk();
  const choose = async () => {
    const answers = PAPERS.map((kind) => [kind === "quote" ? "q" : "p", `the ${kind}`, kind] as const);
    const kind = booking ? await ask.choose<PaperKind>("Which paper does the customer get?", answers) : "quote";
    if (kind) open("paper", `${kind} ${name}`);
  };
  const help = `A quote${booking ? " or receipt" : ""}, to copy, print or send.`;
  return {
    keys: catalog && name !== undefined ? [key("p", "paper", () => choose(), help)] : [],
    dialog: ask.dialog,
  };
}
