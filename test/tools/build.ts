import {
  chmodSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, type Metafile, type Plugin, build } from 'esbuild';
import { libraryTypes } from './library-types.ts';
import { lighterPackages, withZodByNames } from './lighter-packages.ts';
import { mcpOpening } from './mcp-opening.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const dist = join(root, 'dist');
const entry = join(dist, 'cli.js');

const packages = (names: string) => new RegExp(`node_modules/(?:${names})/`);

/** The modules that are on the way to the first thing a person or a host sees, and the packages that must wait. */
const starts = [
  [
    'src/commands/command-line.ts',
    packages(
      'ai|@ai-sdk|@modelcontextprotocol|ink|react|react-reconciler|yoga-layout|zod|ajv|execa|xstate',
    ),
  ],
  [
    'src/mcp/server.ts',
    packages(
      'ai|@ai-sdk|@modelcontextprotocol|commander|ink|react|zod|ajv|execa|xstate|lowdb|smol-toml|jsonc-parser|jsonrepair',
    ),
  ],
  [
    'src/faces/tui/open-screens.tsx',
    packages(
      'ai|@ai-sdk|@modelcontextprotocol|zod|ajv|execa|xstate|lowdb|smol-toml|jsonc-parser|jsonrepair',
    ),
  ],
] as const;

/**
 * Each chunk takes half a millisecond to load, and a bundler makes one for each set of users that some
 * modules have. So a small chunk joins another one that all its users load, where the other users of that
 * one load little more for it: those users import its modules, too.
 */
function inFewChunks(metafile: Metafile): Plugin {
  const imports = joined(metafile);
  return {
    name: 'in-few-chunks',
    setup(bundle) {
      bundle.onLoad({ filter: /src\/.*\.tsx?$/ }, ({ path }) => {
        const own = imports.get(relative(root, path));
        if (own === undefined) return null;
        const lines = [...own].map((one) => `import ${JSON.stringify(join(root, one))};\n`);
        const text = withZodByNames(readFileSync(path, 'utf8'));
        return { contents: lines.join('') + text, loader: 'default' };
      });
    },
  };
}

/** A chunk up to this size, in bytes, joins another one, and brings other users at most so much more. */
const smallChunk = 12_000;

interface Chunk {
  readonly users: ReadonlySet<string>;
  readonly modules: readonly string[];
  readonly size: number;
  /** True for modules of ours that build no shapes of zod when they are loaded, which takes longer than their size tells. */
  readonly isLight: boolean;
}

/** The modules that each module that begins something is to import besides its own. */
function joined(metafile: Metafile): ReadonlyMap<string, ReadonlySet<string>> {
  const graph = graphOf(metafile);
  const { loads, needs } = graph;
  const more = new Map([...loads.keys()].map((path) => [path, new Set<string>()]));
  const give = (user: string, modules: Iterable<string>) => {
    for (const one of modules) {
      if (loads.get(user)?.has(one) === true) continue;
      loads.get(user)?.add(one);
      // What a plugin makes has no file; it comes along with the module that asks for it.
      if (!one.includes(':')) more.get(user)?.add(one);
    }
  };
  // The command line is loaded before any command, and what it shares with some is loaded then.
  const isShared = (one: string) => [...loads.values()].filter((own) => own.has(one)).length > 1;
  const start = [...needs('src/commands/command-line.ts')].filter(isShared);
  for (const user of loads.keys()) if (isOpen(user)) give(user, start);
  for (;;) {
    const best = cheapestJoin(chunksOf(loads, graph), needs);
    if (best === null) return more;
    for (const user of best.host.users) for (const one of best.chunks) give(user, one.modules);
  }
}

