/**
 * How wide a request is: which functions of which files of src run for it, and how often. `bun bench/width.ts [--list]`
 * Puts a call at the head of every function as its file is loaded. `test/process/width.test.ts` holds the budget.
 */
import { relative } from "node:path";
import { plugin } from "bun";
import ts from "typescript-5";

const ROOT = new URL("..", import.meta.url).pathname;

interface Width {
  name: string;
  status: number;
  functions: number;
  files: number;
  calls: number;
  /** Each function, and how often it ran. */
  list: string[];
}

let ran: string[] | undefined;
Object.assign(globalThis, { ranFunction: (at: string) => ran?.push(at) });

plugin({
  name: "width",
  setup(build) {
    build.onLoad({ filter: new RegExp(`^${ROOT}src/.*\\.tsx?$`) }, async ({ path }) => ({
      contents: counted(await Bun.file(path).text(), relative(ROOT, path)),
      loader: path.endsWith("x") ? "tsx" : "ts",
    }));
  },
});

/** The text of a file with a call at the head of every function. */
function counted(text: string, file: string): string {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const insertions: [at: number, text: string][] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && "body" in node && node.body) {
      const body = node.body as ts.Node;
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      const call = `ranFunction(${JSON.stringify(`${file}:${line + 1} ${nameOf(node, source)}`)})`;
      if (ts.isBlock(body)) insertions.push([body.getStart(source) + 1, `${call};`]);
      else insertions.push([body.getStart(source), `(${call}, `], [body.getEnd(), ")"]);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  let out = "";
  let from = 0;
  for (const [at, insertion] of insertions.sort(([a], [b]) => a - b)) {
    out += text.slice(from, at) + insertion;
    from = at;
  }
  return `declare const ranFunction: (at: string) => void;${out}${text.slice(from)}`;
}

function nameOf(node: ts.Node, source: ts.SourceFile): string {
  const named = ts.isVariableDeclaration(node.parent) || ts.isPropertyAssignment(node.parent) ? node.parent : node;
  return ("name" in named && (named.name as ts.Node | undefined)?.getText(source)) || "~";
}

/** What runs for a request, once everything is loaded. @param body of the nth request: no two are alike */
async function measured(
  name: string,
  send: (path: string, body: object) => Promise<{ status: number }>,
  path: string,
  body: (nth: number) => object,
): Promise<Width> {
  for (let nth = 0; nth < 2; nth++) await send(path, body(nth));
  const calls: string[] = [];
  ran = calls;
  const { status } = await send(path, body(2));
  ran = undefined;
  const times = Map.groupBy(calls, (at) => at);
  return {
    name,
    status,
    functions: times.size,
    files: new Set(calls.map((at) => at.split(":")[0])).size,
    calls: calls.length,
    list: [...times].map(([at, all]) => (all.length > 1 ? `${at} ×${all.length}` : at)),
  };
}

const JOB = { vehicle_type: "crossover", film_type: "ceramic", coverage: "full", shade: 35 };
const CAR = { ...JOB, vehicle_year: 2022, vehicle_make: "Honda", addons: ["windshield_strip"] };

/** The widths of an estimate, a brief one, a typo and a booking. */
async function widths(): Promise<Width[]> {
  const { API, testApp } = await import("../test/helpers.ts");
  // In memory, so that the write of a booking runs in this thread and is counted, too.
  const app = testApp({ checkAnswers: false });
  let network = 0;
  const send = (path: string, body: object) => app.post(API + path, body, { from: `192.0.2.${++network}` });
  const { json } = await app.get(`${API}/availability?vehicle_type=crossover&film_type=ceramic&days=20&view=compact`);
  const open = json.data.days.flatMap((day: { date: string; open: string[] }) =>
    day.open.slice(0, 1).map((time) => ({ date: day.date, time })),
  );
  const booking = (nth: number) => ({
    ...open[nth],
    ...JOB,
    customer_name: "Pat Example",
    customer_phone: `+1404555010${nth}`,
    customer_email: `pat${nth}@customers.example`,
    booking_request_id: `width-${nth}`,
    consent: { confirmed_by_user: true },
  });
  const all = [
    await measured("estimate", send, "/estimates", (nth) => ({ ...CAR, vehicle_model: `CR-V Touring ${nth}` })),
    await measured("brief", send, "/estimates", (nth) => ({ ...CAR, vehicle_model: `CR-V ${nth}`, view: "brief" })),
    await measured("typo", send, "/estimates", (nth) => ({
      ...CAR,
      vehicle_model: `${nth}`,
      vehicle_type: "crosover",
    })),
    await measured("booking", send, "/bookings", booking),
  ];
  await app.store.close();
  return all;
}

for (const { list, ...width } of await widths()) {
  console.log(JSON.stringify(width));
  if (process.argv.includes("--list")) console.log(list.map((at) => `  ${at}`).join("\n"));
}
