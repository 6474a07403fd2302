import { expect, test } from "bun:test";
import { ERRORS, type ErrorCode } from "../../src/errors.ts";
import { API, QUOTE, type SendOptions, testApp } from "../helpers.ts";

interface Scenario {
  code: ErrorCode;
  name: string;
  method?: string;
  path: string;
  options?: SendOptions;
  /** What the body must hold beside the code. */
  holds?: object;
}

const SCENARIOS: Scenario[] = [
  { code: "INVALID_JSON", name: "a body that is no JSON", method: "POST", path: "/estimates", options: { body: "{" } },
  { code: "INVALID_JSON", name: "an empty body", method: "POST", path: "/estimates" },
  { code: "INVALID_JSON", name: "a list", method: "POST", path: "/estimates", options: { body: [] } },
  {
    code: "MISSING_FIELD",
    name: "fields absent, null and blank",
    method: "POST",
    path: "/quote-request",
    options: { body: { ...QUOTE, first_name: "  ", phone: null, email: undefined } },
    holds: { missing_fields: ["first_name", "phone", "email"] },
  },
];

for (const { code, name, method = "GET", path, options, holds = {} } of SCENARIOS) {
  test(`${code}: ${name}`, async () => {
    const { status, json, headers } = await testApp().send(method, API + path, options);
    expect(json).toMatchObject({ success: false, error_code: code, recoverable: ERRORS[code].recoverable, ...holds });
    expect(status).toBe(ERRORS[code].status);
    expect(headers.get("x-ratelimit-limit")).toBe("60");
  });
}
