/** `bun run build [file] [target]` makes one executable: dist/tint, for this machine or a target like bun-linux-arm64. */
import type { BunPlugin } from "bun";

/** Code that takes the place of modules that Ink imports. */
const INSTEAD: Readonly<Record<string, string>> = {
  // React's developer tools, which Ink uses only with DEV set.
  "react-devtools-core": "export default {};",
  // The package compiles an expression of all emoji before the first screen. The screens measure with Bun as well.
  "string-width": "export default (text, options) => Bun.stringWidth(text, options);",
};
const insteadOfPackages: BunPlugin = {
  name: "instead-of-packages",
  setup(build) {
    const names = new RegExp(`^(${Object.keys(INSTEAD).join("|")})$`);
    build.onResolve({ filter: names }, ({ path }) => ({ path, namespace: "instead" }));
    build.onLoad({ filter: /.*/, namespace: "instead" }, ({ path }) => ({
      contents: INSTEAD[path] ?? "",
      loader: "js",
    }));
  },
};

const [, , outfile = "dist/tint", target] = process.argv;

// The moment that a release gives, so that the same source makes the same bytes: https://reproducible-builds.org/specs/source-date-epoch
const { SOURCE_DATE_EPOCH: epoch } = process.env;
const builtAt = epoch === undefined ? new Date() : new Date(Number(epoch) * 1000);

const { success, logs } = await Bun.build({
  entrypoints: ["cli/main.ts", "src/store/sqlite/writer-thread.ts"],
  // Side by side, where the program looks for its threads.
  naming: { entry: "[name].[ext]" },
  target: "bun",
  // The program reads the .env beside the catalog; Bun would read one in the working folder, and change values with a $.
  compile: {
    outfile,
    autoloadDotenv: false,
    autoloadBunfig: false,
    // Bun loads itself for another machine from the registry of npm.
    ...(target && { target: target as Bun.Build.CompileTarget }),
  },
  minify: true,
  bytecode: true,
  splitting: true,
  format: "esm",
  define: {
    "process.env.TINT_BUILD": JSON.stringify(builtAt.toISOString()),
    "process.env.NODE_ENV": JSON.stringify("production"),
  },
  plugins: [insteadOfPackages],
});
for (const log of logs) process.stderr.write(`${log}\n`);
process.exitCode = success ? 0 : 1;
