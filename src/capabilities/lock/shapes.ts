import { z } from "zod";

export const estimateId = () =>
  z.string().optional().meta({
    description:
      "Send it when you book or ask for a quote: the price holds up to valid_until. Absent on the command line.",
  });
