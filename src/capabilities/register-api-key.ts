import { z } from "zod";
import { API_PREFIX } from "../constants.ts";
import { rfc3339 } from "../domain/schedule.ts";
import { resolveWork } from "../domain/work.ts";
import { bookUrl, toBody } from "../job/forms.ts";
import { DAY_MS } from "../lib/durations.ts";
import { mintKey, newId } from "../lib/ids.ts";
import { email, optional, paragraph, personName, soft } from "../schema/fields.ts";
import { defineCapability } from "./core/capability.ts";
import { bookingStep, SAMPLE_PERSON } from "./core/samples.ts";
import { timestamp } from "./core/shapes.ts";
import { asDryRun, contactDoubts, dryRun, dryRunStatus, ownData } from "./core/stored-requests.ts";

const keyRequest = () =>
  z.object({
    name: personName().meta({ description: "The person or product that the key is for.", example: SAMPLE_PERSON.name }),
    email: email().meta({ description: "Contact address; one key each.", example: SAMPLE_PERSON.email }),
    use_case: optional(paragraph()).meta({
      description: "Purpose of the key.",
      example: "Booking for our users",
      ...soft,
    }),
    dry_run: dryRun(),
  });

const keyAnswer = () =>
  z
    .object({
      status: dryRunStatus(),
      api_key: z.string().nullable().meta({ description: "Shown this once; only a hash is kept. Null in a dry run." }),
      key_id: z.string().nullable().describe("Its id, to name it to the shop."),
      name: z.string().describe("Whom it is for."),
      email: z.string().describe("Contact address."),
      rate_limit_per_minute: z.int().describe("Requests per minute with it."),
      bookings_per_10_minutes: z.int().describe("Bookings in ten minutes with it."),
      created_at: timestamp(),
    })
    .meta({ title: "IssuedKey", description: "A new key." });

const ownDataIssue = ownData("email");

/** Issue an API key. Source: contract 7. */
export const registerApiKey = defineCapability({
  id: "register_api_key",
  title: "Register an API key",
  description:
    "Issues an API key, one per e-mail address, that raises the rate limits; it is shown once. Send it as 'Authorization: Bearer <key>' or 'X-API-Key: <key>'.",
  returnsPrice: false,
  useWhen: ["You need higher limits, or an answer said API_KEY_REQUIRED."],
  avoidWhen: ["A few requests a minute are enough."],
  input: keyRequest,
  output: keyAnswer,
  status: 201,
  errors: ["KEY_EXISTS"],
  limit: "registrations_per_hour",
  sample: () => ({ name: SAMPLE_PERSON.name, email: SAMPLE_PERSON.email, dry_run: true }),
  checks: {
    name: (name, _catalog, body) => ownDataIssue(name, body, SAMPLE_PERSON.name),
    email: (email, _catalog, body) => ownDataIssue(email, body, SAMPLE_PERSON.email),
  },
  async run(input, ctx) {
    const { name, email, use_case } = input;
    const { catalog, store, diary, now, caller } = ctx;
    const { rate_limits: limits } = catalog;
    const terms = {
      name,
      email,
      rate_limit_per_minute: limits.api_key_per_minute,
      bookings_per_10_minutes: limits.bookings_per_10_minutes,
      created_at: rfc3339(catalog, now.epochMilliseconds),
    };
    const warnings = contactDoubts({ phone: "", email }, catalog);
    // A dry run does not show whether the address has a key.
    if (input.dry_run) {
      const none = { status: "dry_run" as const, api_key: null, key_id: null };
      return { ...asDryRun("register_api_key", input, { ...none, ...terms }), warnings };
    }
    await ctx.countAddress("registrations_per_hour", email);
    const { key, ...kept } = mintKey();
    const id = newId("key");
    const made = { id, ...kept, name, email, useCase: use_case ?? null, ratePerMinute: null, network: caller.network };
    const endedBefore = now.epochMilliseconds - catalog.keys.self_registered_days * DAY_MS;
    const added = await store.addKey({ ...made, createdAt: now.epochMilliseconds }, endedBefore);
    if (!added) return ctx.fail("KEY_EXISTS", "This e-mail address has an API key already.");
    const start = await diary.firstOpen(resolveWork(catalog, {}), { catalog, now });
    return {
      data: { api_key: key, key_id: id, ...terms },
      warnings,
      suggestions: [
        {
          action: "check_availability" as const,
          description: `See open times; send the key along, for example as X-API-Key, to ${API_PREFIX}.`,
          input: { days: 7 },
        },
        ...(start
          ? [
              bookingStep(
                "Book for a customer who agreed, with the key in a header.",
                toBody({}, catalog.automotive.defaults.service),
                start,
                bookUrl({ service_type: catalog.automotive.defaults.service }, catalog),
              ),
            ]
          : []),
      ],
    };
  },
});
