/** A quote or receipt as the customer gets it: to read out, to copy, to send. @see ../../customers/paper.ts */
import { PAPER_WAYS, PAPERS, type PaperKind, paperText, paperUrl } from "../../../src/capabilities/desk/paper.ts";
import type { Booking } from "../../../src/store/store.ts";
import { type CustomerPaper, requirePaper, sendToCustomer } from "../../customers/paper.ts";
import { ownerContext } from "../../diary/owner.ts";
import { cleanLines } from "../../terminal/output.ts";
import { key } from "../kit/bindings.tsx";
import type { Actions } from "../kit/dialogs.tsx";
import { FactsFrame } from "../kit/frame.tsx";
import { goodDeskOf, type ScreenProps, useCopy, useLive, useScreen } from "../kit/screen.ts";

/** @param about what it is, then of which booking or lead: `receipt 7F3A2B9C` */
export function Screen({ about }: ScreenProps) {
  const [word = "", name = ""] = about.split(" ");
  const kind = PAPERS.find((one) => one === word) ?? "quote";
  const { act, ask } = useScreen();
  const copy = useCopy();
  const live = useLive(async (shop) => {
    if (!shop.catalog) return undefined;
    const desk = goodDeskOf(shop);
    const given = await requirePaper(kind, name, desk);
    const code = given.booking?.confirmationCode ?? given.lead.reference;
    return { given, url: await paperUrl(kind, code, ownerContext(desk)) };
  }, about);
  const given = live?.given;
  const copyHelp = "Put it on the clipboard, in terminals that allow it.";
  const choose = async (given: CustomerPaper) => {
    const answers = PAPER_WAYS.map((way) => [way.charAt(0), way === "email" ? "by e-mail" : "by text", way] as const);
    const way = await ask.choose(`How does ${given.lead.name} get the ${kind}?`, answers);
    if (way) await act((shop) => sendToCustomer(way, given, goodDeskOf(shop)));
  };
  return (
    <FactsFrame
      title={kind === "quote" ? "Quote" : "Receipt"}
      status={name}
      about={`What the customer may have. To print it: its page, or tint ${kind} ${name} --html.`}
      keys={[
        given && key("enter", "send", () => choose(given), "Send it to the customer, by e-mail or as a link by text."),
        given && key("space", "copy", () => copy(cleanLines(paperText(given.paper))), copyHelp),
      ]}
      dialog={ask.dialog}
      facts={given && [...given.paper.facts, ["Page", live?.url]]}
    />
  );
}

/** The key that makes paper of a booking, or the quote of a lead. @param booking null for a lead without one */
export function usePaper(reference: string | undefined, booking: Booking | null): Actions {
  const { catalog, open, ask } = useScreen();
  const name = booking?.confirmationCode ?? reference;
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
