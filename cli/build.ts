/** `bun run build [file] [target]` compiles the program into one executable, dist/tint or the file, for this machine or a target like bun-linux-arm64. */
import type { BunPlugin } from "bun";

/** Ink imports React's developer tools by name but uses them only with DEV set, so an empty module takes their place. */
const withoutDevtools: BunPlugin = {
  name: "without-react-devtools",
  setup(build) {
    build.onResolve({ filter: /^react-devtools-core$/ }, ({ path }) => ({ path, namespace: "stub" }));
    build.onLoad({ filter: /.*/, namespace: "stub" }, () => ({ contents: "export default {}", loader: "js" }));
  },
};

const [, , outfile = "dist/tint", target] = process.argv;

const { success, logs } = await Bun.build({
  entrypoints: ["cli/main.ts", "src/store/sqlite/writer-thread.ts"],
  // Side by side, where the program looks for its thread.
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
    "process.env.TINT_BUILD": JSON.stringify(new Date().toISOString()),
    "process.env.NODE_ENV": JSON.stringify("production"),
  },
  plugins: [withoutDevtools],
});
for (const log of logs) process.stderr.write(`${log}\n`);
process.exitCode = success ? 0 : 1;
