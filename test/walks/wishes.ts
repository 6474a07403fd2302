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

function times(agent: Agent, estimate: Reply, asked: object = { days: 14 }): Promise<Reply> {
  return agent.take(stepTo(estimate, "check_availability"), { ...asked, view: "compact" });
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
    wish: "Cancel my appointment",
    async grant(agent) {
      const estimate = await agent.use("automotive_estimate", { vehicle_type: "coupe", view: "brief" });
      const friday = openOn(await times(agent, estimate), "friday");
      const booked = await book(agent, stepTo(estimate, "book_appointment"), friday);
      // The step holds the sample's phone, so that nobody cancels by repeating it.
      const cancelled = await agent.take(stepTo(booked, "cancel_booking"), { phone: USER.customer_phone });
      expect(cancelled.data.status).toBe("cancelled_by_customer");
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
    wish: "Hold Friday for me. No, he does not want it: let it go",
    async grant(agent) {
      const { held } = await hold(agent);
      const cancelled = await agent.take(stepTo(held, "cancel_booking"), { phone: USER.customer_phone });
      expect(cancelled.data.status).toBe("cancelled_by_customer");
    },
  },
  {
    wish: "Move my appointment to Friday",
    async grant(agent) {
      const estimate = await agent.use("automotive_estimate", { vehicle_type: "coupe", view: "brief" });
      const open = await times(agent, estimate);
      const booked = await book(agent, stepTo(estimate, "book_appointment"), openOn(open, "thursday"));
      const friday = openOn(open, "friday");
      const moved = await agent.take(stepTo(booked, "reschedule_booking"), friday);
      expect(moved.data).toMatchObject({ ...friday, confirmation_code: booked.data.confirmation_code });
      expect(moved.data.estimate).toEqual(booked.data.estimate);
    },
  },
  {
    wish: "What does ceramic coating cost?",
    async grant(agent) {
      const { data } = await agent.use("list_services", {});
      const coating = data.services.find(({ key }: { key: string }) => key === "ceramic_coating");
      expect(coating.description).toContain("no list price");
      const quote = await agent.use("quote_request", { ...CONTACT, service_type: coating.key, ...CONSENT });
      expect(quote.data.status).toBe("received");
    },
  },
  {
    wish: "Tint my two cars, a sedan and an SUV",
    async grant(agent) {
      for (const vehicle_type of ["sedan", "suv"]) {
        const estimate = await agent.use("automotive_estimate", { vehicle_type, view: "brief" });
        const step = stepTo(estimate, "book_appointment");
        // The user saw the first one shown, and agrees to the second by its price.
        const isFirst = vehicle_type === "sedan";
        const booked = isFirst ? await book(agent, step) : await agent.take(step, { ...USER, ...CONSENT });
        expect(booked.data).toMatchObject({ status: "confirmed", vehicle: { type: vehicle_type } });
      }
    },
  },

  {
    wish: "I have a medical exemption: can I get 15%?",
    async grant(agent) {
      const { data } = await agent.use("automotive_estimate", { vehicle_type: "sedan", shade: 15 });
      expect(data.tint_law.status).toBe("illegal");
      expect(data.tint_law.notes.join(" ")).toContain("medical exemption");
      const faq = await agent.use("list_faq", { q: "medical exemption" });
      expect(faq.data[0].question).toContain("medical exemption");
    },
  },
  {
    wish: "The cheapest way to keep the heat out of my truck",
    async grant(agent) {
      const { data } = await agent.use("automotive_estimate", { vehicle_type: "truck", coverage: "front2" });
      const [standard, ceramic] = data.options;
      expect(standard.total).toBeLessThan(ceramic.total);
      expect(ceramic.film.ir_rejection_pct).toBeGreaterThan(standard.film.ir_rejection_pct);
      expect(data.comparison.summary).toContain("infrared");
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

const [FRIDAY, SATURDAY] = ["2026-11-27", "2026-11-28"];

/** The steps that a price proposes lead to times and to a booking; the agent asks for the short form. */
function priced(agent: Agent, job: object): Promise<Reply> {
  return agent.use("automotive_estimate", { ...job, view: "brief" });
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
      const open = openOn(await times(agent, estimate, { date: FRIDAY }), "friday");
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
      const open = await times(agent, estimate, { date: data.date });
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
        expect(data.length).toBeLessThan(8);
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
        return data.tint_law.checks.slice(0, 2).map((check: { status: string }) => check.status);
      };
      expect(await status("California")).toEqual(["illegal", "legal"]);
      expect(await status("TX")).toEqual(["legal", "legal"]);
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
