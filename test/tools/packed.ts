import { hash } from 'node:crypto';
import { basename } from 'node:path';
import { type BuildOptions, type Metafile, type OutputFile, type Plugin, build } from 'esbuild';

/** What a build with chunks made. */
interface Built {
  readonly outputFiles: readonly OutputFile[];
  readonly metafile: Metafile;
}

interface Packing {
  /** Entry points: the chunks that each starts with, and none before it, become one file. */
  readonly starts: readonly string[];
  /** Of the build that made the chunks. */
  readonly options: BuildOptions;
}

/**
 * Builds what a build made once more, for a faster start: to find, read and link a file takes about
 * 0.5 ms each, and an import of one of Node's modules wraps all that it exports, which also loads
 * what nobody needs. So there are fewer files, and Node's modules are taken as they are.
 */
export async function packed(
  { outputFiles, metafile }: Built,
  { starts, options }: Packing,
): Promise<readonly OutputFile[]> {
  const names = outputFiles
    .map(({ path }) => basename(path))
    .filter((name) => name.endsWith('.js'));
  const packs = packsOf(starts, metafile);
  const isPacked = (name: string): boolean => packs.some(({ chunks }) => chunks.includes(name));
  const files = [...packs.map(({ name }) => name), ...names.filter((name) => !isPacked(name))];
  const texts = new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
  const again = await build({
    ...options,
    entryPoints: files.map((name) => ({ in: name, out: placeOf(name) })),
    splitting: false,
    write: false,
    plugins: [withPacks({ packs, texts, exported: exportsIn(metafile) }), plainModules],
  });
  return [...again.outputFiles, ...outputFiles.filter(({ path }) => !path.endsWith('.js'))];
}

/** The files that one is loaded with, itself among them. */
export function loadedWith(
  path: string,
  outputs: Metafile['outputs'],
  seen = new Set<string>(),
): ReadonlySet<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  for (const one of outputs[path]?.imports ?? []) {
    if (one.kind === 'import-statement') loadedWith(one.path, outputs, seen);
  }
  return seen;
}

/** A file, and those that it takes the place of. */
interface Pack {
  readonly name: string;
  readonly chunks: readonly string[];
}

/** Like a chunk, a pack is named by its content: a program that runs goes on with its own. */
function packsOf(starts: readonly string[], { outputs }: Metafile): readonly Pack[] {
  const taken = new Set<string>();
  return starts.map((start) => {
    const found = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === start);
    if (found === undefined) throw new Error(`${start} is loaded by nobody, or with the rest`);
    const chunks = [...loadedWith(found, outputs)].filter(
      (path) => path in outputs && outputs[path]?.entryPoint === undefined && !taken.has(path),
    );
    for (const chunk of chunks) taken.add(chunk);
    const names = chunks.map((chunk) => basename(chunk));
    const mark = hash('sha256', names.join(' ')).slice(0, 8).toUpperCase();
    return { name: `${basename(start, '.ts')}-pack-${mark}.js`, chunks: names };
  });
}

function placeOf(name: string): string {
  const stem = basename(name, '.js');
  return stem === 'cli' ? stem : `chunks/${stem}`;
}

/** By file. */
type Exports = ReadonlyMap<string, readonly string[]>;

function exportsIn({ outputs }: Metafile): Exports {
  return new Map(Object.entries(outputs).map(([path, one]) => [basename(path), one.exports]));
}

interface Chunks {
  readonly packs: readonly Pack[];
  readonly texts: ReadonlyMap<string, string>;
  readonly exported: Exports;
}

/** What a pack exports has the number of its chunk: two chunks may use the same name. */
function withPacks({ packs, texts, exported }: Chunks): Plugin {
  const packWith = (name: string): Pack | undefined =>
    packs.find((pack) => pack.name === name || pack.chunks.includes(name));
  const numbered = (name: string): readonly (readonly [string, string])[] => {
    const number = packWith(name)?.chunks.indexOf(name);
    return (exported.get(name) ?? []).map((one) => [one, `${one}_${number}`]);
  };
  return {
    name: 'with-packs',
    setup(bundle) {
      bundle.onResolve({ filter: /\.js$/ }, ({ path, importer, kind }) => {
        const name = basename(path);
        const pack = packWith(name);
        if (kind === 'entry-point') {
          return { path: name, namespace: pack === undefined ? 'chunk' : 'pack' };
        }
        if (kind !== 'import-statement' || pack === undefined || pack.name === name) {
          return { path, external: true };
        }
        return { path: name, namespace: packWith(importer) === pack ? 'chunk' : 'packed' };
      });
      bundle.onLoad({ filter: /.*/, namespace: 'chunk' }, ({ path }) => ({
        contents: texts.get(path) ?? '',
      }));
      bundle.onLoad({ filter: /.*/, namespace: 'pack' }, ({ path }) => ({
        contents: (packWith(path)?.chunks ?? [])
          .map((name) => `export {${aliases(numbered(name))}} from './${name}';`)
          .join('\n'),
      }));
      // In the place of a chunk that is in a pack.
      bundle.onLoad({ filter: /.*/, namespace: 'packed' }, ({ path }) => {
        const back = numbered(path).map(([own, inPack]) => [inPack, own] as const);
        return { contents: `export {${aliases(back)}} from './${packWith(path)?.name}';` };
      });
    },
  };
}

function aliases(pairs: readonly (readonly [string, string])[]): string {
  return pairs.map(([from, to]) => `${from} as ${to}`).join();
}

/** Takes some ms to load, and what starts a search does without it: so its functions load it. */
const late = 'node:crypto';

/** Only what is used of a module is asked for. */
const plainModules: Plugin = {
  name: 'plain-modules',
  setup(bundle) {
    bundle.onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'plain' } : null,
    );
    bundle.onLoad({ filter: /.*/, namespace: 'plain' }, ({ path }) => {
      const found = `globalThis.process.getBuiltinModule('${path}')`;
      const isLate = ([name, value]: readonly [string, unknown]): boolean =>
        path === late && typeof value === 'function' && /^[a-z]/.test(name);
      const lines = Object.entries(process.getBuiltinModule(path) ?? {}).map((one) =>
        isLate(one)
          ? `export const ${one[0]} = (...given) => ${found}.${one[0]}(...given);`
          : `export const ${one[0]} = /* @__PURE__ */ (() => ${found}.${one[0]})();`,
      );
      return {
        contents: `${lines.join('\n')}\nexport default /* @__PURE__ */ (() => ${found})();`,
      };
    });
  },
};
