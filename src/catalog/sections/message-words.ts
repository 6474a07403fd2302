/** The words of messages: texts and e-mails with fields in braces. */
import { z } from "zod";
import { TEMPLATE_FIELDS, templateIssue } from "./template.ts";

export const template = (most: number, fields: readonly string[]) =>
  z
    .string()
    .trim()
    .min(1)
    .max(most)
    .refine((text) => templateIssue(text, fields) === undefined, {
      error: ({ input }) => templateIssue(String(input), fields),
    })
    .meta({ fields });
// Texts longer than two segments are cut.
export const smsTemplate = (fields: readonly string[] = TEMPLATE_FIELDS) => template(300, fields);
export const emailTemplate = (fields: readonly string[] = TEMPLATE_FIELDS) =>
  z.strictObject({
    subject: template(200, fields).refine((text) => !/[\r\n]/.test(text), "must be one line"),
    text: template(2000, fields),
  });
