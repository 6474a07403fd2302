/** A command that quotes or books uses every schema once, so compiling it would cost more than it saves. */
import { z } from "zod";

z.config({ jitless: true });
