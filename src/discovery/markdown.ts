/** The documentation in Markdown; the docs page is the same text as HTML. */
import { CAPABILITIES } from "../capabilities/index.ts";
import type { Capability } from "../capability.ts";
import type { Catalog } from "../catalog/schema.ts";
import { ERRORS } from "../errors.ts";
import { requiresConsent } from "../invoke.ts";
import { type JsonSchema, jsonSchema } from "../json-schema.ts";
import { API_PREFIX } from "../vocabulary.ts";
import { requirements } from "./manifest.ts";

export function docsMarkdown(catalog: Catalog, now: Temporal.Instant): string {
  const { business, site, rate_limits: limits } = catalog;
  return `${[
    `# ${business.name} API`,
    `Prices, tint-law checks, open times, quote requests and bookings of ${business.name}, ${business.service_area.label}. JSON over HTTP, version 1.0.0 (schema_version 1.0). No key is needed.`,
    `- Base URL: \`${site.base_url}\`\n- Base URL for automated agents: \`${site.agent_proxy_url}\`\n- MCP server: \`${site.mcp_url}\`\n- OpenAPI: \`${API_PREFIX}/openapi.json\`, manifest: \`${API_PREFIX}/capabilities\`, this text: \`${API_PREFIX}/docs-md\``,
    "## Quick start",
    `Price a vehicle, see open times, book with the customer's consent:`,
    curl("POST", "/estimates", sampleOf("automotive_estimate", catalog, now)),
    curl("GET", "/availability?vehicle_type=suv&film_type=ceramic"),
    curl("POST", "/bookings", sampleOf("book_appointment", catalog, now)),
    'Every answer is `{"success": true, "data": …}`, with `next_actions` that name the next step and `warnings` where something was ignored. Dates and times are the shop\'s own, in ' +
      `${business.timezone}. Money is in ${catalog.currency}, at most 2 decimals.`,
    "## Endpoints",
    ...CAPABILITIES.map((capability) => endpoint(capability, catalog, now)),
    "## Errors",
    "Every error has the same shape: `success` (false), `error_code`, `message`, `recoverable`, `usage.sample_request`, `agent_instruction`, `docs`, `openapi`, `request_id`, and where they apply `missing_fields`, `invalid_fields`, `method`, `alternatives`, `retry_after_seconds`.",
    table(
      ["Status", "error_code", "When", "What to do"],
      Object.entries(ERRORS).map(([code, { status, when, instruction }]) => [
        String(status),
        `\`${code}\``,
        when,
        instruction,
      ]),
    ),
    "## Limits",
    table(
      ["Who or what", "Limit"],
      [
        ["Without a key", `${limits.anonymous_per_minute} requests a minute per IP address (IPv6: per /64)`],
        [
          "Known agent user agents",
          `${limits.agent_class_per_minute} requests a minute, shared by each class: ${Object.keys(limits.agent_classes).join(", ")}`,
        ],
        ["With a key", `${limits.api_key_per_minute} requests a minute`],
        ["Quote requests", `${limits.quote_requests_per_minute} a minute`],
        [
          "Bookings without a key",
          `${limits.bookings_per_10_minutes} in 10 minutes per IP address, ${limits.bookings_per_phone_per_day} a day per phone number`,
        ],
        ["Bookings with a key", `${limits.bookings_per_10_minutes} in 10 minutes per key`],
        ["Registrations", `${limits.registrations_per_hour} an hour per IP address`],
      ],
    ),
    "Every response carries `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-Request-Id`; a refused one `Retry-After`, in seconds.",
    "## API keys",
    `A key is optional and raises the limits. \`POST ${API_PREFIX}/register\` issues one per e-mail address and shows it once. Send it as \`Authorization: Bearer <key>\` or \`X-API-Key: <key>\`.`,
    "## Tint law",
    `${catalog.tint_law.disclaimer} Rules of ${Object.keys(catalog.tint_law.jurisdictions).length} jurisdictions are checked; name one with \`jurisdiction\` (default \`${catalog.tint_law.home}\`). A check informs and never blocks an estimate or a booking.`,
  ].join("\n\n")}\n`;
}

function endpoint(capability: Capability, catalog: Catalog, now: Temporal.Instant): string {
  const sample = capability.sample(catalog, now);
  const fields = Object.entries(jsonSchema(capability.input, "input").properties ?? {});
  const wanted = requirements(capability);
  const isGet = capability.method === "GET";
  const facts = [
    `Id \`${capability.id}\`, operation \`${capability.operationId}\``,
    `side effect: ${capability.sideEffect}`,
    ...(requiresConsent(capability) ? ["ask the end user's consent first"] : []),
    ...(capability.alsoGet ? ["also accepts GET; without a query it answers with every base price"] : []),
  ];
  return [
    `### ${capability.method} ${capability.path}`,
    `${capability.description}`,
    `${facts.join("; ")}.`,
    `Use it when: ${capability.useWhen.join(" ")} Avoid it when: ${capability.avoidWhen.join(" ")}`,
    ...(fields.length > 0
      ? [
          table(
            ["Field", "Type", "Required", "Notes"],
            fields.map(([name, schema]) => [
              `\`${name}\``,
              typeOf(schema),
              wanted.hard.includes(name) ? "yes" : wanted.soft.includes(name) ? "no (soft)" : "no",
              schema.description ?? "",
            ]),
          ),
        ]
      : ["No fields."]),
    isGet ? curl("GET", capability.path + queryOf(sample)) : curl("POST", capability.path, sample),
  ].join("\n\n");
}

/** A schema's type in a few words. */
function typeOf(schema: JsonSchema): string {
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(" or ");
  if (schema.enum) return schema.enum.map(String).join(", ");
  if (schema.type === "array" && schema.items) return `list of: ${typeOf(schema.items)}`;
  return schema.type ?? "any";
}

function sampleOf(id: string, catalog: Catalog, now: Temporal.Instant): object {
  const capability = CAPABILITIES.find((one) => one.id === id);
  if (!capability) throw new Error(`no capability ${id}`);
  return capability.sample(catalog, now);
}

function queryOf(sample: object): string {
  const query = new URLSearchParams(
    Object.entries(sample).map(([key, value]): [string, string] => [key, String(value)]),
  );
  return query.size > 0 ? `?${query}` : "";
}

function curl(method: "GET" | "POST", path: string, body?: object): string {
  const address = `"$BASE${path}"`;
  const command =
    method === "GET" ? `curl ${address}` : `curl ${address} -d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`;
  return `\`\`\`sh\n${command}\n\`\`\``;
}

function table(head: string[], rows: string[][]): string {
  const row = (cells: string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
  return [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n");
}
