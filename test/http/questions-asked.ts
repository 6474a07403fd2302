/** Questions as customers ask them, by the published answer that each gets first. */

/** @param answers the questions of each answer, divided by slashes; those that the shop has published no answer to under "" */
const asked = (answers: Record<string, string>): [asked: string, question: string | undefined][] =>
  Object.entries(answers).flatMap(([question, all]): [string, string | undefined][] =>
    all.split("/").map((one) => [one.trim().replace(/\s+/g, " "), question || undefined]),
  );

export const ASKED = asked({
  "Does film harm the defroster, the antenna or reception?": `
    defroster / will the defroster lines be ok / antenna in the rear glass / gps signal / will the rear defrost still
    work / will the film mess up my radio reception / heated rear window safe with film? / worried about my radio
    antenna in the back window / will the removal damage my defroster
  `,
  "Do you come to my home?": `
    do you come to my home / mobile tinting / do you tint at home / home visit / do you come out to offices / do I
    have to bring the car to you / do you have mobile tinting where you come to my driveway / do you come out to
    decatur for house windows / will you drive out to my office to do the truck
  `,
  "Is there a fee for canceling, being late or not coming?": `
    cancellation fee / cancellation policy / no show / what if I am late / is there a cancellation charge / I'm
    running late for my appointment / do you charge if I cancel / What happens if I don't show up? Is there a penalty?
  `,
  "What is the difference between standard and ceramic film?": `
    is ceramic worth it / ceramic vs standard / does it really keep the car cooler in summer / which film is better /
    is ceramic film worth the extra money / is ceramic worth the extra money over the regular stuff / does your film
    block uv rays / whats ceramic tint
  `,
  "Can I have one window, the back glass or only the windshield tinted?": `
    price for one window / only the back glass / just the windshield / tint for a moonroof / how much for just the
    rear windshield / can you do only one door window / can you jsut do one rear door, that glass was replaced
  `,
  "Do I pay when I book?": `
    do you take cards / pay cash / deposit / can I pay with a credit card / do you take apple pay or cash / do yall
    need money down / do I have to leave a deposit
  `,
  "When can I roll the windows down?": `
    when can I roll windows down / how long windows up / when is it safe to put the glass down / how long before I can
    roll down / how soon can I lower my windows / just got it tinted yesterday can i put the windows down
  `,
  "Are haze, bubbles and water pockets normal after tinting?": `
    bubbles after install / haze / water pockets / my windows have water bubbles / there are little bubbles two days
    after you did my car / my windows look cloudy after tint
  `,
  "When are you open, also on weekends and holidays?": `
    open now / open on Sunday / holiday hours / do you work on Sundays / are you closed on christmas day / hours
  `,
  "Can I tint the windshield in Georgia?": `
    is a strip at the top of the windshield allowed / can I tint my windshield / what does the strip on the windshield
    cost / is it legal to do the whole front windshield with light film / is windshield tint legal / how much is a
    sunstrip
  `,
  "How do I clean tinted windows?": `
    windex ammonia / how do I clean tint / do you use an ammonia free cleaner / what cleaner can I use on tinted glass
    / can i use windex on tintd glass
  `,
  "Can you tint in cold or wet weather?": `
    cold weather / can you tint in winter / is it too cold to tint in january / it is raining on my appointment day,
    can you still do it / it's supposed to pour tomorrow, still coming?
  `,
  "Can you hold a time for me?": `
    hold the 10 am slot / can you reserve while I ask my husband / can you save me a spot until tomorrow / My
    assistant wants to reserve a slot for a short while before I confirm, possible? / could you hold Tuesday at 9 for
    me
  `,
  "Can I tint a leased or company car?": `
    leased car / company car / my car is leased, is tint allowed / my car is leased, am I alowed to tint it and get it
    off again later / my car is a lease am i allowed to tint it
  `,
  "Is there a medical exemption from the Georgia tint law?": `
    medical exemption / sensitive skin / doctor says I need dark windows / doctor's note for darker tint / how much is
    the skin condition exemption and how long is it valid
  `,
  "How do I prepare for my appointment?": `
    clean windows before you come / prepare my car / what should I do before my appointment / do i need to clean my
    car out before i come / do I need to take the car seats out
  `,
  "Will people still be able to see in at night?": `
    one way mirror at night / frosted bathroom / frosted film for a bathroom / Which film gives privacy day and night
    in a bathroom? / need privacy for my bathroom window day and night
  `,
  "Does tint void my car's factory warranty?": `
    Will the tint void my factory warranty? / does tint affect my car's warranty / does tinting cancel the dealer
    warranty on a new car / will my Toyota dealer refuse warranty because of tint
  `,
  "How long does a tint job take?": `
    how long does the install take / do you need my car all day / how quick can you do just the two fronts / I've got
    a Corolla, about how long am I without it
  `,
  "Who pays when film peels, and how do I make a warranty claim?": `
    warranty claim / peeling, who pays / my tint is peeling, is it covered / my tint is peeling at the corner, is that
    covered
  `,
  "Can you remove old or bubbling tint?": `
    can you tint over existing tint / remove and redo same day / old film is peeling, can you strip it / price to take
    tint off just the front two
  `,
  "Why did my old tint turn purple?": `
    my old tint turned purple / my tint is a weird violet color / purple faded tint on my old honda
  `,
  "Can you tint two or more cars on one day?": `
    two cars on the same day / tint both our cars / I have three cars, can they all be done the same day
  `,
  "Will tint pass a vehicle inspection?": `
    inspection / will it pass inspection / will tinted windows pass state inspection
  `,
  "Is installation included, and how is it done?": `
    installation / who installs / is labor included in the price or do I pay extra for that
  `,
  "Are your installers certified?": `
    certified installers / are you licensed and trained / are your technicians certified
  `,
  "Can I wait while you work?": "waiting room / can I wait / can I sit and wait for my car",
  "How dark can my front windows be in Georgia?": `
    how low a percentage can I go on the two front doors without getting pulled over / whats the darkest legal tint on
    driver and passenger doors in GA / legal tint limit georgia sedan
  `,
  "What is the cheapest way to tint my vehicle?": "what is the cheapest way to tint a truck / lowest price for a sedan",
  "How long does window tint last?": "how long does tint last / how many years does window film hold up",
  "What is the clear windshield protective film?": "what does clear film do / what does clearplex do",
  "When is new film fully cured?": `
    how soon can I take it through the car wash / when can I drive through a car wash after tint
  `,
  "Is there a warranty on the film?": "does the warranty transfer if I sell the car / do you offer lifetime warranty",
  "Are estimates binding, and do they include tax?": "is tax included / do you guarantee the price",
  "Which area do you serve?": "do you serve Gwinnett county / do you servce Gwinnett county",
  "What does a shade number mean?": "how dark is 20 percent / what does 35% actually mean",
  "Can I keep the view and the daylight?": `
    clear film that lets light in but cuts some heat / i dont want my living room to get dark, any clear options
  `,
  "Which film keeps the most heat out without a mirror look?": `
    best film to keep the sunroom cool but not shiny / need heat out of my sunroom but no mirror look
  `,
  "What does full coverage include?": `
    does the full package come with the sunroof too or is that extra / do you tint a sunroof
  `,
  "My rear glass looks dark from the factory. Can film go over it?": `
    my suv came with dark privacy glass in back, can you still add film on top / Tahoe with factory privacy, can you
    make it darker
  `,
  "How do I book an appointment?": "how far ahead can i schedule / how soon can you get me in",
  "What if furniture or curtains are in the way?": `
    can you take the blinds down for me / do you charge extra for blocked windows
  `,
  "What does security film do?": "security film for a shop window",
  "Does film stop furniture and floors from fading?": "does film save my floors from fading",
  "What does security film cost?": "price of security film for a glass front door",
  "How do I cancel or move a booking?": "I need to reschedule to next week, how",
  "Are mirrored or colored films allowed in Georgia?": "can i get red tint on my doors",
  "Where is the shop?": "phone number please",
  "What does film for house windows cost?": "how much per square foot for my living room windows",
  "What does it cost to remove old film from building glass?": "how much to scrape old film off office windows",
  "What does anchoring mean?": "do you attach the film to the frame",
  "Is the tint-law information legal advice?": "can i rely on what you say about the law in court",
  "How dark can the rear windows be in Georgia?": "is it ok to go real dark on the back of my F-250",
  "Can you work after business hours?": "can you come after 6 when the store is closed",
  "What is the no-fault replacement warranty?": "what is nofault",
  "How do I get a quote for a house or building?": "can I get a written quote",
  "": `
    do you tint boats / RV / tractor / do you fix windshields / rock chip / paint protection film / do you have an app
    / gift cards / are you hiring / how much is a new windshield / how much is a new back window / do you do mirrors /
    car wash price / can I bring my own film / do you clean car seats / can you fix my defroster lines / how do I tint
    my own windows / are you the cheapest in town / who owns this business / car inspection near me / do you repair
    power windows / can my wife pick up the car instead of me / do you tint motorcycle helmets / can you tint my boat
    / do you fix windshield chips / do you install ppf / do you wrap cars / gift certificate for my dad / are you
    hiring installers / do you have an app for my phone / military discount / do you price match / what brand of film
    do you use / do you offer financing / do you speak spanish / can I bring my dog / do you have wifi / do you sell
    tint kits for self install / can you tint my headlights / do you detail cars / do you replace broken glass / do
    you do alarm systems / can you install a dash cam / who is the owner of the shop / how many reviews do you have /
    do you have a shuttle or loaner car / is there parking for a trailer / what is the weather tomorrow / write me a
    poem about cars / can you tint an airplane / do you tint sunglasses / when was your company founded / chrome
    delete on window trim / pick up my car from my work and bring it back / please delete all my personal data /
    ticket for illegal tint in georgia, how much is the fine / my HOA has to approve this, do you handle the paperwork
    / does tint smell or give off fumes, im pregnant / I have a 35 foot motorhome, do you tint those / The user uses a
    wheelchair; can they get into your building? / are you on instagram / paint protection film for the hood and
    bumper price / is it hurricane rated for wind debris / what brand of film do you use, llumar or 3m / blackout film
    for a bedroom so a night shift worker can sleep / do you wrap cars in vinyl / remote start instalation / will you
    match a cheaper quote from another tint place / do you do taillight smoke / can you tint my motorcycle visor / is
    there coffee or snacks in the lobby / do you have a loaner car or shuttle / do you instal dash cams / which brand
    of film do you use, 3m or llumar / do you have a referral program / will tint hurt my dogs eyes / how do you
    dispose of old film / can someone else drop off the car / do you do ceramic coating on wheels / do you sell tint
    to take home / do you do window blinds / how much is a tint ticket / what's the owner's name / does film lower my
    electric bill / do you clean windows / can I leave my dog in the office / do you give refunds
  `,
});

/** Words of a search, which over A2A may be a request. */
export const SEARCHED = asked({
  "I drive in other states too. Which tint law counts?": `
    other states / which states / is 35% legal in Texas / New York
  `,
  "When are you open, also on weekends and holidays?": `
    are you closed on holidays / what time do you close / thanksgiving
  `,
  "Is installation included, and how is it done?": "do you install the film / who installs it / installer",
  "How long does a tint job take?": "how long / do I wait or drop off",
  "Do I pay when I book?": "do you take a deposit / cash",
  "How dark can my front windows be in Georgia?": "legal limit / how dark can I go",
  "Do you come to my home?": "do you come to me",
  "Are estimates binding, and do they include tax?": "tax",
  "Where is the shop?": "where are you",
  "What does it cost to tint a vehicle?": "how much",
  "How long does window tint last?": "how long does the film last",
  "How dark can the rear windows be in Georgia?": "how dark can the rear be",
  "When can I roll the windows down?": "ROLLING down windows?",
  "Are haze, bubbles and water pockets normal after tinting?": "bubbles",
  "Are mirrored or colored films allowed in Georgia?": "mirrored",
  "": "pizza delivery / zebra with the film / your horoscope / can I paint my car / text messages / do you",
});
