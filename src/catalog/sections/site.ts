/** `site`: web addresses, and how the shop's pages look and speak. */
import { z } from "zod";
import { isSecureAddress } from "../../lib/network.ts";
import { date, isPlainText } from "../../schema/fields.ts";
import { lineOfText, longText, url } from "./values.ts";

const color = (scheme: Scheme) =>
  z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, { error: "must be a color with six digits, like #0b5f6f", abort: true })
    .refine((one) => contrastIssue(one, scheme) === undefined, {
      error: ({ input }) => contrastIssue(String(input), scheme),
    });

// Browsers treat a page of this machine like one that is encrypted.
const SECURE = "must begin with https:// (http:// only on this machine, for trying it)";

const legalText = z
  .string()
  .trim()
  .min(1)
  .max(50_000)
  .refine(isPlainText, "must not contain control or invisible characters (newlines are fine)");

/** Scheme, host and port of a website, as browsers name it. */
const origin = z
  .string()
  .refine((address) => URL.canParse(address) && new URL(address).origin === address, {
    error: "must be the beginning of an address without a path, like https://www.example.com",
    abort: true,
  })
  .refine(isSecureAddress, SECURE);

/** Not a path, so that it can lead to no other file. */
export const PHOTO_FILE = /^[\w-][\w.-]{0,99}\.(?:jpe?g|png|webp|avif)$/i;
const photoFile = z
  .string()
  .regex(
    PHOTO_FILE,
    "must be an address that begins with https://, or the name of a file beside the catalog, like camry.jpg",
  );

export const site = z.strictObject({
  url,
  /** The page where people book or ask for a quote, for links in answers: this server's own when absent, `none` for no links. */
  book_url: z
    .union([z.literal("none"), url.refine(isSecureAddress, SECURE)], {
      error: "must be an address that begins with https://, or none",
    })
    .optional(),
  base_url: url.refine((address) => address.endsWith("/api/v1"), "must end with /api/v1"),
  agent_proxy_url: url,
  mcp_url: url,
  /** The color of links and buttons, on light pages and on dark ones. */
  theme: z
    .strictObject({ light: color("light").default("#0b5f6f"), dark: color("dark").default("#6fd0dd") })
    .prefault({}),
  /** A picture at the top of the booking page; without it the shop's name. */
  logo: url.refine(isSecureAddress, SECURE).optional(),
  /** The small picture in the browser's tab, as SVG, PNG or ICO; without it a tinted window. */
  icon: url.refine(isSecureAddress, SECURE).optional(),
  /** The picture of 1200 by 630 pixels beside a link to the booking page that people share; without it a tinted car. */
  share_picture: url.refine(isSecureAddress, SECURE).optional(),
  /** The websites that may show the booking page inside one of theirs. */
  embed_origins: z.array(origin).max(20).default([]),
  /** Which other websites may use the API from a browser: any, those of `embed_origins`, or none. */
  cors: z.enum(["any", "listed", "none"]).default("any"),
  /** What speaks for the shop, in a few words each, beside the price on the booking page. */
  facts: z.array(lineOfText.max(80)).max(3).default([]),
  /** What customers said elsewhere, and the day on which the owner read it there; shown only when it is set. */
  reviews: z
    .strictObject({
      rating: z.number().min(1).max(5),
      count: z.int().min(1).max(1_000_000),
      source: lineOfText.max(40),
      url: url.refine(isSecureAddress, SECURE),
      reviewed_on: date(),
    })
    .nullable()
    .default(null),
  /** Work of the shop: an address, or the name of a file beside this one. */
  photos: z
    .array(
      z.strictObject({ url: z.union([photoFile, url.refine(isSecureAddress, SECURE)]), text: lineOfText.max(120) }),
    )
    .max(6)
    .default([]),
  texts: z
    .strictObject({
      title: lineOfText.max(80).default("Book your window tint"),
      intro: longText.default("Your price in seconds. You pay at the shop."),
      glass_title: lineOfText.max(80).default("Window film for your building"),
      glass_intro: longText.default("Enter your windows, compare three options, and ask for a binding quote."),
      /** Beside the first price on a phone, in a few words. */
      pay: lineOfText.max(40).default("Pay at the shop"),
      payment: longText.default("No payment now: you pay at the shop when the work is done."),
      /** Beside a shade that is not legal, before the customer says why they want it. */
      illegal: longText.default(
        "With darker film than the law permits you can be fined, and may have to take it off again.",
      ),
      consent: longText.default("Please book this appointment for me. The shop may contact me about it."),
      /** Beside a box of its own, which is optional and never ticked beforehand. */
      sms_consent: longText.default(
        "Text me about this appointment, too: up to 4 messages. Message and data rates may apply. Reply STOP to end, HELP for help.",
      ),
      glass_consent: longText.default("Please send my request. The shop may contact me about it."),
      /** As `sms_consent`, for who asks for a quote; shown where `messages` answers by text. */
      glass_sms_consent: longText.default(
        "Text me about this request, too: up to 2 messages. Message and data rates may apply. Reply STOP to end, HELP for help.",
      ),
      booked: longText.default(
        "Please arrive with clean windows and an empty back seat. We look forward to seeing you.",
      ),
      /** In place of the pages about privacy and terms that are made from this file; blank lines part paragraphs. */
      privacy: legalText.optional(),
      terms: legalText.optional(),
      sent: longText.default("Thank you. We call you to settle the details and send a binding quote."),
    })
    .prefault({}),
});

type Scheme = "light" | "dark";

/** The background of a page that is nearest to the text, and the text on a button; as in `pages/markup/base.css`. */
export const SURFACES: Readonly<Record<Scheme, { sunken: string; onAccent: string }>> = {
  light: { sunken: "#eaeff1", onAccent: "#ffffff" },
  dark: { sunken: "#1d272d", onAccent: "#06232a" },
};

/** The least contrast of text. Source: WCAG 2.2, success criterion 1.4.3. */
const LEAST = 4.5;

/** Why a color of links and buttons cannot be read in a scheme; undefined when it can. @param color like `#0b5f6f` */
function contrastIssue(color: string, scheme: Scheme): string | undefined {
  const { sunken, onAccent } = SURFACES[scheme];
  const least = Math.min(contrast(color, sunken), contrast(color, onAccent));
  if (least >= LEAST) return undefined;
  const way = scheme === "light" ? "darker" : "lighter";
  return `is hard to read on the ${scheme} page: its contrast is ${least.toFixed(1)} and must be ${LEAST} or more. Take a ${way} color`;
}

/** From 1 (the same) to 21 (black on white). Source: WCAG 2.2, contrast ratio. */
function contrast(one: string, other: string): number {
  const [bright = 0, dim = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (bright + 0.05) / (dim + 0.05);
}

/** Relative luminance. Source: WCAG 2.2. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
