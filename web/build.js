// Bundles the page into the Python package: `node build.js`, or `make web`.
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const out = "../src/quiesce/web/static";
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const { metafile } = await build({
  entryPoints: { app: "src/main.ts" },
  outdir: out,
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  metafile: true,
  logLevel: "warning",
});
writeFileSync(`${out}/licences.txt`, licences(Object.keys(metafile.inputs)));
copyFileSync("src/icon.svg", `${out}/icon.svg`);
copyFileSync("src/index.html", `${out}/index.html`); // last: where it is, the rest is too

/** The licences of all packages that went into the bundle, one after the other. */
function licences(inputs) {
  const folders = new Set(inputs.map((path) => /^node_modules\/(@[^/]+\/)?[^/]+/.exec(path)?.[0]).filter(Boolean));
  return [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf-8"));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    if (!file || !existsSync(`${folder}/${file}`)) throw new Error(`${name} comes without its licence`);
    return `${name} ${version} (${license})\n\n${readFileSync(`${folder}/${file}`, "utf-8").trim()}\n`;
  }).join(`\n${"-".repeat(100)}\n\n`);
}
