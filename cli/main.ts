#!/usr/bin/env bun
import { forgetWorkingFolder } from "../src/env/env.ts";
import { run } from "./program.ts";

forgetWorkingFolder();
process.exitCode = await run(process.argv);
