/** The OpenAPI document: what it says, and two strict linters of third parties. */
import { beforeAll, describe, expect, test } from "bun:test";
import { pino } from "pino";
import { createApp } from "../../src/app.ts";
import { CAPABILITIES } from "../../src/capabilities/index.ts";
import { ERRORS } from "../../src/errors.ts";
import { jsonSchema } from "../../src/schema/json-schema.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { API, appWith, CATALOG, catalogWith, NOW, testApp } from "../helpers.ts";
import { withoutService } from "../shops.ts";
import { type OpenApiDocument, openApiDocument } from "./openapi-document.ts";
import { run, workplace } from "./openapi-tools.ts";

const TOOL_MS = 60_000;

let document: OpenApiDocument;
beforeAll(async () => {
  document = await openApiDocument();
});

describe("what it says", () => {
  test("its format, server and operations are those of the contract", () => {
    const { openapi, servers, paths } = document;
    expect([openapi, servers.map(({ url }) => url)]).toEqual(["3.0.3", ["https://marlowridge.example/api/v1"]]);
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
    const others = ["get_capabilities", "get_capability", "get_docs", "get_docs_markdown", "get_estimate_matrix"];
    const known = [...CAPABILITIES.map(({ operationId }) => operationId), ...others];
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual(known.sort());
  });

  test("a shop without extras has a document too", async () => {
    const app = appWith({ "automotive.addons": {}, "synonyms.addons": {}, faq: [] });
    const { status, json } = await app.get(`${API}/openapi.json`);
    expect(status).toBe(200);
    const { AddonEntry, ...schemas } = json.components.schemas;
    expect(AddonEntry.properties.code).toMatchObject({ type: "string" });
    expect(schemas.Addon).toBeUndefined();
  });

  test("every operation has a short description and says whether it acts for a person", () => {
    const consequential: string[] = [];
    for (const methods of Object.values(document.paths)) {
      for (const { operationId, description, "x-openai-isConsequential": acts } of Object.values(methods)) {
        expect([operationId, description.length <= 300, typeof acts]).toEqual([operationId, true, "boolean"]);
        if (acts) consequential.push(operationId);
      }
    }
    expect(consequential.sort()).toEqual([
      ...["book_appointment", "cancel_booking", "confirm_booking", "request_quote", "reschedule_booking"],
    ]);
  });

  test("errors are shared responses of one shape, and lists of words have names", () => {
    const { responses, schemas } = document.components;
    for (const methods of Object.values(document.paths)) {
      for (const { responses: own } of Object.values(methods)) {
        const failures = Object.entries(own).filter(([status]) => Number(status) >= 400);
        for (const [, response] of failures) expect(Object.keys(response)).toEqual(["$ref"]);
      }
    }
    for (const { content } of Object.values(responses))
      expect(content?.["application/json"]).toMatchObject({ schema: { $ref: "#/components/schemas/ErrorAnswer" } });
    // Generated clients have an ApiError of their own, and make no code of a union without a name or without types.
    expect(Object.keys(schemas)).not.toContain("ApiError");
    expect(JSON.stringify(document)).not.toMatch(/"format":"date[^{}]*"pattern"|"enum":\[[^\]]*null/);
    expect(JSON.stringify(document.paths)).not.toContain('"application/json":{"schema":{"anyOf"');
    const named = Object.values(schemas) as { anyOf?: { $ref?: string; type?: string }[] }[];
    for (const one of named.flatMap(({ anyOf = [] }) => anyOf)) expect(one.$ref ?? one.type).toBeDefined();
    for (const name of ["VehicleType", "FilmType", "Coverage", "Addon", "SiteType", "Slot", "LineItem", "ErrorCode"])
      expect(Object.keys(schemas)).toContain(name);
  });

  test("every operation with a JSON answer shows one that the program gave, the same all day", async () => {
    const app = testApp();
    const answersOf = async (): Promise<[string, string, unknown][]> => {
      const { paths }: OpenApiDocument = (await app.get(`${API}/openapi.json`)).json;
      return Object.values(paths).flatMap((methods) =>
        Object.values(methods).flatMap(({ operationId, responses }) =>
          Object.entries(responses).flatMap(([status, response]): [string, string, unknown][] => {
            const content = "content" in response ? response.content?.["application/json"] : undefined;
            return content ? [[operationId, status, Object(content).example]] : [];
          }),
        ),
      );
    };
    const answers = await answersOf();
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    const inJson = operations.map(({ operationId }) => operationId).filter((id) => !id.startsWith("get_docs"));
    expect([...new Set(answers.map(([id]) => id))].toSorted()).toEqual(inJson.toSorted());
    for (const [id, status, answer] of answers)
      expect([id, status, answer]).toMatchObject([id, status, { success: true }]);
    const booked = answers.find(([id, status]) => id === "book_appointment" && status === "201");
    expect(booked?.[2]).toMatchObject({ data: { status: "confirmed", confirmation_code: expect.any(String) } });
    const cancelled = answers.find(([id]) => id === "cancel_booking");
    expect(cancelled?.[2]).toMatchObject({ data: { status: "cancelled_by_customer" } });
    app.advance({ minutes: 1 });
    const own = ([id]: [string, ...unknown[]]) => !id.startsWith("get_capabilit");
    expect((await answersOf()).filter(own)).toEqual(answers.filter(own));
  });

  test("profile=tools has requests in plain schemas, and the same operations", async () => {
    const app = testApp();
    const { text, json, headers } = await app.get(`${API}/openapi.json?profile=tools`);
    expect(text).not.toMatch(
      /\(\?[=!<]|"const"|"type":\[|"anyOf"|"oneOf"|"allOf"|"\$ref"|"nullable"|"pattern":"[^"]*\(\?/,
    );
    const idsOf = ({ paths }: OpenApiDocument) =>
      Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
    expect(idsOf(json)).toEqual(idsOf(document).filter((id) => !/^get_(capabilit|docs)/.test(id)));
    const { schema } = json.paths["/estimates"].post.requestBody.content["application/json"];
    expect(schema.required).toEqual(["vehicle_type", "service", "film_type"]);
    expect(schema.properties.vehicle_type.enum).toContain("sedan");
    expect(schema.properties.shade).toMatchObject({ type: "integer", minimum: 1, maximum: 100 });
    expect(text.length).toBeLessThan(60_000);
    expect(headers.get("etag")).not.toBe((await app.get(`${API}/openapi.json`)).headers.get("etag"));
    expect((await app.get(`${API}/openapi.json?profile=other`)).json.components.schemas).toHaveProperty("ErrorAnswer");
  });

  test("a key is optional, but where bookings need one", async () => {
    const shop = appWith({ "bookings.require_api_key": true });
    const keyed: OpenApiDocument = (await shop.get(`${API}/openapi.json`)).json;
    for (const [{ paths, security }, needing] of [[document, []] as const, [keyed, ["book_appointment"]] as const]) {
      expect(security).toEqual([{}, { bearerKey: [] }, { headerKey: [] }]);
      const own = Object.values(paths)
        .flatMap((methods) => Object.values(methods))
        .filter((one) => one.security);
      expect(own.map(({ operationId }) => operationId)).toEqual([...needing]);
      for (const one of own) expect(one.security).toEqual([{ bearerKey: [] }, { headerKey: [] }]);
    }
  });

  test("it is at both addresses, the same", async () => {
    const app = testApp();
    const [one, other] = [await app.get(`${API}/openapi.json`), await app.get("/.well-known/openapi.json")];
    expect(other.text).toBe(one.text);
    expect(one.json.servers[0].url).toBe(CATALOG.site.base_url);
    expect(one.headers.get("etag")).toBe(other.headers.get("etag"));
  });

  test("its operations are those of the routes: all others hide, but for HEAD", () => {
    const app = createApp({
      catalog: { current: { catalog: CATALOG, hash: "0".repeat(64) } },
      store: openSqliteStore(":memory:"),
      log: pino({ level: "silent" }),
    });
    const own = app.routes.filter(({ method, hooks }) => method !== "HEAD" && !hooks.detail?.hide);
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${API}${path}`),
    );
    expect(own.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`).toSorted()).toEqual(
      operations.toSorted(),
    );
  });

  test("follows the catalog and the shop's day while the server runs", async () => {
    const app = testApp();
    const read = async (): Promise<OpenApiDocument> => (await app.get(`${API}/openapi.json`)).json;
    const sampleDay = ({ paths }: OpenApiDocument) =>
      paths["/bookings"]?.post?.requestBody?.content["application/json"]?.example;
    const first = await read();
    app.advance({ hours: 120 });
    expect(sampleDay(await read())).not.toEqual(sampleDay(first));
    app.setCatalog(catalogWith({ "business.name": "Other Films" }));
    const renamed = await read();
    expect(renamed.info.title).toBe("Other Films API");
    expect(JSON.stringify(renamed.paths)).toEqual(expect.stringContaining("Other Films"));
    app.setCatalog(withoutService("residential", "commercial", "security", "clearplex", "ceramic_coating"));
    expect(Object.keys((await read()).paths)).not.toContain("/flat-glass/estimate");
    app.setCatalog(CATALOG);
    expect(Object.keys((await read()).paths).toSorted()).toEqual(Object.keys(first.paths).toSorted());
  });

  test("every free text field has a maximum length", () => {
    for (const { id, input } of CAPABILITIES) {
      for (const [name, field] of Object.entries(jsonSchema(input(CATALOG), "input").properties ?? {})) {
        const bounded =
          field.type !== "string" ||
          field.enum ||
          field.maxLength ||
          field.format === "date" ||
          /date|time|^after$|^before$/.test(name);
        expect([id, name, Boolean(bounded)]).toEqual([id, name, true]);
      }
    }
  });
});

describe("the requests and answers", () => {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  type Document = any;
  const read = (): Document => document;
  /** Follows a reference; any other node is returned as it is. */
  const resolve = (document: Document, node: { $ref?: string }): Document =>
    node?.$ref ? resolve(document, at(document, node.$ref.slice(2))) : node;
  const at = (document: Document, path: string) => path.split("/").reduce((node, key) => node?.[key], document);
  const body = (document: Document, path: string) => {
    const content = resolve(document, document.paths[path].post.requestBody).content["application/json"];
    return { ...content, schema: resolve(document, content.schema) };
  };

  test("requires vehicle_type, service and film_type for an estimate, and elsewhere the fields that the server requires", () => {
    const document = read();
    for (const capability of CAPABILITIES.filter(({ method }) => method === "POST")) {
      const { schema, example } = body(document, capability.path);
      const required = jsonSchema(capability.input(CATALOG), "input").required ?? [];
      const formal = capability.id === "automotive_estimate" ? ["vehicle_type", "service", "film_type"] : required;
      expect([...schema.required].sort()).toEqual([...formal].sort());
      expect(example).toEqual({ ...capability.sample(CATALOG, NOW) });
    }
  });

  test("describes the status of each capability's success and of each of its errors", () => {
    const document = read();
    expect(document.components.schemas.ErrorCode.enum.toSorted()).toEqual(Object.keys(ERRORS).toSorted());
    for (const { method, path, status, errors, id } of CAPABILITIES) {
      const { responses } = document.paths[path][method.toLowerCase()];
      for (const code of [status, 401, 403, 405, 429, 500, ...errors.map((error) => ERRORS[error].status)]) {
        expect([id, code, String(code) in responses]).toEqual([id, code, true]);
      }
      for (const error of errors) {
        expect(resolve(document, responses[ERRORS[error].status]).description).toContain(error);
      }
    }
  });
});

describe("linters find nothing", () => {
  test(
    "Spectral, all rules of spectral:oas but that for examples",
    () => {
      // Redocly compares the examples with their schemas, in a fraction of the time.
      const rules = 'extends: [["spectral:oas", "all"]]\nrules: {oas3-valid-media-example: off}\n';
      using place = workplace(document, { "rules.yaml": rules });
      const args = ["lint", "--ruleset", "rules.yaml", "--fail-severity", "hint", "openapi.json"];
      const { exitCode, output } = run(require.resolve("@stoplight/spectral-cli/dist/index.js"), args, place.path);
      expect(output).toContain("No results with a severity of 'hint' or higher found!");
      expect(exitCode).toBe(0);
    },
    TOOL_MS,
  );

  test(
    "Redocly, recommended-strict",
    () => {
      using place = workplace(document);
      const { exitCode, output } = run(
        require.resolve("@redocly/cli/bin/cli.js"),
        ["lint", "--extends", "recommended-strict", "openapi.json"],
        place.path,
      );
      expect(output).toContain("Your API description is valid");
      expect(output).not.toMatch(/\bwarning/i);
      expect(exitCode).toBe(0);
    },
    TOOL_MS,
  );
});
