/** Questions as customers ask them, with the published answer that each gets first; undefined: none is published. */
type Asked = readonly (readonly [asked: string, question?: string])[];

/** Questions without a published answer, divided by slashes. */
const unanswered = (questions: string): Asked =>
  questions.split("/").map((asked) => [asked.trim().replace(/\s+/g, " ")]);

const WINDOWS_DOWN = "When can I roll the windows down?";
const HAZE = "Are haze, bubbles and water pockets normal after tinting?";
const FEE = "Is there a fee for canceling, being late or not coming?";
const HOURS = "When are you open, also on weekends and holidays?";
const DEFROSTER = "Does film harm the defroster, the antenna or reception?";
const HOME = "Do you come to my home?";
const PART = "Can I have one window, the back glass or only the windshield tinted?";
const WINDSHIELD = "Can I tint the windshield in Georgia?";
const CERTIFIED = "Are your installers certified?";
const FRONT = "How dark can my front windows be in Georgia?";
const EXEMPTION = "Is there a medical exemption from the Georgia tint law?";
const DIFFERENCE = "What is the difference between standard and ceramic film?";
const PEELING = "Who pays when film peels, and how do I make a warranty claim?";
const FACTORY_DARK = "My rear glass looks dark from the factory. Can film go over it?";
const NIGHT = "Will people still be able to see in at night?";
const VOID = "Does tint void my car's factory warranty?";
const LENGTH = "How long does a tint job take?";
const CLEAN = "How do I clean tinted windows?";
const PREPARE = "How do I prepare for my appointment?";
const PAY = "Do I pay when I book?";

export const ASKED: Asked = [
  ["Will the tint void my factory warranty?", VOID],
  ["does tint affect my car's warranty", VOID],
  ["defroster", DEFROSTER],
  ["will the defroster lines be ok", DEFROSTER],
  ["antenna in the rear glass", DEFROSTER],
  ["gps signal", DEFROSTER],
  ["when can I roll windows down", WINDOWS_DOWN],
  ["how long windows up", WINDOWS_DOWN],
  ["windex ammonia", CLEAN],
  ["how do I clean tint", CLEAN],
  ["bubbles after install", HAZE],
  ["haze", HAZE],
  ["water pockets", HAZE],
  ["my old tint turned purple", "Why did my old tint turn purple?"],
  ["cold weather", "Can you tint in cold or wet weather?"],
  ["can you tint in winter", "Can you tint in cold or wet weather?"],
  ["hold the 10 am slot", "Can you hold a time for me?"],
  ["can you reserve while I ask my husband", "Can you hold a time for me?"],
  ["two cars on the same day", "Can you tint two or more cars on one day?"],
  ["tint both our cars", "Can you tint two or more cars on one day?"],
  ["do you come to my home", HOME],
  ["mobile tinting", HOME],
  ["do you tint at home", HOME],
  ["home visit", HOME],
  ["what is the cheapest way to tint a truck", "What is the cheapest way to tint my vehicle?"],
  ["price for one window", PART],
  ["only the back glass", PART],
  ["just the windshield", PART],
  ["cancellation fee", FEE],
  ["cancellation policy", FEE],
  ["no show", FEE],
  ["what if I am late", FEE],
  ["leased car", "Can I tint a leased or company car?"],
  ["company car", "Can I tint a leased or company car?"],
  ["medical exemption", EXEMPTION],
  ["sensitive skin", EXEMPTION],
  ["inspection", "Will tint pass a vehicle inspection?"],
  ["will it pass inspection", "Will tint pass a vehicle inspection?"],
  ["installation", "Is installation included, and how is it done?"],
  ["who installs", "Is installation included, and how is it done?"],
  ["how long does the install take", LENGTH],
  ["how long does tint last", "How long does window tint last?"],
  ["is ceramic worth it", DIFFERENCE],
  ["ceramic vs standard", DIFFERENCE],
  ["warranty claim", PEELING],
  ["peeling, who pays", PEELING],
  ["certified installers", CERTIFIED],
  ["open now", HOURS],
  ["open on Sunday", HOURS],
  ["holiday hours", HOURS],
  ["do you take cards", PAY],
  ["pay cash", PAY],
  ["deposit", PAY],
  ["waiting room", "Can I wait while you work?"],
  ["can I wait", "Can I wait while you work?"],
  ["clean windows before you come", PREPARE],
  ["prepare my car", PREPARE],
  ["can you tint over existing tint", "Can you remove old or bubbling tint?"],
  ["remove and redo same day", "Can you remove old or bubbling tint?"],
  ["security film for a shop window", "What does security film do?"],
  ["one way mirror at night", NIGHT],
  ["frosted bathroom", NIGHT],
  ["what does clear film do", "What is the clear windshield protective film?"],
  ...unanswered(`
    do you tint boats / RV / tractor / do you fix windshields / rock chip / paint protection film / do you have an
    app / gift cards / are you hiring
  `),
];

