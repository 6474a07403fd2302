import { z } from "zod";

export const estimateId = () =>
  z.string().optional().meta({
    description:
      "Send it with a booking or quote request: the price holds up to valid_until. A quote of the command line has none.",
  });
