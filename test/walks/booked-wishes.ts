/** Twelve wishes from a price to a confirmed booking and after it, by an agent that follows nothing but the answers it gets. */
import { expect } from "bun:test";
import { type Agent, type Reply, stepTo } from "./agents.ts";
import { type Booked, book, CONSENT, CONTACT, openOn, USER, type Wish } from "./wishes.ts";

const CRV = { vehicle_type: "crossover", vehicle_make: "Honda", vehicle_model: "CR-V" };
const FRIDAY = "2026-11-27";
const SATURDAY = "2026-11-28";

/** The steps that a price proposes lead to times and to a booking; the agent asks for the short form. */
function priced(agent: Agent, job: object): Promise<Reply> {
  return agent.use("automotive_estimate", { ...job, view: "brief" });
}

async function timesFor(agent: Agent, estimate: Reply, asked: object): Promise<Reply> {
  return agent.take(stepTo(estimate, "check_availability"), { ...asked, view: "compact" });
}

const proofOf = ({ confirmation_code, phone }: Booked) => ({ confirmation_code, phone });

export const BOOKED_WISHES: Wish[] = [
  {
    wish: "Price and legality of a CR-V with a windshield strip, at 35%",
    async grant(agent) {
      // The user says SUV; the answer knows the model and names its class.
      const asked = { ...CRV, vehicle_type: "suv", addons: ["windshield_strip"], shade: 35 };
      const first = await priced(agent, asked);
      const check = first.body.warnings.find(({ code }: { code: string }) => code === "VEHICLE_TYPE_CHECK");
      expect(check.did_you_mean ?? check.message).toContain("crossover");
      const { data } = await priced(agent, { ...asked, vehicle_type: "crossover" });
      expect(data.total).toBeGreaterThan(0);
      const front = data.tint_law.checks.find(({ position }: { position: string }) => position === "front_side");
      expect([front.status, front.darkest_legal_shade]).toEqual(["borderline", 50]);
      expect(data.book_url).toContain("/book?");
    },
  },
  {
    wish: "Book it for next Friday with a legal shade",
    async grant(agent) {
      const estimate = await priced(agent, { ...CRV, shade: 50 });
      expect(estimate.data.tint_law.status).toBe("legal");
      const open = openOn(await timesFor(agent, estimate, { date: FRIDAY }), "friday");
      const { data } = await book(agent, stepTo(estimate, "book_appointment"), open);
      expect(data).toMatchObject({ date: FRIDAY, shade: 50, tint_law: { status: "legal" } });
      expect(data.estimate.total).toBe(estimate.data.total);
      for (const field of ["manage_url", "can_change_until", "messages", "prepare"]) expect(data[field]).toBeDefined();
    },
  },
  {
    wish: "Move it to Saturday at 11, or the nearest",
    async grant(agent, booked) {
      const to = { date: SATURDAY, time: "11:00" };
      const shown = await agent.use("reschedule_booking", { ...proofOf(booked), ...to, dry_run: true });
      const [nearest = to] = shown.ok ? [] : shown.body.alternatives;
      const { date, time } = nearest;
      const moved = await agent.use("reschedule_booking", { ...proofOf(booked), date, time });
      expect(moved.data).toMatchObject({ date, time, confirmation_code: booked.confirmation_code });
      expect(date).toBe(SATURDAY);
    },
  },
  {
    wish: "Add the removal of the old film to it",
    async grant(agent, booked) {
      const wish = { ...proofOf(booked), remove_old_film: true };
      const shown = await agent.use("reschedule_booking", { ...wish, dry_run: true });
      expect(shown.data.price_change).toBe(225);
      const changed = await agent.take(stepTo(shown, "reschedule_booking"));
      expect(changed.data).toMatchObject({ status: "confirmed", remove_old_film: true, price_change: 225 });
      expect(changed.data.estimate.total).toBe(changed.data.previous_total + 225);
    },
  },
  {
    wish: "A second car on the same day",
    async grant(agent, booked) {
      const { data } = await agent.use("find_booking", proofOf(booked));
      const estimate = await priced(agent, { vehicle_type: "truck" });
      const open = await timesFor(agent, estimate, { date: data.date });
      const again = await book(agent, stepTo(estimate, "book_appointment"), openOn(open, "friday"));
      expect(again.data).toMatchObject({ date: data.date, vehicle: { type: "truck" } });
      expect(again.data.confirmation_code).not.toBe(booked.confirmation_code);
    },
  },
  {
    wish: "Film for a dental office by the window, with a site visit",
    async grant(agent) {
      const windows = [{ width_in: 48, height_in: 60, quantity: 6 }];
      const asked = { site_type: "commercial", windows, primary_concern: "glare", view: "brief" };
      const estimate = await agent.use("flat_glass_estimate", asked);
      expect(estimate.data.total_min).toBeLessThanOrEqual(estimate.data.total_max);
      expect(estimate.data.book_url).toContain("/book/glass?");
      const wish = { ...CONTACT, ...CONSENT, message: "A dental office. Please come and measure." };
      const quote = await agent.take(stepTo(estimate, "quote_request", "request_quote"), wish);
      expect(quote.data).toMatchObject({ status: "received", follow_up: { expected_by: expect.any(String) } });
    },
  },
  {
    wish: "Cancel it, and say why",
    async grant(agent, booked) {
      const wish = { ...proofOf(booked), reason: "The car was sold." };
      const shown = await agent.use("cancel_booking", { ...wish, dry_run: true });
      expect(shown.ok).toBe(true);
      const cancelled = await agent.use("cancel_booking", wish);
      expect(cancelled.data.status).toBe("cancelled_by_customer");
    },
  },
  {
    wish: "How do I look after it, and what does the warranty cover?",
    async grant(agent) {
      for (const [q, said] of [
        ["care after tinting", /windows (?:up|closed)|clean/i],
        ["warranty", /warranty|limited lifetime/i],
      ] as const) {
        const { data } = await agent.use("list_faq", { q });
        expect(data.map(({ answer }: { answer: string }) => answer).join(" ")).toMatch(said);
      }
    },
  },
  {
    wish: "Come to my home in another state on Sunday at 7 pm",
    async grant(agent) {
      const open = await agent.use("check_availability", { date: "2026-11-29", after: "19:00", view: "compact" });
      expect(open.data.days[0]).toMatchObject({ weekday: "sunday", status: "closed", open: [] });
      const { data } = await agent.use("list_faq", { q: "do you come to me" });
      expect(data[0].answer).toContain("at our shop");
      const asked = { ...USER, vehicle_type: "suv", date: FRIDAY, time: "10:00", postal_code: "90210" };
      const refused = await agent.use("book_appointment", { ...asked, dry_run: true });
      expect(refused.body).toMatchObject({ error_code: "OUT_OF_SERVICE_AREA" });
      expect(refused.body.message).toContain("Bringing the vehicle is fine");
    },
  },
  {
    wish: "Is 35% legal in California and in Texas?",
    async grant(agent) {
      const status = async (jurisdiction: string) => {
        const { data } = await priced(agent, { vehicle_type: "sedan", shade: 35, jurisdiction });
        const [front] = data.tint_law.checks;
        return [front.position, front.status];
      };
      expect(await status("California")).toEqual(["front_side", "illegal"]);
      expect(await status("TX")).toEqual(["front_side", "legal"]);
    },
  },
  {
    wish: "The cheapest tint for my coupe, with tax",
    async grant(agent) {
      const { data } = await priced(agent, { vehicle_type: "coupe", coverage: "front2" });
      const cheapest = Math.min(...data.options.map(({ total }: { total: number }) => total));
      expect(data.total).toBe(cheapest);
      expect(data.tax).toMatchObject({ status: "none", amount: 0 });
      expect(data.tax.note).toBeString();
    },
  },
  {
    wish: "What is booked for me, and will I get a text?",
    async grant(agent, booked) {
      const { data } = await agent.use("find_booking", proofOf(booked));
      expect(data).toMatchObject({
        date: FRIDAY,
        status: "confirmed",
        manage_url: expect.stringContaining("/book/manage"),
      });
      expect(Object.keys(data.messages)).toEqual(["text", "email", "said"]);
    },
  },
];