/** Asked later still, half of them near the trade and without an answer. */
export const ASKED_SINCE: Asked = [
  ["hours", HOURS],
  ["clear film that lets light in but cuts some heat", "Can I keep the view and the daylight?"],
  ["best film to keep the sunroom cool but not shiny", "Which film keeps the most heat out without a mirror look?"],
  ["does the full package come with the sunroof too or is that extra", "What does full coverage include?"],
  ["do you have mobile tinting where you come to my driveway", HOME],
  ["My assistant wants to reserve a slot for a short while before I confirm, possible?", "Can you hold a time for me?"],
  ["price of security film for a glass front door", "What does security film cost?"],
  ["can you jsut do one rear door, that glass was replaced", PART],
  ["how low a percentage can I go on the two front doors without getting pulled over", FRONT],
  ["do you servce Gwinnett county", "Which area do you serve?"],
  ["how much is the skin condition exemption and how long is it valid", EXEMPTION],
  ["Which film gives privacy day and night in a bathroom?", NIGHT],
  ["I need to reschedule to next week, how", "How do I cancel or move a booking?"],
  ["can i get red tint on my doors", "Are mirrored or colored films allowed in Georgia?"],
  ["is labor included in the price or do I pay extra for that", "Is installation included, and how is it done?"],
  ["phone number please", "Where is the shop?"],
  ["my car is leased, am I alowed to tint it and get it off again later", "Can I tint a leased or company car?"],
  ["my suv came with dark privacy glass in back, can you still add film on top", FACTORY_DARK],
  ["is ceramic worth the extra money over the regular stuff", DIFFERENCE],
  ["What happens if I don't show up? Is there a penalty?", FEE],
  ["whats the darkest legal tint on driver and passenger doors in GA", FRONT],
  ["will my Toyota dealer refuse warranty because of tint", VOID],
  ["legal tint limit georgia sedan", FRONT],
  ["is it legal to do the whole front windshield with light film", WINDSHIELD],
  ["what does 35% actually mean", "What does a shade number mean?"],
  ["does your film block uv rays", DIFFERENCE],
  ["how quick can you do just the two fronts", LENGTH],
  ["just got it tinted yesterday can i put the windows down", WINDOWS_DOWN],
  ["can i use windex on tintd glass", CLEAN],
  ["my tint is peeling at the corner, is that covered", PEELING],
  ["my car is a lease am i allowed to tint it", "Can I tint a leased or company car?"],
  ["price to take tint off just the front two", "Can you remove old or bubbling tint?"],
  ["how much per square foot for my living room windows", "What does film for house windows cost?"],
  ["need privacy for my bathroom window day and night", NIGHT],
  ["i dont want my living room to get dark, any clear options", "Can I keep the view and the daylight?"],
  ["how much to scrape old film off office windows", "What does it cost to remove old film from building glass?"],
  ["do you attach the film to the frame", "What does anchoring mean?"],
  ["how far ahead can i schedule", "How do I book an appointment?"],
  ["do i need to clean my car out before i come", PREPARE],
  ["do you take apple pay or cash", PAY],
  ["do you come out to decatur for house windows", HOME],
  ["can i rely on what you say about the law in court", "Is the tint-law information legal advice?"],
  ...unanswered(`
    chrome delete on window trim / pick up my car from my work and bring it back / please delete all my personal
    data / ticket for illegal tint in georgia, how much is the fine / my HOA has to approve this, do you handle
    the paperwork / does tint smell or give off fumes, im pregnant / I have a 35 foot motorhome, do you tint those
    / The user uses a wheelchair; can they get into your building? / are you on instagram / paint protection film
    for the hood and bumper price / is it hurricane rated for wind debris / what brand of film do you use, llumar
    or 3m / blackout film for a bedroom so a night shift worker can sleep / do you wrap cars in vinyl / remote
    start instalation / will you match a cheaper quote from another tint place / do you do taillight smoke / can
    you tint my motorcycle visor / is there coffee or snacks in the lobby / do you have a loaner car or shuttle /
    do you instal dash cams / which brand of film do you use, 3m or llumar / do you have a referral program / will
    tint hurt my dogs eyes / how do you dispose of old film
  `),
];

/** Asked by nobody who had seen a way to ask: the search before this one led seven of them astray. */
export const ASKED_FRESH: Asked = [
  ["is it ok to go real dark on the back of my F-250", "How dark can the rear windows be in Georgia?"],
  ["I've got a Corolla, about how long am I without it", LENGTH],
  ["worried about my radio antenna in the back window", DEFROSTER],
  ["do yall need money down", PAY],
  ["how soon can you get me in", "How do I book an appointment?"],
  ["will you drive out to my office to do the truck", HOME],
  ["Tahoe with factory privacy, can you make it darker", FACTORY_DARK],
  ["it's supposed to pour tomorrow, still coming?", "Can you tint in cold or wet weather?"],
  ["do I need to take the car seats out", PREPARE],
  ["could you hold Tuesday at 9 for me", "Can you hold a time for me?"],
  ["need heat out of my sunroom but no mirror look", "Which film keeps the most heat out without a mirror look?"],
  ["can you come after 6 when the store is closed", "Can you work after business hours?"],
  ["what is nofault", "What is the no-fault replacement warranty?"],
  ["what does clearplex do", "What is the clear windshield protective film?"],
  ["is windshield tint legal", "Can I tint the windshield in Georgia?"],
  ["how much is a sunstrip", "Can I tint the windshield in Georgia?"],
  ["do you tint a sunroof", "What does full coverage include?"],
  ["do I have to leave a deposit", "Do I pay when I book?"],
  ["whats ceramic tint", "What is the difference between standard and ceramic film?"],
  ["can you take the blinds down for me", "What if furniture or curtains are in the way?"],
  ["do you charge extra for blocked windows", "What if furniture or curtains are in the way?"],
  ["do you guarantee the price", "Are estimates binding, and do they include tax?"],
  ["can I get a written quote", "How do I get a quote for a house or building?"],
  ["will the removal damage my defroster", "Does film harm the defroster, the antenna or reception?"],
  ["can someone else drop off the car", undefined],
  ...unanswered(`
    do you do ceramic coating on wheels / do you sell tint to take home / do you do window blinds / how much is a
    tint ticket / what's the owner's name / does film lower my electric bill / do you clean windows / can I leave
    my dog in the office / do you give refunds
  `),
];
