/**
 * Customers' own words over A2A: the capability is run with what was understood, and the answer names what is missing.
 */
import { describe, expect, test } from "bun:test";
import { API, appWith, BOOKING, testApp } from "../helpers.ts";
import { ASKED } from "../http/questions-asked.ts";

const app = appWith({ "rate_limits.anonymous_per_minute": 10_000 });

interface Part {
  text?: string;
  data?: {
    data?: unknown;
    next_actions?: unknown;
    usage?: { sample_request?: { capability?: string; input?: unknown } };
  };
}

async function say(text: string, shop = app) {
  const message = { messageId: "1", role: "ROLE_USER", parts: [{ text }] };
  const { json } = await shop.post("/a2a", { jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message } });
  const parts: Part[] = json.result.message.parts;
  return {
    text: parts.find((part) => part.text !== undefined)?.text ?? "",
    data: parts.find((part) => part.data)?.data,
  };
}

const NONE = "The shop has published no answer to this.";

test("the questions: four of five get the right answer or are admitted, and none another answer", async () => {
  const answers = await Promise.all(
    ASKED.map(async ([asked, wanted]) => ({ asked, wanted, text: (await say(asked)).text })),
  );
  const right = answers.filter(({ wanted, text }) => text.startsWith(wanted ?? NONE));
  expect(right.length).toBeGreaterThanOrEqual(ASKED.length * 0.8);
  const others = answers.filter((one) => !right.includes(one));
  // A time to hold and a price are requests of their own: what they need is asked.
  const isAsked = ({ asked, text }: { asked: string; text: string }) =>
    /^hold |price|how much|cost/.test(asked) && / (?:is|are) missing/.test(text);
  const astray = others.filter(
    (one) => !one.text.startsWith(NONE) && !one.text.startsWith("I did not understand") && !isAsked(one),
  );
  expect(astray).toEqual([]);
});

/** Each of the sentences, which slashes divide, beside the same. */
const each = <T>(sentences: string, beside: T) =>
  sentences.split("/").map((one): [string, T] => [one.trim().replace(/\s+/g, " "), beside]);

