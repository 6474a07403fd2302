/** Faults that once survived and mattered, each found by its text: see `named` in run.ts. */
interface Named {
  what: string;
  text: string;
  instead: string;
  /** Every place of the text is a fault of its own; otherwise there must be exactly one. */
  everywhere?: true;
}

export const NAMED: readonly Named[] = [
  {
    what: "a damaged copy is kept as checked",
    text: "const { faults, bytes } = inspectDatabase(temporary);",
    instead: "const { faults, bytes } = { ...inspectDatabase(temporary), faults: [] as string[] };",
  },
  {
    what: "callers who are gone keep their room",
    text: "log.expire(past, SWEPT);",
    instead: "log.expire(past, 0);",
  },
  {
    what: "taking back a charge that has expired takes another",
    text: "const caller = ageOf(request) < held ? ownerOf(request) : NOBODY;",
    instead: "const caller = ownerOf(request);",
  },
  {
    what: "offers to book what cannot be booked",
    text: "if (!serviceOf(catalog, service).bookable) return [CALL];",
    instead: "",
  },
  {
    what: "an answer is promised a day late",
    text: "nextOpenMoment(catalog, lastStep)",
    instead: "nextOpenMoment(catalog, lastStep + 86_400_000)",
  },
  {
    what: "an answer is promised at once, whatever the reminders",
    text: "Math.max(lead.createdAt, ...lead.jobs.map(({ dueAt }) => dueAt))",
    instead: "lead.createdAt",
  },
  {
    what: "stopping does not wait for the last jobs to be written down",
    text: "clearTimeout(timer);\n      await settle();",
    instead: "clearTimeout(timer);\n      void settle();",
  },
  {
    what: "a text of exactly two segments is cut",
    text: "segments(plain) <= MOST_SEGMENTS",
    instead: "segments(plain) < MOST_SEGMENTS",
  },
  {
    what: "film that is attached to the frame is said not to be, and the other way round",
    text: 'film.anchored ? " and attached to the frame" : ""',
    instead: 'film.anchored ? "" : " and attached to the frame"',
  },
  {
    what: "no site visit at exactly the floors that need one",
    text: "floors >= prices.survey_floors_min",
    instead: "floors > prices.survey_floors_min",
  },
  {
    what: "a message that Twilio refuses with 422 is tried for days",
    text: "new Set([400, 410, 413, 422])",
    instead: "new Set([400, 410, 413])",
  },
  {
    what: "--json prints nothing",
    text: "print(jsonLine(",
    instead: "Promise.resolve(jsonLine(",
    everywhere: true,
  },
];
