// Bundles the page into the Python package: `node build.js`, or `make web`.
import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import { build } from "esbuild";

const out = "../src/quiesce/web/static";
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
await build({
  entryPoints: { app: "src/main.ts" },
  outdir: out,
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  legalComments: "linked",
  logLevel: "warning",
});
copyFileSync("src/icon.svg", `${out}/icon.svg`);
copyFileSync("src/index.html", `${out}/index.html`); // last: where it is, the rest is too
