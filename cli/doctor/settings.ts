/** Checks the settings whose faults no other line tells, and the names in `.env`. */
import { SETTINGS } from "../../src/env/settings.ts";
import { nearestSetting, settingFault } from "../setup/questions.ts";
import { clean } from "../terminal/text.ts";
import { type Finding, fault, warning } from "./finding.ts";

const NAME = "settings";

/**
 * A server with a wrong setting does not start, and a setting under another name does nothing.
 * @param settings by name, as the server reads them
 * @param written the names in `.env`
 * @param others the other findings
 */
export function checkSettings(
  settings: Readonly<Record<string, string | undefined>>,
  written: readonly string[],
  others: readonly Finding[],
): Finding[] {
  const told = new Set(others.map(({ message }) => message));
  const wrong = Object.keys(SETTINGS).flatMap((name) => {
    const value = settings[name];
    const reason = value === undefined ? undefined : settingFault(name, value);
    const message = `${name} ${reason}`;
    return reason === undefined || told.has(message) ? [] : fault(NAME, message, "correct the variable, or unset it");
  });
  const slips = written.flatMap((name) => {
    const meant = Object.hasOwn(SETTINGS, name) || name === "TINT_CATALOG" ? undefined : nearestSetting(name);
    const message = `.env has ${clean(name)}, which is no setting`;
    return meant === undefined ? [] : warning(NAME, message, `write ${meant} if that is meant, or remove the line`);
  });
  return [...wrong, ...slips];
}
