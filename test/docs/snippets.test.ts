/** The code of README.md and docs/*.md, as written: typed under strict, bundled, and run. */
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url)).replaceAll("\\", "/");
const pages = ["README.md", ...readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md")).map((name) => `docs/${name}`)];

/** Code that is not a program: settings of bundlers, lines of a diff. */
const isFragment = (code: string): boolean => /^[-+] /m.test(code) || code.includes("await build({ ...");

interface Snippet {
  /** Page and line. */
  name: string;
  file: string;
  language: string;
  code: string;
}

/** Packages by entry, as package.json exports them, from the sources. */
const entries = Object.fromEntries(
  Object.entries((JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { exports: Record<string, string | { types: string }> }).exports)
    .filter(([, target]) => typeof target !== "string")
    .map(([entry, target]) => [entry.replace(/^\./, "osteon"), `${root}${(target as { types: string }).types.replace("./dist/", "src/").replace(".d.ts", ".ts")}`]),
);

const folder = mkdtempSync(join(tmpdir(), "osteon-docs-")).replaceAll("\\", "/");

/** Names that code declares at its top level, imports aside. */
function declared(code: string): string[] {
  const names = [...code.matchAll(/^function (\w+)/gm)].map(([, name]) => name!);
  for (const [, list] of code.matchAll(/^(?:const|let) (.*?)(?:;|$)/gm)) {
    const pattern = /^[{[](.*?)[}\]] =/.exec(list!);
    if (pattern !== null) names.push(...pattern[1]!.split(",").map((name) => name.trim()));
    else for (const [, name] of list!.replaceAll(/[([{](?:[^()[\]{}]|\([^()]*\))*[)\]}]/g, "").matchAll(/(?:^|, )(\w+)(?: =|$)/g)) names.push(name!);
  }
  return names;
}

/**
 * The blocks of a page as modules of their own. What a block names and does not declare comes from a block before it or its imports, or
 * from the page's scene in test/docs/scenes. A `frame` that takes the time alone is called
 * twice at the end.
 */
function snippetsOf(page: string): Snippet[] {
  const text = readFileSync(join(root, page), "utf8"), known = new Map<string, string>(), found: Snippet[] = [];
  const scene = `${root}test/docs/scenes/${page.replace(/^.*\//, "").replace(".md", "").toLowerCase()}`, hasScene = existsSync(`${scene}.ts`);
  if (hasScene) {
    for (const [, names] of readFileSync(`${scene}.ts`, "utf8").matchAll(/^export const (\w+|\{[^}]+\})/gm)) for (const [name] of names!.matchAll(/\w+/g)) known.set(name, `${scene}.js`);
  }
  for (const match of text.matchAll(/```(js|ts)\n([\s\S]*?)\n *```/g)) {
    const [, language, raw] = match, indent = /\n( *)$/.exec(text.slice(0, match.index))![1]!, code = raw!.replaceAll(new RegExp(`^${indent}`, "gm"), "");
    if (isFragment(code)) continue;
    const name = `${page}:${text.slice(0, match.index).split("\n").length + 1}`, file = `${folder}/${name.replaceAll(/\W+/g, "-")}.${language}`;
    const own = declared(code), imported = new Map<string, string>();
    for (const [, names, source] of code.matchAll(/^ *import \{([^}]+)\} from "([^"]+)"/gm)) for (const one of names!.split(",")) imported.set(one.trim(), source!);
    const bare = code.replaceAll(/(["'`])(?:\\.|(?!\1).)*\1|\/\/.*/g, "");
    const uses = [...known].filter(([one]) => !own.includes(one) && !imported.has(one) && new RegExp(`(?<![.\\w])${one}\\b(?! ?:)`).test(bare));
    const head = [...(hasScene ? [`import "${scene}.js";`] : []), ...uses.map(([one, source]) => `import { ${one} } from "${source}";`)].join(" ");
    found.push({ name, file, language: language!, code: `${head}\n${code}${/^function frame\([^,)]*\)/m.test(code) ? "\nframe(1 / 60);\nframe(1 / 60);" : ""}\nexport { ${own.join(", ")} };\n` });
    for (const [one, source] of imported) known.set(one, source);
    for (const one of own) known.set(one, file.replace(/ts$/, "js"));
  }
  return found;
}

const snippets = pages.flatMap(snippetsOf);

describe("the code of README.md and docs/", () => {
  const fetchBefore = globalThis.fetch, bitmapBefore = globalThis.createImageBitmap;

  beforeAll(async () => {
    vi.spyOn(console, "log").mockImplementation(() => {});
    for (const snippet of snippets) writeFileSync(snippet.file, snippet.code);
    // One build: all modules see one heap.
    await build({
      entryPoints: snippets.map(({ file }) => file), outdir: `${folder}/out`, bundle: true, splitting: true, format: "esm", platform: "node", target: "es2022", outExtension: { ".js": ".mjs" },
      alias: entries, external: ["onnxruntime-web"], nodePaths: [join(root, "node_modules")], logLevel: "silent", ignoreAnnotations: true, absWorkingDir: root,
    });
  });
  afterAll(() => {
    vi.restoreAllMocks();
    Object.assign(globalThis, { fetch: fetchBefore, createImageBitmap: bitmapBefore });
    rmSync(folder, { recursive: true, force: true });
  });

  it("is there", () => expect(snippets.length).toBeGreaterThan(25));

  it("has types under strict", async () => {
    const options = {
      target: "es2022", module: "esnext", moduleResolution: "bundler", lib: ["es2023", "dom", "dom.iterable", "esnext.disposable"], strict: true, skipLibCheck: true, noEmit: true,
      paths: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, [file]])), types: ["node"], typeRoots: [`${root}node_modules/@types`], useDefineForClassFields: false,
    };
    // JavaScript has no place to write the types of parameters.
    const projects = { ts: options, js: { ...options, allowJs: true, checkJs: true, noImplicitAny: false } };
    writeFileSync(`${folder}/peers.d.ts`, 'declare module "onnxruntime-web";\n');
    const outputs = Object.entries(projects).map(async ([language, compilerOptions]) => {
      const files = [...snippets.filter((one) => one.language === language).map(({ file }) => file), `${folder}/peers.d.ts`, `${root}src/anim/sprite/maxrects-packer.d.ts`];
      writeFileSync(`${folder}/${language}.json`, JSON.stringify({ compilerOptions, files }));
      return new Promise<string>((resolve) => {
        execFile(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", `${folder}/${language}.json`, "--pretty", "false"], { cwd: root }, (_, stdout) => resolve(stdout));
      });
    });
    expect((await Promise.all(outputs)).join("")).toBe("");
  });

  it.each(snippets)("runs: $name", async (snippet) => {
    await import(pathToFileURL(snippet.file.replace(/^(.*)\/(.*)\.[jt]s$/, "$1/out/$2.mjs")).href);
  });
});