test.each([
  ["How much would it cost to tint my 2019 Honda Civic with ceramic?", /^Ceramic IR film, sedan.*\$499\. 2019 Honda/],
  ["I have a Toyota Tacoma, how much for the front two windows?", /^Standard film, truck, front two windows: \$139/],
  ["price for a minivan, all windows", /^Standard film, van.*\$379/],
  ["remove old tint from my sedan, what does it cost", /^Film removal, sedan.*\$175/],
  ["how much to take the tint off my F-150 and put ceramic on", /^Ceramic IR film.* and Film removal, truck.*\$704/],
  // Two cars are two jobs.
  ["a Civic and a Camry, standard film, how much?", /^Prices and bookings.*: the Honda Civic or the Toyota Camry\?/],
  ["how much to tint a sedan and an SUV", /: the sedan or the SUV\?/],
  ["three trucks, how much", /^Prices and bookings are for one car at a time\. Ask about one first: the truck\./],
  ["how much for two of my older sedans in ceramic", /^Prices and bookings.*: the sedan\./],
  ["how much for a 2 door coupe", /^Standard film, coupe/],
  ["how much for the front two windows of trucks", /^Standard film, truck, front two windows/],
  ["I have 2 trucks, how much for the F-150", /^Standard film, truck/],
  ["how much for a pickup truck, Ford F-150", /^Standard film, truck/],
  ["remove tint from my new civic, price?", /^Film removal, sedan/],
  // A number is no service's id, nor is a part of a code.
  ["price for a 2020 Mazda 6 in ceramic", /^Ceramic IR film, sedan/],
  ["strip off old tint price for van", /^Film removal, van, all side and rear windows: \$250/],
  ["How much for a windshield strip on my old Mustang", /Windshield strip: \$308/],
  ["I can take Friday off, how much is tint for a Camry?", /^Standard film, sedan/],
  ["how much to strip the old bubbly film off my Silverado", /^Film removal, truck/],
  ["how much for a full vinyl wrap on my Civic", /^The shop has published no answer/],
  ["Camry only the windshield price", /^(?!Standard film)/],
  ["price for a Camry vs Civic", /: the Toyota Camry or the Honda Civic\?/],
  ["10 windows 36 x 60 inches and 2 doors at home, price", /^total_sqft \(or windows\) is missing/],
  ["50% on my Camry and 70% on the windshield, price", /Not legal in Georgia: windshield \(/],
  ["is 50% on the windshield legal on a Camry", /Not legal in Georgia: windshield \(/],
  [
    "70 windshield, 35 sides on my Camry, price",
    /70%.*Not legal in Georgia: windshield \(.*Borderline.*front side windows/,
  ],
  ["Camry 20 fronts 5 rears price", /^Standard film, sedan, all side.*Not legal in Georgia: front side windows/],
  ["how much for 50 front 20 back on my Civic", /^Standard film, sedan, all side and rear windows: \$289/],
  [
    "Camry, 50% on the fronts and 20% on the rears, how much",
    /^Standard film, sedan, all side and rear windows: \$289/,
  ],
  ["Hyundai Ioniq 5 front two windows price", /^(?!.*[Ll]egal)Standard film, crossover, front two windows/],
  ["How much for a windshield strip on my Mustang", /Windshield strip: \$308/],
  ["ceramic tint on a 2021 Tesla Model Y", /^Ceramic IR film, crossover.*\$569/],
  ["Is 15% legal on a Camry?", /Not legal in Georgia/],
  [
    "We are a dental office with 14 windows, 4 x 6 feet, and it gets too hot. What would film cost?",
    /^336 square feet/,
  ],
  ["quote for 300 square feet of glass at my house", /^300 square feet of glass: Good \$4,800/],
  ["My restaurant has ten windows 5ft by 7ft, glare is awful, how much?", /^350 square feet/],
  ["how much for the front two doors of my Civic", /^Standard film, sedan, front two windows: \$129/],
  [
    "You did my Camry last year and now the edge on the passenger side is coming up, will it cost me?",
    /^Who pays when film peels/,
  ],
  ["just need front two doors done, rest is already tinted. do you do that", /^(?!.*coupe)/],
  ["our office is on the third floor, does that cost more", /^How are upper floors priced/],
  ["what does film cost for our office building", /^total_sqft \(or windows\) is missing/],
  // What is not wanted is not priced.
  ["everything but the windshield on a Tesla Model Y in ceramic", /^Ceramic IR film, crossover,[^:]*windows: \$569/],
  [
    "what does an SUV cost with no sunroof film but the strip",
    /^Standard film, SUV,[^:]*windows and Windshield strip: \$408/,
  ],
  ["I don't want a strip on my van, what does it cost?", /^Standard film, van,[^:]*windows: \$379/],
  ["no ceramic on my suv, how much", /^Standard film, SUV/],
  ["SUV without the back window, price?", /^(?!Standard)/],
  ["price for my Camry, no fault warranty included", /No-fault replacement warranty: \$368/],
  ["paint protection film for a truck", /^(?!Standard)/],
  ["front two windows or all around on a Camry, price?", /^(?!Standard)/],
  ["price for windshield only Camry", /^(?!Standard)/],
  ["how much for the back windows of my Tahoe", /^coverage must be full or front2; for other glass/],
  ["rear only, Camry, ceramic, how much", /^coverage must be/],
  ["just the back half of my Suburban in ceramic, price", /^coverage must be/],
  ["price for the passenger side windows of a Civic", /^Can I have one window/],
  ["front three windows on a truck, how much", /^coverage must be/],
  ["what would limo tint on the back doors of a Tahoe cost", /^coverage must be/],
  ["price for 20% on the back windows of a RAV4", /^coverage must be/],
  ["how much for both front windows plus the back window, Accord", /^coverage must be/],
  ["what is the law in Texas for a Tahoe with 5% on the back windows", /Not legal in Texas: rear side windows/],
  // Other work, and film that is not on the list.
  ["how much is ceramic coating for a Camry", /^service must be one of/],
  ["price of clear windshield protective film for a Camry", /^Clear windshield protective film, sedan/],
  ["cost of clear windshield protection for a truck", /^Clear windshield protective film, truck: \$465/],
  ["how much w/o sunroof for a van in ceramic", /^Ceramic IR film, van, all side and rear windows: \$649/],
  ["how much for my 2000 square foot house", /^total_sqft \(or windows\) is missing/],
  ["how much for 350 square feet of house windows", /^350 square feet/],
  ["book PPF for my truck Tuesday", /^(?!Standard)/],
  ["medium tint on fronts and dark on rears for a Yukon, price", /Borderline in Georgia.*front side windows/],
  ["how much for 20% on my Camry's front two windows", /^Standard film, sedan, front two windows: \$129/],
  ["how much for a Camry in carbon", /^film_type must be standard or ceramic/],
  ["price of dyed film for a Civic", /^film_type must be standard or ceramic/],
  ["how much for mirror tint on my Camry", /^(?!Standard)/],
  ["how much for a metallic blue Camry", /^Standard film, sedan/],
  ["price for a Camry in ceramic, no carbon", /^Ceramic IR film/],
  ["how much for the sunroof alone, Camry", /^(?!Standard)/],
  ["how much is the strip by itself on a sedan", /^(?!Standard)/],
  ["what is the highest price for a sedan", /^(?!Standard)/],
  ["price: sedan, no removal", /^(?!Film removal)/],
  // Sizes without a unit, or of several kinds of windows, are asked for.
  ["my house has 8 windows 3 by 5, price?", /^windows\[0\] must be/],
  ["my house has 8 windows 3 by 5 and 2 doors 6 by 7 feet, price", /Not understood: windows\[1\] "8 of 3 x 5"/],
  ["price for 6 windows at home, 3x5 ft and 4x6 ft", /^total_sqft \(or windows\) is missing/],
  ["my house has 6 windows 3x5 ft, 4 windows 2x4 ft and 1 sliding door 6x7 ft, price", /^164 square feet/],
  ["what do my office windows cost, 3 by 5 feet", /^total_sqft \(or windows\) is missing/],
  ["My house has 12 windows 3x5 feet on the second floor, how much?", /^180 square feet of glass: Good \$3,240/],
  ["price for film on a two-story office, 300 sq ft", /^300 square feet of glass: Good \$5,400/],
  ["film for a storefront, 28,5 m2, what does it cost", /^306\.77 square feet/],
  ["how much to tint 6 windows 0,9 x 1,5 m at home", /^87\.19 square feet/],
  ["0,9 m x 1,5 m window at home, price?", /^14\.53 square feet/],
  [
    "remove old film from 100 sq ft of glass at the office, price",
    /^What does it cost to remove old film from building/,
  ],
  // Glass that no coverage names, and shades apart.
  ["just take the tint off my truck's back window", /^(?!Film removal)/],
  ["price to tint the back window of my Camry", /^coverage must be full or front2; for other glass/],
  ["35% front 5% rear Tahoe price", /^Standard film, SUV(?!.*Not legal)/],
  ["price to tint 3 skylights 2x4 ft at my house", /^24 square feet/],
  ["my office has 30 panes 4' x 6', 5th floor", /^720 square feet of glass: Good \$12,960/],
  ["Camry. ceramic. 50% rear, 70% front. price?", /^Ceramic IR film(?!.*Not legal)/],
  ["Camry in ceramic, 50% and 70%, price?", /^(?!Ceramic)/],
  ["price for a Camry, thirty five percent front and twenty percent rear", /Not legal in Georgia: rear side windows/],
  ["can I get 5% on my Camry", /Not legal in Georgia: front side windows/],
  // Shades in words, of the film that is wanted.
  ["limo tint on my Camry, how much", /Not legal in Georgia: front side windows/],
  ["5% limo tint on my Camry, how much", /Not legal in Georgia: front side windows/],
  ["limo tint on the back of my Tahoe, price for all windows", /^Standard film, SUV(?!.*Not legal)/],
  ["darkest legal on a Camry, price", /understood as the darkest legal shade in stock/],
  ["is limo tint legal on a Camry", /Not legal in Georgia: front side windows/],
  ["I have dark tint on my Camry, how much for ceramic", /^Ceramic IR film(?!.*Not legal)/],
  ["no limo tint on my Camry, how much", /^Standard film(?!.*Not legal)/],
  ["is it legal to tint a Camry", /^(?!Standard film)/],
  ["limo tint on the windshield of my Camry, price", /^(?!Standard film)/],
  ["light tint or dark tint on a Camry, price", /^(?!Standard film)/],
  ["20% or limo tint on a Camry, price", /^(?!Standard film)/],
  // The law of another state.
  ["Is 20% legal on a Camry in Texas?", /Not legal in Texas/],
  ["is 20% legal on a Camry in Georgia or Florida", /^A shade.*first: Florida or Georgia\?/],
  ["20% on a Camry, Georgia and Florida", /^A shade.*first: Florida or Georgia\?/],
  ["three trucks in ceramic", /^(?!Ceramic)/],
  ["Camry 20% price in Florida and Texas", /^A shade.*first: Florida or Texas\?/],
  ["is 20% legal in Texas on the front", /^The shop has published no answer/],
])("a price %s", async (sentence, said) => expect((await say(sentence)).text).toMatch(said));

describe("times and bookings", () => {
  test.each([
    ["When can you tint my SUV?", /^Open times\. Mon Nov 23: 9:00 AM/],
    ["what times do you have open on Monday?", /^Open times\. Mon Nov 23: 9:00 AM[^;]*\.\n/],
    ["any openings this week for a Camry?", /^Open times\./],
    ["which times are open on Dec 3, 2026 in the afternoon?", /^Open times\. Thu Dec 3: 12:00 PM[^;]*\.\n/],
    ["open times after 11am on Monday for my van", /^Open times\. Mon Nov 23: 11:00 AM/],
    ["next available appointment", /^Open times\./],
    ["I want to book an appointment for my F-150", /^date, time, customer_name, .* customer_email are missing/],
    ["Can I make an appointment for a sedan?", /are missing/],
    [
      "Book my SUV on December 3 after 9am",
      /time must be .*open are on 2026-12-03: 09:00.* Not understood: time "after 9am"/,
    ],
    ["book my Camry Tuesday at 9 or 10am", /Not understood: time "9 or 10am"/],
    ["book my Camry tuesday nine am", /^customer_name, customer_phone and customer_email are missing\.\n/],
    ["schedule my van for Dec 1 at 9 or Dec 2 at 10", /Not understood: date "Dec 1 or Dec 2" and time "9 or 10"/],
    ["Book my SUV on December 3 at noon", /^customer_name, customer_phone and customer_email are missing/],
    ["Book Tuesday 9am for my 2020 Camry", /^customer_name, customer_phone/],
    ["Book Dec 9 at 9am for a Camry, ceramic", /^customer_name, customer_phone/],
    ["cancel my appointment", /^confirmation_code and phone \(or email\) are missing/],
    ["reschedule my booking\nFriday 9am no longer works", /^confirmation_code, phone \(or email\), date and time/],
    ["I need to move my booking to next week", /^confirmation_code, phone.*Not understood: date "next week"/],
    ["when is my appointment?", /^confirmation_code and phone/],
    ["Book my Camry and my RAV4 for Friday at 9am", /^Prices and bookings.*: the Toyota Camry or the Toyota RAV4\?/],
    ["When can you do my Camry and my wife's RAV4?", /^Prices and bookings/],
    ["Can you tint two cars on the same day, a Camry and a RAV4?", /^Can you tint two or more cars on one day\?/],
    ["do you have anything open on Monday for a van", /^Open times\. Mon Nov 23/],
    ["do you have anything this Tuesday morning for a van", /^Open times\. Tue Nov 24/],
    ["is Friday free for my van", /^Open times\. Fri Nov 27/],
    ["open times on Thanksgiving", /^No time is open/],
    ["please hold 10 am on Friday for my SUV", /^customer_name, customer_phone and customer_email are missing/],
    ["please hold 10 am on Friday for my SUV?", /^(?!.*are missing)/],
    ["book a home window tinting for Friday", /^first_name, phone and email are missing/],
    ["book Friday at 10am at your office", /^customer_name/],
    ["book my Camry at your shop for Friday", /^time, customer_name/],
    ["cancel 7K2MQ9XB", /^phone \(or email\) is missing/],
    // A code without a digit, and words in capitals that are none.
    ["cancel ABCDFGHJ", /^phone \(or email\) is missing/],
    ["find code ABCDFGHJ, my phone is 404-555-0177", /^No booking has this/],
    ["my booking X7AACG82, phone 404-555-0177", /^No booking has this/],
    ["move ABCDFGHJ to Friday", /^phone \(or email\) and time are missing/],
    ["please cancel, the code is ABCDFGHJ", /^phone \(or email\) is missing/],
    ["what is the status of ABCDFGHJ", /^phone \(or email\) is missing/],
    // Denied or doubted, an order is none.
    ["don't move my booking ABCDFGHJ to Friday", /^phone \(or email\) is missing\./],
    ["should I move my booking ABCDFGHJ to Friday?", /^phone \(or email\) is missing\./],
    ["how do I look up my booking", /^(?!confirmation_code)/],
    ["cancel my booking ABCDFGHJ and move it to Monday", /^phone \(or email\) is missing\./],
    ["show my booking ABCDFGHJ and add a sunroof", /^(?!phone)/],
    ["please don't book my Camry for Friday", /^(?!.*are missing)/],
    ["CANCEL TOMORROW", /^How do I cancel/],
    ["SHOW STANDARD TINT PRICE FOR CAMRY", /^Standard film, sedan/],
    ["my appointment RESERVED for Friday, when is it", /^confirmation_code and phone/],
    ["check booking tomorrow for my van, any times", /^(?!confirmation_code)/],
    ["what services do you offer?", /^You can ask for/],
    ["what time do you shut on fridays", /^(?!Open times)/],
    ["what time is it", /^(?!Open times)/],
    ["how early do I need to reserve a spot", /^(?!.*are missing)/],
    ["what is the status of my booking 7K2MQ9XB, my phone is 404-555-0177", /^No booking has this/],
    ["book my boat for Friday at 10am", /vehicle_type must be .*for another vehicle send a quote request/],
    ["book the back windows of my Camry Friday 10am", /coverage must be full or front2/],
    ["book an RV for Friday at 10, 404-555-0188, dana@example.com", /^customer_name is missing; vehicle_type must be/],
    ["book Monday 10am for a Camry, Dana Molar, 404-555-0188, dana@example.com", /^customer_name is missing\./],
    ["book Monday 10am for Dana (404-555-0188, dana@example.com): Camry", /^customer_name is missing\./],
    ["reserve 2pm Monday for an F-150, standard film", /^customer_name, customer_phone and customer_email are/],
    ["make me an appointment for 9 o'clock Wednesday, RAV4", /^customer_name, customer_phone and customer_email are/],
    ["I want to come in Wednesday 1:30 with a Civic", /^customer_name, customer_phone and customer_email are/],
  ])("%s", async (sentence, said) => expect((await say(sentence)).text).toMatch(said));

  const ORDERS = `
    cancel my booking / could you cancel my appointment? / I have to cancel my appointment, sorry / We need to cancel
    our appointment / Hi, please cancel it. Thank you! / I'd like to cancel my appointment please.
  `;
  /** Not an order, not of the customer, or not about the booking alone. */
  const NO_ORDERS = `
    I can't come, please cancel my appointment / don't cancel my booking / cancel my booking, or maybe move it /
    please do not cancel my appointment, just tell me when it is / I never wanted to cancel my booking / should I
    cancel my appointment if it rains / can I cancel my booking? / my booking is on Tuesday. Please cancel it /
    Something came up and I need to cancel my tint appointment / cancel my dentist appointment / cancel my booking in
    two weeks / cancel my phone / cancel my email / I can't cancel my booking on the website / I won't cancel my
    booking / cancel my booking? / don't you dare cancel my booking / I might cancel my booking / tell me the fee to cancel my booking /
    could you tell me how to cancel my booking? / would you charge me to cancel my booking / my wife wants to cancel
    my booking, but I don't / a text says: reply C to cancel my booking / unless you call me, cancel my booking / I
    have to cancel my booking. Actually no, leave it / cancel my booking. Just kidding! / cancel my booking and book
    me for Friday / stop! cancel my booking / please, no cancel my booking / cancel the sunroof from my booking /
    cancel my appointment's sunroof / cancel the sunroof. My booking stays. / cancel my booking confirmation emails /
    cancel my booking and move it to Monday / cancel my booking and rebook Monday / cancel my booking? No! / I want to
    cancel my booking. On second thought, no / I want to cancel my booking next week, not today / I would like to
    cancel my booking, what does it cost? / can you cancel my booking for free? / could you cancel my booking or is it
    too late? / the email I got says please cancel my booking / cancel my booking provided that I get a full refund /
    please fix the page. Cancel my booking does not work / please cancel my booking dry run / cancel my booking
    pending approval from my user / hypothetically, please cancel my booking / I can't come after all, please cancel
    my booking / I no longer need it, cancel my booking / could you please cancel my booking for Tuesday? / cancel the
    reminder texts for my booking / I want to cancel the warranty of my booking
  `;
  test.each([...each(ORDERS, "cancelled_by_customer"), ...each(NO_ORDERS, "confirmed")])(
    "%s: with code and phone the booking is %s",
    async (order, status) => {
      const shop = testApp();
      const { json } = await shop.post(`${API}/bookings`, BOOKING);
      const { confirmation_code: code } = json.data;
      await say(`${order} The code is ${code} and my phone ${BOOKING.customer_phone}`, shop);
      expect((await shop.get(`${API}/bookings/${code}`)).json.data.status).toBe(status);
    },
  );

  test("an order beside a part that was not read is shown, and not carried out", async () => {
    const shop = testApp();
    const { json } = await shop.post(`${API}/bookings`, BOOKING);
    const proof = { confirmation_code: json.data.confirmation_code, phone: BOOKING.customer_phone };
    const cancel = { data: { capability: "cancel_booking", input: proof } };
    const move = { capability: "reschedule_booking", input: { ...proof, date: "2026-11-25", time: "09:00" } };
    for (const parts of [
      [{ text: `cancel ${proof.confirmation_code}, phone ${proof.phone}` }, { file: { uri: "https://x.example/1" } }],
      [cancel, { text: "if it rains" }],
      [{ text: "only at the same price:" }, { data: move }],
    ]) {
      const message = { messageId: "1", role: "ROLE_USER", parts };
      const answer = await shop.post("/a2a", { jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message } });
      expect(answer.text).toContain('"dry_run"');
    }
    const { data } = (await shop.post(`${API}/bookings/lookup`, proof)).json;
    expect(data).toMatchObject({ status: "confirmed", date: BOOKING.date });
  });

  test("work that is to be added to a booking is not answered as if it were done", async () => {
    const shop = testApp();
    const { json } = await shop.post(`${API}/bookings`, BOOKING);
    const { text } = await say(`add a sunroof to my booking ${json.data.confirmation_code}`, shop);
    expect(text).toStartWith("I did not understand");
    const { text: other } = await say(`make my booking ${json.data.confirmation_code} 35% in the back`, shop);
    expect(other).toStartWith("I did not understand");
    const { confirmation_code: code } = json.data;
    const kept = await say(`I might cancel my booking ${code}, my phone is ${BOOKING.customer_phone}`, shop);
    expect(kept.text).toContain("Nothing was cancelled.");
  });

  test.each([
    ["change my booking to standard film", { film_type: "standard" }],
    ["move my Tuesday booking to Friday at 10am", { date: "2026-11-27", time: "10:00" }],
    ["At 10am instead, please move my booking to Friday", { date: "2026-11-27", time: "10:00" }],
    ["I can only come Friday, so move my 9am booking to 10am", { date: "2026-11-27", time: "10:00" }],
    ["drop the strip, add a sunroof and move my booking to Friday at 9am", { date: "2026-11-27", addons: ["sunroof"] }],
    ["Friday at 10am, not Thursday: move my booking", { date: "2026-11-27", time: "10:00" }],
    ["change my booking to Friday at 9am and drop the strip", { date: "2026-11-27", addons: [] }],
    ["change my booking to a 2019 Honda Civic", { vehicle: expect.objectContaining({ type: "sedan", year: 2019 }) }],
    [
      "change my booking to a van in standard film",
      { vehicle: expect.objectContaining({ type: "van" }), film_type: "standard" },
    ],
    [
      "change my booking to Friday at 9am with a sunroof",
      { date: "2026-11-27", addons: ["windshield_strip", "sunroof"] },
    ],
  ])("%s: what it would be is shown, and not done", async (order, change) => {
    const shop = testApp();
    const { json } = await shop.post(`${API}/bookings`, { ...BOOKING, addons: ["windshield_strip"] });
    const { confirmation_code: code, date, time, film_type } = json.data;
    const { data } = await say(`${order}. My code is ${code}, my phone ${BOOKING.customer_phone}`, shop);
    expect(data?.data).toMatchObject({ status: "dry_run", ...change });
    const { json: kept } = await shop.post(`${API}/bookings/lookup`, {
      confirmation_code: code,
      phone: BOOKING.customer_phone,
    });
    expect(kept.data).toMatchObject({ date, time, film_type });
  });

  test.each([
    ["to a motorcycle", /vehicle_type must be/],
    ["to ceramic or standard", /Not understood: date "ceramic or standard"/],
    ["to fronts only", /No longer in the booking: 20%/],
    ["to fronts only and keep everything else", /^Dry run: .* 1 h, SUV/],
    ["so that it is on Friday at 10", /^Dry run: Fri Nov 27, 10:00 AM/],
    ["from Tuesday 9am", /^date and time are missing/],
    ["which I can't make on Tuesday, to 10am", /^date is missing/],
    ["by a week", /Not understood: date "by a week"/],
    ["to 2 vans", /Not understood: date "2 vans"/],
  ])("a change %s is told what of it is not booked", async (change, told) => {
    const shop = testApp();
    const { json } = await shop.post(`${API}/bookings`, { ...BOOKING, shade: { rear_side: 20 } });
    const said = `change my booking ${json.data.confirmation_code}, phone ${BOOKING.customer_phone}, ${change}`;
    expect((await say(said, shop)).text).toMatch(told);
  });

  test("open times are those of the work that is named", async () => {
    const { data } = await say("open slots for film removal on my truck");
    expect(data).toMatchObject({ data: { service: { key: "film_removal" } } });
  });

  test("of two cars each is a step, with the work that was named", async () => {
    const { data } = await say("How much for a Camry and a CR-V in ceramic, front two windows?");
    const work = { film_type: "ceramic", coverage: "front2" };
    const input = (car: object) => ({ capability: "automotive_estimate", input: { ...work, ...car } });
    expect(data?.next_actions).toEqual([
      input({ vehicle_type: "sedan", vehicle_make: "Toyota", vehicle_model: "Camry" }),
      input({ vehicle_type: "crossover", vehicle_make: "Honda", vehicle_model: "CR-V" }),
    ]);
  });

  test("of several cars and states none is made up", async () => {
    const { data } = await say("price of 20% on 2 trucks, Georgia or Florida");
    const input = { vehicle_type: "truck", shade: 20 };
    expect(data?.next_actions).toEqual([{ capability: "automotive_estimate", input }]);
  });

  test.each([
    ["book my Camry for Friday", "2026-11-27"],
    ["book my Camry the day after tomorrow", "2026-11-23"],
    ["book my Camry on Tuesday 24 November 2026", "2026-11-24"],
    ["book my Camry tomorrow, Sunday", "2026-11-22"],
    ["I can't do Monday, book my Camry for Friday", "2026-11-27"],
    ["I want an appointment on Friday for my Camry", "2026-11-27"],
    ["book my Camry, I live on the 2nd floor, for Friday", "2026-11-27"],
    // No day, none without its month, and none of two.
    ["not on Friday, book my Camry for another day", undefined],
    ["book my Camry on Friday or Monday", "Friday or Monday"],
    ["book my Camry for next Friday", "next Friday"],
    ["book my Camry for 11/27", "11/27"],
    ["book my Camry for Saturday", "Saturday"],
    ["book my Camry on the 4th", "the 4th"],
    ["book my Camry for a day in December", "in December"],
  ])("the day of: %s", async (sentence, date) => {
    const { data } = await say(sentence);
    expect(data?.usage?.sample_request?.capability).toBe("book_appointment");
    const said = data?.usage?.sample_request?.input as { date?: string; vehicle_year?: number };
    expect(said.vehicle_year).toBeUndefined();
    const isDay = date !== undefined && /^\d{4}/.test(date);
    expect(said.date).toBe(isDay ? date : undefined);
    if (date && !isDay) expect(data).toMatchObject({ usage: { fill_in_hints: [{ field: "date", given: date }] } });
  });

  test("what was understood is in the sample", async () => {
    const { data } = await say("I want to book an appointment for my F-150");
    const expected = { capability: "book_appointment", input: { vehicle_type: "truck", vehicle_model: "F-150" } };
    expect(data?.usage?.sample_request).toMatchObject(expected);
  });
});

test.each(["how much to tint my boat", "do you tint RVs", "Do you take American Express?"])(
  "admitted: %s",
  async (asked) => expect((await say(asked)).text).toStartWith(NONE),
);

test("the words that ask for something are the owner's", async () => {
  const edits = {
    "synonyms.requests.price": ["how_much", "set_me_back"],
    "synonyms.requests.book": ["pencil"],
    "synonyms.requests.take_off": ["steam"],
  };
  const shop = appWith(edits);
  expect((await say("what would a sedan set me back", shop)).text).toStartWith("Standard film, sedan");
  expect((await say("pencil me in for my sedan", shop)).text).toContain("are missing");
  expect((await say("how much to steam the tint off my sedan", shop)).text).toStartWith("Film removal, sedan");
  expect((await say("how much to steam the tint off my sedan")).text).not.toStartWith("Film removal, sedan");
  expect((await say("what would a sedan set me back")).text).not.toStartWith("Standard film, sedan");
});
