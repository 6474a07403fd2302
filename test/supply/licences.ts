/** The packages that the program is made of, with their licences. `bun run licences` writes them to docs/LICENCES.md. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const ROOT = join(import.meta.dir, "../..");
export const LIST = join(ROOT, "docs/LICENCES.md");

export interface Package {
  name: string;
  version: string;
  licence: string;
  /** Where it is installed. */
  folder: string;
}

interface PackageFile {
  name: string;
  version: string;
  license?: string | { type: string };
  licenses?: { type: string }[];
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

const read = (folder: string): PackageFile => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

/** The folder that an import from `folder` finds, as Node looks for it. */
function find(name: string, folder: string): string | undefined {
  const found = join(folder, "node_modules", name);
  if (existsSync(found)) return found;
  return folder === ROOT ? undefined : find(name, dirname(folder));
}

/** Everything that `dependencies` of package.json brings along; the tools of development are not part of the program. */
export function packagesOfTheProgram(): Package[] {
  const found = new Map<string, Package>();
  const visit = (folder: string) => {
    const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = read(folder);
    const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
    for (const name of [...Object.keys(dependencies), ...peers]) {
      const next = find(name, folder);
      if (next === undefined || found.has(next)) continue;
      found.set(next, { ...read(next), licence: licenceOf(read(next)), folder: next });
      visit(next);
    }
  };
  visit(ROOT);
  const unique = new Map([...found.values()].map((one) => [`${one.name} ${one.version}`, one]));
  return [...unique.values()].sort((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1));
}

export function licenceOf({ license, licenses }: Pick<PackageFile, "license" | "licenses">): string {
  const named = typeof license === "object" ? license.type : license;
  return named ?? licenses?.map(({ type }) => type).join(" OR ") ?? "none";
}

export function licencesPage(): string {
  const groups = [...Map.groupBy(packagesOfTheProgram(), ({ licence }) => licence)].sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  return [
    "# Licences",
    "",
    "Tintdesk is under the [MIT licence](../LICENSE). The program contains these packages. `bun run licences` writes this page, and",
    "`test/supply/packages.test.ts` checks that it is current.",
    ...groups.flatMap(([licence, packages]) => [
      "",
      `## ${licence}`,
      "",
      ...packages.map(({ name, version }) => `- ${name}@${version}`),
    ]),
    "",
  ].join("\n");
}

/** The texts of the licences, which ask to go with every copy. Bun's own page names the licences of what Bun contains. */
export function licenceTexts(): string {
  const bun = `Bun ${Bun.version}: MIT, Copyright Oven. The parts of Bun and their licences: https://bun.com/docs/project/license\n`;
  const parts = packagesOfTheProgram().map(({ name, version, licence, folder }) => {
    const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
    const texts = files.sort().map((file) => readFileSync(join(folder, file), "utf8").trim());
    return [`${name} ${version}: ${licence}`, ...texts].join("\n\n");
  });
  return `${[readFileSync(join(ROOT, "LICENSE"), "utf8").trim(), bun.trim(), ...parts].join(RULE)}\n`;
}

const RULE = `\n\n${"-".repeat(80)}\n\n`;

if (import.meta.main) writeFileSync(LIST, licencesPage());
