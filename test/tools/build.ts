import {
  chmodSync,
  readFileSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, type Metafile, type Plugin, build } from 'esbuild';
import { loadedWith, packed } from './packed.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const dist = join(root, 'dist');
const entry = join(dist, 'cli.js');

/** What only the terminal UI loads: it would make every other command slow. */
const heavy = /node_modules\/(?:ink|react|react-reconciler|yoga-layout)\//;
const terminalUi = 'src/commands/at-terminal.ts';
/** What a search starts with does without checks of settings: they take as long as the rest. */
const checks = /node_modules\/zod\//;
const quick = ['code-cache', 'working-folder', 'context', 'context-search'].map(
  (name) => `src/commands/${name}.ts`,
);
/** What is loaded for a search, one after the other; each becomes one file with all it needs. */
const starts = ['code-cache', 'context', 'context-search'].map((name) => `src/commands/${name}.ts`);
const widths = 'src/faces/tui/string-width.ts';
const kernel = 'src/context/local/kernel.wasm';

/** Only commands that are programs of their own need it, and we have none: it takes 2 ms to load. */
const leanCommander: Plugin = {
  name: 'lean-commander',
  setup(bundle) {
    bundle.onResolve({ filter: /^node:child_process$/ }, ({ path, importer }) =>
      importer.includes('node_modules/commander/') ? { path, namespace: 'lean' } : null,
    );
    bundle.onLoad({ filter: /.*/, namespace: 'lean' }, ({ path }) => ({
      contents: `export default { get spawn() { return process.getBuiltinModule('${path}').spawn; } };`,
    }));
  },
};

/** Ink loads its developer tools where `DEV` is set; in a bundle they would crash. */
const withoutDevtools: Plugin = {
  name: 'without-devtools',
  setup(bundle) {
    bundle.onResolve({ filter: /^\.\/devtools\.js$/ }, ({ path }) => ({
      path,
      namespace: 'without',
    }));
    bundle.onLoad({ filter: /.*/, namespace: 'without' }, () => ({
      contents: 'export default {};',
    }));
  },
};

/** zod brings its messages in fifty languages, a half of its size; the English ones are used. */
const englishOnly: Plugin = {
  name: 'english-only',
  setup(bundle) {
    bundle.onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
  },
};

/** What Ink draws is measured by our own quicker way to the same widths. */
const quickWidths: Plugin = {
  name: 'quick-widths',
  setup(bundle) {
    bundle.onResolve({ filter: /^string-width$/ }, ({ importer }) =>
      importer.includes('node_modules') ? { path: join(root, widths) } : null,
    );
  },
};

/** Bundles `src/cli.ts` into `dist/`: a small entry, and chunks that are loaded when needed. */
refuseOldNode();
const options: BuildOptions = {
  absWorkingDir: root,
  entryPoints: [
    'src/cli.ts',
    // A thread is started from a file of its own.
    { in: 'src/context/local/index-worker.ts', out: 'chunks/index-worker' },
  ],
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  chunkNames: 'chunks/[name]-[hash]',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'external',
  external: ['@vscode/ripgrep'],
  jsx: 'automatic',
  define: { 'process.env.NODE_ENV': '"production"' },
  plugins: [leanCommander, withoutDevtools, englishOnly, quickWidths],
  logLevel: 'silent',
};
const built = await build({ ...options, metafile: true, write: false });
checkEntry(built.metafile);
checkInputs(built.metafile);
const faster = await packed(built, { starts, options });
writeAll([
  ...faster.map(({ path, text }) => ({ path, contents: withRequire(text) })),
  { path: join(dist, 'chunks/kernel.wasm'), contents: readFileSync(join(root, kernel)) },
]);

function refuseOldNode(): void {
  if (Number(process.versions.node.split('.')[0]) >= 24) return;
  throw new Error(`The build needs Node 24 or newer, this is ${process.version}: npm run build`);
}

// An import of a chunk would be loaded before the Node version is looked at.
function checkEntry({ outputs }: Metafile): void {
  const imports = outputs['dist/cli.js']?.imports ?? [];
  const early = imports.filter((one) => one.kind === 'import-statement' && one.external !== true);
  if (imports.length === 0 || early.length > 0) {
    throw new Error(`dist/cli.js must load its chunks lazily, not ${JSON.stringify(early)}`);
  }
}

/** Every part but the terminal UI must do without what is heavy, and some without checks. */
function checkInputs({ outputs }: Metafile): void {
  for (const [path, { entryPoint }] of Object.entries(outputs)) {
    if (entryPoint === undefined || entryPoint === terminalUi) continue;
    const loaded = [...loadedWith(path, outputs)];
    const found = loaded.flatMap((one) => Object.keys(outputs[one]?.inputs ?? {}));
    const isQuick = quick.includes(entryPoint);
    const wrong = found.find((input) => heavy.test(input) || (isQuick && checks.test(input)));
    if (wrong !== undefined) throw new Error(`${entryPoint} must do without ${wrong}`);
  }
}

// Chunks first and the entry last, each in one move: a process that starts meanwhile finds either
// the old program or the new one.
function writeAll(
  files: readonly { readonly path: string; readonly contents: string | Buffer }[],
): void {
  for (const file of files.toSorted(
    (a, b) => Number(a.path === entry) - Number(b.path === entry),
  )) {
    mkdirSync(dirname(file.path), { recursive: true });
    const temporary = `${file.path}.${process.pid}.tmp`;
    writeFileSync(temporary, file.contents);
    if (file.path === entry) chmodSync(temporary, 0o755);
    renameSync(temporary, file.path);
  }
  removeLeftovers(new Set(files.map((file) => file.path)));
}

// A CommonJS dependency that asks for one of Node's modules finds no `require` in an ES module.
function withRequire(text: string): string {
  if (!text.includes('Dynamic require of')) return text;
  return (
    "import{createRequire as conclaveRequire}from'node:module';" +
    `const require=conclaveRequire(import.meta.url);\n${text}`
  );
}

function removeLeftovers(wanted: ReadonlySet<string>): void {
  for (const found of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    const path = join(found.parentPath, found.name);
    if (found.isFile() && !wanted.has(path) && !isBeingWritten(path)) rmSync(path, { force: true });
  }
}

function isBeingWritten(path: string): boolean {
  return /\.\d+\.tmp$/.test(basename(path)) && !path.endsWith(`.${process.pid}.tmp`);
}
