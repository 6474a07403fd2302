/** `deposit`: what is paid before a booking is certain. */
import { z } from "zod";
import { LEAST_CHARGE } from "../../constants.ts";
import { DEPOSIT_FIELDS } from "./template.ts";
import { lineOfText, longText, money, template, word } from "./values.ts";

/** What customers are told of one that they paid, where the section says nothing else, or went since. */
export const DEPOSIT_SAID = {
  paid: "Your deposit of {deposit} is paid.",
  goes_back: "Your deposit of {deposit} goes back to your card.",
  by_hand: "The shop gives your deposit of {deposit} back.",
  kept: "The deposit of {deposit} is kept: it goes back only until {refund_hours} hours before the appointment.",
};

/** Without this section no booking asks for one. */
export const deposit = z.strictObject({
  amount: money
    .refine((cents) => cents >= LEAST_CHARGE, "must be 0.50 or more, the least that Stripe takes")
    .optional(),
  /** Of the price; of the lowest price of the service while the vehicle is not known. */
  percent: z.number().min(1).max(100).optional(),
  /** Keys of services. */
  services: z.array(word).min(1),
  /** Stripe's page lives for a day at most. */
  minutes_to_pay: z
    .int()
    .min(5)
    .max(23 * 60)
    .default(30),
  /** A customer who cancels so many hours before the start gets it back. */
  refund_until_hours: z
    .int()
    .min(0)
    .max(24 * 30)
    .default(24),
  /** Stands wherever a customer agrees to it. */
  note: template(500, DEPOSIT_FIELDS).default(
    "A deposit of {deposit} is part of the price and makes the booking certain. It is given back if the booking is cancelled at least {refund_hours} hours before it begins; later it is kept.",
  ),
  /** What customers are told: with the confirmation; when they cancel what was paid by card or by hand, or too late. */
  paid: template(200, DEPOSIT_FIELDS).default(DEPOSIT_SAID.paid),
  goes_back: template(200, DEPOSIT_FIELDS).default(DEPOSIT_SAID.goes_back),
  by_hand: template(200, DEPOSIT_FIELDS).default(DEPOSIT_SAID.by_hand),
  kept: template(200, DEPOSIT_FIELDS).default(DEPOSIT_SAID.kept),
  /** In place of those of `site.texts`, which speak of no payment. */
  texts: z
    .strictObject({
      intro: longText.default("Your price in seconds. A deposit makes the time yours."),
      pay: lineOfText.max(40).default("Deposit now, the rest at the shop"),
      payment: longText.default(
        "A deposit by card makes the booking certain. You pay the rest at the shop when the work is done.",
      ),
    })
    .prefault({}),
});
