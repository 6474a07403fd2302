#!/usr/bin/env bun
import { forgetWorkingFolder } from "../src/env/env.ts";
import { runCommandLine } from "./program.ts";
import { fitOutputToLocale } from "./terminal/output.ts";

forgetWorkingFolder();
fitOutputToLocale();
process.exitCode = await runCommandLine(process.argv);
