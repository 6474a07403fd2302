/** The payload of each kind of job, as the database holds it. */
import { z } from "zod";
import { CUSTOMER_EMAILS, CUSTOMER_TEXTS, LEAD_KINDS, SHOP_NEWS } from "../../constants.ts";
import { BOOKING_STATUSES, LEAD_STATUSES } from "../../domain/lifecycle.ts";

/** In messages that tell of a move: when the appointment began before it, epoch milliseconds. */
const movedFrom = z.int().optional();

const mail = z.object({
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  /** An ICS file with the appointment; none in mail to the shop. */
  calendar: z.string().optional(),
  /** The method that the ICS file states (RFC 5546); PUBLISH when left out. */
  method: z.enum(["PUBLISH", "CANCEL"]).optional(),
  movedFrom,
});
export type Mail = z.output<typeof mail>;

/** Whether what the customer wrote in a request is left out, so that it is stored once; it is put in for the attempt. */
const lacksRequest = z.boolean().optional();

const sms = z.object({
  /** E.164. */
  to: z.string(),
  text: z.string(),
  /** Goes out, once, when the text cannot be delivered. */
  instead: mail.optional(),
  movedFrom,
});
export type Sms = z.output<typeof sms>;

const news = z.object({
  text: z.string(),
  /** The words of the copies by e-mail; the text where there are none. */
  mail: z.object({ subject: z.string(), text: z.string(), lacksRequest }).optional(),
  /** Whom the step of `follow_up` names; without it, those of `alerts.to` when it is sent. */
  receivers: z.array(z.string()).optional(),
  movedFrom,
});
/** What the owner is told. Older rows also hold a phone number, which is not used. */
export type ShopNews = z.output<typeof news>;

const copy = {
  /** Whether nobody else was told by this way of sending: then it goes to who takes their place in the catalog meanwhile. */
  isOnly: z.boolean().optional(),
};

const leadChange = z.object({
  /** Id of the event; every attempt sends the same one. */
  id: z.string(),
  type: z.enum([
    "lead.created",
    "lead.updated",
    "booking.created",
    "booking.rescheduled",
    "booking.cancelled",
    "booking.completed",
    "booking.no_show",
  ]),
  /** The lead as it was at the time of the change. */
  lead: z.object({
    id: z.string(),
    reference: z.string(),
    kind: z.enum(LEAD_KINDS),
    status: z.enum(LEAD_STATUSES),
    name: z.string(),
    phone: z.string(),
    /** Left out in older rows. */
    extension: z.string().optional(),
    email: z.string(),
    serviceType: z.string(),
    /** Left out where the push tells of a new quote request, whose lead holds both. */
    details: z.unknown().optional(),
    consent: z.unknown().optional(),
    keyId: z.string().nullable(),
    agentClass: z.string().nullable(),
    createdAt: z.int(),
  }),
  note: z.string().nullable(),
  /** The booking after the change; times are epoch milliseconds. */
  booking: z
    .object({
      confirmationCode: z.string(),
      status: z.enum(BOOKING_STATUSES),
      startAt: z.int(),
      endAt: z.int(),
      previousStartAt: z.int().nullable(),
      reason: z.string().nullable(),
    })
    .optional(),
  /** Epoch milliseconds. */
  at: z.int(),
});
export type LeadChange = z.output<typeof leadChange>;

export const jobContent = z.discriminatedUnion("kind", [
  z.object({ kind: z.enum(SHOP_NEWS), payload: news }),
  z.object({ kind: z.enum(CUSTOMER_TEXTS), payload: sms }),
  z.object({ kind: z.enum(CUSTOMER_EMAILS), payload: mail }),
  z.object({ kind: z.literal("shop_sms"), payload: sms.extend(copy) }),
  z.object({ kind: z.literal("shop_email"), payload: mail.extend({ ...copy, lacksRequest }) }),
  z.object({ kind: z.literal("shop_push"), payload: z.object({ to: z.string(), text: z.string(), ...copy }) }),
  z.object({ kind: z.literal("push_to_crm"), payload: leadChange }),
  z.object({ kind: z.literal("remind_owner"), payload: z.object({}) }),
]);
export type JobContent = z.output<typeof jobContent>;
