/** Wishes of users, and how an agent grants each: it takes the steps that answers propose, with the user's own data. */
import { expect } from "bun:test";
import { type Agent, type Reply, type Step, stepTo } from "./agents.ts";

/** What the user tells of a booking that they made some days ago. */
interface Booked {
  confirmation_code: string;
  phone: string;
}

interface Wish {
  wish: string;
  grant: (agent: Agent, booked: Booked) => Promise<void>;
}

/** The user of all wishes. */
export const USER = {
  customer_name: "Sam Rivera",
  customer_phone: "+1-404-555-0177",
  customer_email: "sam@rivera.example",
};

const CONSENT = { consent: { confirmed_by_user: true, statement: "Yes, book it." } };

const CONTACT = { first_name: "Sam", phone: USER.customer_phone, email: USER.customer_email };

/** Shows the user what will be booked, and books it once they agree. */
async function book(agent: Agent, step: Step, change: object = {}): Promise<Reply> {
  const shown = await agent.take(step, { ...USER, ...change, dry_run: true });
  expect(shown.data.status).toBe("dry_run");
  const booked = await agent.take(stepTo(shown, "book_appointment"), CONSENT);
  expect(booked.data.status).toBe("confirmed");
  expect(booked.data.estimate).toEqual(shown.data.estimate);
  return booked;
}

/** The first open time of a day of the week, from the compact view. */
function openOn({ data }: Reply, weekday: string): { date: string; time: string } {
  for (const day of data.days) if (day.weekday === weekday && day.open[0]) return { date: day.date, time: day.open[0] };
  throw new Error(`no time is open on a ${weekday}`);
}

async function times(agent: Agent, estimate: Reply): Promise<Reply> {
  return agent.take(stepTo(estimate, "check_availability"), { view: "compact", days: 14 });
}

/** Friday at ten is held. */
async function hold(agent: Agent): Promise<{ held: Reply; estimate: Reply }> {
  const estimate = await agent.use("automotive_estimate", { vehicle_type: "coupe", view: "brief" });
  const { date } = openOn(await times(agent, estimate), "friday");
  const held = await agent.take(stepTo(estimate, "book_appointment"), {
    ...{ ...USER, ...CONSENT, date, time: "10:00" },
    hold: true,
  });
  expect(held.data).toMatchObject({ status: "held", time: "10:00", held_until: expect.any(String) });
  return { held, estimate };
}

export const WISHES: Wish[] = [
  {
    wish: "The darkest legal tint for my sedan in Georgia, on a Saturday",
    async grant(agent) {
      const asked = { vehicle_type: "sedan", jurisdiction: "US-GA" };
      const brief = await agent.use("automotive_estimate", { ...asked, view: "brief" });
      const shades = brief.data.tint_law.checks.map((one: { darkest_legal_shade: number }) => one.darkest_legal_shade);
      const shade = Math.max(...shades);
      const legal = await agent.use("automotive_estimate", { ...asked, shade, view: "brief" });
      expect(legal.data.tint_law.status).toBe("legal");
      const saturday = openOn(await times(agent, legal), "saturday");
      const booked = await book(agent, stepTo(legal, "book_appointment"), saturday);
      expect(booked.data).toMatchObject({ ...saturday, shade, tint_law: { status: "legal" } });
      expect(booked.data.estimate.total).toBe(legal.data.total);
    },
  },
  {
    wish: "Take the old film off my van and put ceramic on",
    async grant(agent) {
      const job = { vehicle_type: "van", film_type: "ceramic", remove_old_film: true };
      const estimate = await agent.use("automotive_estimate", job);
      const lines = estimate.data.line_items.map(({ code }: { code: string }) => code);
      expect(lines.length).toBe(2);
      const booked = await book(agent, stepTo(estimate, "book_appointment"));
      expect(booked.data.remove_old_film).toBe(true);
      expect(booked.data.duration_minutes).toBe(estimate.data.duration_minutes);
      expect(booked.data.estimate.total).toBe(estimate.data.total);
    },
  },
  {
    wish: "Film for eight windows of 36 by 60 inches at home, with a ladder",
    async grant(agent) {
      const windows = [{ width_in: 36, height_in: 60, quantity: 8 }];
      const estimate = await agent.use("flat_glass_estimate", {
        site_type: "residential",
        windows,
        needs_ladder: true,
      });
      expect(estimate.data.total_sqft).toBe(120);
      const quote = await agent.take(stepTo(estimate, "quote_request", "request_quote"), { ...CONTACT, ...CONSENT });
      expect(quote.data.status).toBe("received");
    },
  },
  {
    wish: "Hold the 10 am slot for an hour while I ask my husband",
    async grant(agent) {
      const { held, estimate } = await hold(agent);
      const booked = await agent.take(stepTo(held, "confirm_booking"), { phone: USER.customer_phone });
      expect(booked.data).toMatchObject({ status: "confirmed", confirmation_code: held.data.confirmation_code });
      expect(booked.data.estimate.total).toBe(estimate.data.total);
    },
  },
  {
    wish: "Tomorrow at 8 pm",
    async grant(agent) {
      const estimate = await agent.use("automotive_estimate", { vehicle_type: "sedan" });
      const step = stepTo(estimate, "book_appointment");
      const tomorrow = { date: "2026-11-24", time: "8 pm" };
      const refused = await agent.take(step, { ...USER, ...tomorrow, dry_run: true });
      expect(refused.ok).toBe(false);
      // The shop is closed by then; the answer names the times of that day, and a request that works.
      const again = await agent.use("book_appointment", {
        ...refused.body.usage.sample_request,
        ...USER,
        dry_run: true,
      });
      expect(again.data.status).toBe("dry_run");
    },
  },
];

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
