/** Every file, command and page that the pages for maintainers name exists. */
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { scripts } from "../package.json" with { type: "json" };

const ROOT = new URL("..", import.meta.url).pathname;
const PAGES = ["README.md", "CHANGELOG.md", ...new Bun.Glob("docs/**/*.md").scanSync({ cwd: ROOT })];

test.each(PAGES)("%s", (page) => {
  const text = readFileSync(join(ROOT, page), "utf8");
  const found = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = ""]) => name);
  // A name in capitals stands for one that the reader chooses.
  const paths = found(/`((?:src|cli|test|bench|docs)\/[\w./-]+)`/g).filter((path) => !/[A-Z]{4}\./.test(path));
  const map = found(/^((?:src|cli|test|bench|docs)\/[\w./-]*)(?:,.*?)? {2,}\S/gm);
  expect([...paths, ...map].filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);

  const links = found(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g);
  expect(links.filter((link) => !existsSync(join(ROOT, dirname(page), link)))).toEqual([]);

  const commands = found(/\bbun run ([\w:]+)/g);
  expect(commands.filter((name) => !(name in scripts))).toEqual([]);
});