/** The cheapest way for the smallest chunk that can join another one, with the chunks that it needs; null if none can. */
function cheapestJoin(all: readonly Chunk[], needs: (path: string) => ReadonlySet<string>) {
  const home = new Map(all.flatMap((chunk) => chunk.modules.map((one) => [one, chunk])));
  const open = all.filter(({ users }) => [...users].every(isOpen));
  for (const chunk of open.toSorted((one, other) => one.size - other.size)) {
    if (chunk.size > smallChunk) return null;
    const paths = chunk.modules.flatMap((one) => [...needs(one)]);
    const chunks = new Set(paths.flatMap((path) => home.get(path) ?? []));
    const joins = open
      .filter(({ users }) => users.size > chunk.users.size)
      .filter(({ users }) => [...chunk.users].every((user) => users.has(user)))
      // Of two modules that import each other, one would begin too early.
      .filter(({ users }) => paths.every((one) => !users.has(one)))
      .map((host) => ({ host, chunks, cost: host.users.size * mostExtra(host, chunks) }))
      .filter(({ host, cost }) => cost <= host.users.size * smallChunk)
      .toSorted((one, other) => one.cost - other.cost);
    if (joins[0] !== undefined) return joins[0];
  }
  return null;
}

/** What some user of a chunk would load more with others, in bytes; shapes, or a package, that it does not need are too much. */
function mostExtra({ users }: Chunk, others: ReadonlySet<Chunk>): number {
  let most = 0;
  for (const user of users) {
    let extra = 0;
    for (const one of others) if (!one.users.has(user)) extra += one.isLight ? one.size : Infinity;
    most = Math.max(most, extra);
    if (most > smallChunk) break;
  }
  return most;
}

/** The modules that begin something, what each loads at once, and the size of each module. */
function graphOf({ inputs, outputs }: Metafile) {
  const sizes = new Map(
    Object.values(outputs).flatMap((one) =>
      Object.entries(one.inputs).map(([path, { bytesInOutput }]) => [path, bytesInOutput] as const),
    ),
  );
  const known = new Map<string, Set<string>>();
  const needs = (path: string): Set<string> => new Set(known.get(path) ?? follow(path));
  const follow = (path: string): Set<string> => {
    const found = new Set([path]);
    // A set that grows is walked to its new end.
    for (const one of found)
      for (const { kind, external, path: next } of inputs[one]?.imports ?? [])
        if (kind !== 'dynamic-import' && external !== true) found.add(next);
    // What is left of some modules is nothing.
    const used = new Set([...found].filter((one) => sizes.has(one)));
    known.set(path, used);
    return used;
  };
  const begins = Object.values(outputs).flatMap(({ entryPoint = [] }) => entryPoint);
  const shaping = new Set(
    Object.keys(inputs).filter((path) =>
      inputs[path]?.imports.some((one) => one.path.includes('node_modules/zod/')),
    ),
  );
  return { sizes, shaping, needs, loads: new Map(begins.map((path) => [path, needs(path)])) };
}

/** The chunks of a bundler: the modules that the same ones use. */
function chunksOf(
  loads: ReadonlyMap<string, ReadonlySet<string>>,
  { sizes, shaping }: Pick<ReturnType<typeof graphOf>, 'sizes' | 'shaping'>,
): readonly Chunk[] {
  const users = new Map<string, Set<string>>();
  for (const [user, modules] of loads)
    for (const one of modules) users.set(one, (users.get(one) ?? new Set()).add(user));
  const groups = Map.groupBy(users.keys(), (path) => [...(users.get(path) ?? [])].join());
  return [...groups.values()].map((modules) => ({
    modules,
    users: users.get(modules[0] ?? '') ?? new Set(),
    size: modules.reduce((sum, one) => sum + (sizes.get(one) ?? 0), 0),
    isLight: modules.every((one) => one.startsWith('src/') && !shaping.has(one)),
  }));
}

/** True for a module that may import more: not for the entries of processes and the list of commands, which load little. */
function isOpen(path: string): boolean {
  return path.startsWith('src/') && !closed.test(path);
}

const closed = /^src\/(?:cli|commands\/command-line|agents\/process\/run-watcher)\.ts$/;

/**
 * Bundles `src/cli.ts` into `dist/`: a small entry, and chunks that are loaded when needed. The library
 * has chunks of its own: it would cut those of the program into more, which take longer to load.
 */
