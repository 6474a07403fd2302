/** The OpenAPI document: @elysiajs/swagger assembles it from the routes' own operations, and answers. */
import { swagger } from "@elysiajs/swagger";
import type { Shop } from "../catalog/shop.ts";
import { API_PREFIX } from "../constants.ts";
import { queryOf } from "./input.ts";
import { byDay, cached, getAndHead, represent, sendRepresentation } from "./representation.ts";
import type { RequestContext } from "./request-context.ts";
import { type DetailOf, otherMethods, pathPlugin } from "./routes.ts";

type Documentation = NonNullable<NonNullable<Parameters<typeof swagger>[0]>["documentation"]>;

/** The operations by path, from the address of the API, and method; and the rest of the document. */
interface Description {
  paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

const PATH = `${API_PREFIX}/openapi.json`;
const TYPE = "application/json";

/**
 * @param make what the document says; made anew when the catalog or the shop's day changes
 * @param forTools the form of the document that function calling takes, for `?profile=tools`
 */
export function createOpenApi(
  make: (catalog: Shop, now: Temporal.Instant) => Promise<Description>,
  forTools: (document: string) => Promise<object>,
) {
  const made = cached(({ catalog, now }: RequestContext) => make(catalog, now), byDay);
  /** The plugin reads this object, and the details of routes read `operations`, whenever it answers. */
  const documentation: Documentation = {};
  let operations: Description["paths"] = {};
  // Its own page loads scripts from other hosts. The document has the same path, and takes its place.
  const documents = swagger({ path: PATH, specPath: PATH, excludeMethods: ["HEAD"], documentation });

  const whole = cached(async (text: string) => represent(text, TYPE), sameText);
  const tools = cached(async (text: string) => represent(JSON.stringify(await forTools(text)), TYPE), sameText);
  /** The plugin names whole paths, also of what this shop does not offer. */
  const written = ({ paths, ...rest }: Description) => {
    const own = Object.entries(paths).map(([path, methods]) => [path.slice(API_PREFIX.length), methods] as const);
    return JSON.stringify({ ...rest, paths: Object.fromEntries(own.filter(([path]) => operations[path])) });
  };
  /** Asks the plugin, where its route is not the one that answers. */
  const assembled = async (): Promise<object> =>
    (await documents.handle(new Request(`http://localhost${PATH}`))).json() as Promise<object>;
  const plugin = pathPlugin();
  plugin
    .onBeforeHandle(async ({ call }) => {
      const { paths, ...rest } = await made(call);
      operations = paths;
      Object.assign(documentation, rest);
    })
    .onAfterHandle(async ({ call, set, responseValue }) => {
      const isForTools = new URLSearchParams(queryOf(call.request)).get("profile") === "tools";
      const representation = await (isForTools ? tools : whole)(written(responseValue as Description));
      return sendRepresentation({ call, set }, representation);
    })
    .use(documents)
    .head(PATH, assembled);
  getAndHead(plugin, "/.well-known/openapi.json", assembled);

  return {
    plugin: pathPlugin().use(plugin).use(otherMethods),
    /** They are written when the document is. */
    detailOf: ((method, path) =>
      Object.assign({ hide: false }, { toJSON: () => operations[path]?.[method.toLowerCase()] })) satisfies DetailOf,
  };
}

function sameText(text: string): readonly string[] {
  return [text];
}
