/** Faults that once survived and mattered: the text ⇒ what is in its place, wherever the text stands. */
export const NAMED: Readonly<Record<string, string>> = {
  "a damaged copy is kept as checked":
    "const { issues, bytes } = inspectDatabase(temporary); ⇒ const { issues, bytes } = { ...inspectDatabase(temporary), issues: [] as string[] };",
  "offers to book what cannot be booked": "if (!isBookable) return [CALL]; ⇒ ",
  "an answer is promised a day late":
    "nextOpenMoment(catalog, lastStep) ⇒ nextOpenMoment(catalog, lastStep + 86_400_000)",
  "an answer is promised at once, whatever the reminders":
    "Math.max(lead.createdAt, ...ownSteps.map(({ dueAt }) => dueAt)) ⇒ lead.createdAt",
  "stopping does not wait for the last jobs to be written down":
    "clearTimeout(timer);\n      await settle(); ⇒ clearTimeout(timer);\n      void settle();",
  "a text of exactly two segments is cut": "segments(plain) <= MOST_SEGMENTS ⇒ segments(plain) < MOST_SEGMENTS",
  "film that is attached to the frame is said not to be, and the other way round":
    'film.anchored ? " and attached to the frame" : "" ⇒ film.anchored ? "" : " and attached to the frame"',
  "no site visit at exactly the floors that need one":
    "floors >= prices.survey_floors_min ⇒ floors > prices.survey_floors_min",
  "a message that Twilio refuses with 422 is tried for days":
    "new Set([400, 410, 413, 422]) ⇒ new Set([400, 410, 413])",
  "--json prints nothing": "print(jsonLine( ⇒ Promise.resolve(jsonLine(",
};