refuseOldNode();
const options: BuildOptions = {
  absWorkingDir: root,
  entryPoints: ['src/cli.ts', 'src/agents/process/run-watcher.ts'],
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
  // The other form of it cannot be bundled.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  jsx: 'automatic',
  define: { 'process.env.NODE_ENV': '"production"' },
  plugins: [...lighterPackages],
  logLevel: 'silent',
};
const apart = await build({ ...options, metafile: true, write: false });
const built = await build({
  ...options,
  plugins: [inFewChunks(apart.metafile), ...lighterPackages],
  metafile: true,
  write: false,
});
const library = await build({
  ...options,
  entryPoints: ['src/library/library-agents.ts', 'src/library/library-sessions.ts'],
  outdir: 'dist/library',
  write: false,
});
// The page of a review, as a script for browsers.
const page = await build({
  absWorkingDir: root,
  entryPoints: ['src/faces/web/page-entry.ts'],
  outfile: join(dist, 'page.js'),
  bundle: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2024',
  minify: true,
  jsx: 'automatic',
  legalComments: 'none',
  write: false,
  logLevel: 'silent',
});
checkEntry(built.metafile);
checkStarts(built.metafile);
writeAll([
  ...page.outputFiles.map(({ path, text }) => ({ path, contents: text })),
  ...[...library.outputFiles, ...built.outputFiles].map(({ path, text }) => ({
    path: withKnownKind(path),
    contents: withKnownKind(withPlainLetters(withLightImports(withRequire(text)))),
  })),
  ...Array.from(libraryTypes(), ([name, contents]) => ({
    path: join(dist, 'library', name),
    contents,
  })),
  { path: join(dist, 'mcp-opening.json'), contents: await mcpOpening() },
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

/** The command line and the terminal UI start without the packages that only later work needs. */
function checkStarts({ outputs }: Metafile): void {
  for (const [module, late] of starts) {
    const start = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === module);
    if (start === undefined) throw new Error(`no chunk begins with ${module}`);
    const inputs = loadedWith(start, outputs).flatMap((path) =>
      Object.keys(outputs[path]?.inputs ?? {}),
    );
    const early = inputs.find((input) => late.test(input));
    if (early !== undefined) throw new Error(`${module} must load ${early} only when it is needed`);
  }
}

/** A chunk and all that it imports at once. */
function loadedWith(
  path: string,
  outputs: Metafile['outputs'],
  known = new Set<string>(),
): string[] {
  if (known.has(path)) return [];
  known.add(path);
  const imports = outputs[path]?.imports ?? [];
  const next = imports.filter(({ kind, external }) => kind === 'import-statement' && !external);
  return [path, ...next.flatMap((one) => loadedWith(one.path, outputs, known))];
}

// Chunks first and the entry last, each in one move: a process that starts meanwhile finds either
// the old program or the new one.
function writeAll(files: readonly { readonly path: string; readonly contents: string }[]): void {
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

// For each `.js` Node looks in the package whether it is a module; `.mjs` says so itself.
function withKnownKind(text: string): string {
  return text.replaceAll(/(?<=\/[\w-]+-[A-Z0-9]{8})\.js(?="|$)/g, '.mjs');
}

// A CommonJS dependency that asks for one of Node's modules finds no `require` in an ES module.
function withRequire(text: string): string {
  if (!text.includes('Dynamic require of')) return text;
  const module = 'globalThis.process.getBuiltinModule("node:module")';
  return `const require=${module}.createRequire(import.meta.url);\n${text}`;
}

// An import of one of Node's modules reads each of its exports, which loads much that nobody asked
// for: `node:fs` alone brings its promises, and these bring readline and the history of a REPL.
function withLightImports(text: string): string {
  const statement =
    /(?<=^|[;}\n])import ?(?:([\w$]+)|(?:([\w$]+),)?(\{[^{}"]*\})|\*as ([\w$]+)) ?from"([\w:/]+)"/g;
  return text.replaceAll(statement, (whole, only, first, names, all, path) => {
    if (!isBuiltin(path)) return whole;
    const module = `globalThis.process.getBuiltinModule("${path}")`;
    const one = only ?? all ?? first;
    const some = names === undefined ? [] : [`${names.replaceAll(' as ', ':')}=${one ?? module}`];
    return `var ${[...(one === undefined ? [] : [`${one}=${module}`]), ...some].join()}`;
  });
}

// One letter beyond Latin-1, in a regular expression, and V8 keeps two bytes for each of a file.
function withPlainLetters(text: string): string {
  return text.replaceAll(
    /[^\0-\u00ff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
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
