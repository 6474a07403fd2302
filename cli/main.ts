#!/usr/bin/env bun
import { forgetWorkingFolder } from "../src/env/env.ts";
import { runCommandLine } from "./program.ts";

forgetWorkingFolder();
process.exitCode = await runCommandLine(process.argv);
