/** Preloaded into a program: it then knows two more versions of the tables. The second change needs the first. */
import { readFileSync } from "node:fs";
import { plugin } from "bun";

const CHANGES = ["ALTER TABLE leads ADD COLUMN made_up TEXT", "UPDATE leads SET made_up = reference"];
const MADE_UP = CHANGES.map((sql) => `() => "${sql}",`).join(" ");

plugin({
  name: "next version",
  setup(build) {
    build.onLoad({ filter: /\/src\/store\/migrations\.ts$/ }, ({ path }) => {
      const source = readFileSync(path, "utf8");
      const contents = source.replace(/(const MIGRATIONS: readonly Template\[\] = \[.*?)\];/s, `$1${MADE_UP}];`);
      if (contents === source) throw new Error("the list of migrations is not where it was");
      return { contents, loader: "ts" };
    });
  },
});
