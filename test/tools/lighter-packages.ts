// Leaves out of the bundled packages what nobody needs here, and has them do some things later.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));

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

/** Commander starts other programs as its commands; none of ours is one. */
const withoutPrograms: Plugin = {
  name: 'without-programs',
  setup(bundle) {
    bundle.onResolve({ filter: /^node:child_process$/ }, ({ path, importer }) =>
      importer.includes('/node_modules/commander/') ? { path, namespace: 'without' } : null,
    );
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

/** With zod's one name `z` comes all of it; with its names one by one, the half that is used. */
const zodByNames: Plugin = {
  name: 'zod-by-names',
  setup(bundle) {
    const filter = /\/(?:src\/.*\.tsx?|node_modules\/(?:@ai-sdk\/[\w-]+|ai)\/dist\/.*\.js)$/;
    bundle.onLoad({ filter }, ({ path }) => ({
      contents: withZodByNames(readFileSync(path, 'utf8')),
      loader: 'default',
    }));
  },
};

/** Imports `z` as the names of its module. */
export function withZodByNames(text: string): string {
  return text.replaceAll(
    /^import \{([^{}]*?)\bz(?: as (\w+))?\b,?([^{}]*)\} from (['"]zod(?:\/v4)?['"]);/gm,
    (_, before: string, name = 'z', after: string, from: string) => {
      const others = `${before}${after}`.trim();
      const rest = others === '' ? '' : ` import { ${others} } from ${from};`;
      return `import * as ${name} from ${from};${rest}`;
    },
  );
}

/** zod writes a program for a shape when it is first used; most shapes of a run are used a few times. */
const compiledLater: Plugin = {
  name: 'compiled-later',
  setup(bundle) {
    bundle.onLoad({ filter: /zod\/v4\/core\/schemas\.js$/ }, ({ path }) => {
      const parts = readFileSync(path, 'utf8').split(
        /(?<=let fastpass)(?=;)|(?<=jit && fastEnabled)(?= &&)/,
      );
      const [first, second, third, ...others] = parts;
      if (third === undefined || others.length > 0) throw new Error(`${path} is not as it was`);
      return { contents: `${first}, uses = 0${second} && (uses += 1) > 20${third}` };
    });
  },
};

/** A server checks what hosts answer by zod; the validator that its package brings is a quarter of its start. */
const withoutValidator: Plugin = {
  name: 'without-validator',
  setup(bundle) {
    bundle.onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, ({ path }) => ({
      path,
      namespace: 'unchecked',
    }));
    bundle.onLoad({ filter: /.*/, namespace: 'unchecked' }, () => ({
      contents: `export const { process } = globalThis;
export class DefaultJsonSchemaValidator {
  getValidator() {
    return (data) => ({ valid: true, data, errorMessage: undefined });
  }
}`,
    }));
  },
};

/**
 * Most texts are ASCII, one column a letter. The tables and expressions for all others take long to make,
 * so they wait for the first such text; and Ink measures each line anew in each frame.
 */
const laterWidths: Plugin = {
  name: 'later-widths',
  setup(bundle) {
    bundle.onResolve({ filter: /^(?:string-width|wrap-ansi)$/ }, ({ path, namespace }) =>
      namespace === 'later' ? null : { path, namespace: 'later' },
    );
    bundle.onLoad({ filter: /^string-width$/, namespace: 'later' }, () => ({
      resolveDir: root,
      contents: `const [known, most, longest] = [new Map(), 1_000, 400];
export default function stringWidth(text, options) {
  if (/^[\x20-\x7E]*$/.test(text)) return text.length;
  const measure = require('string-width').default;
  if (options !== undefined || text.length > longest) return measure(text, options);
  const found = known.get(text);
  if (found !== undefined) return found;
  if (known.size === most) known.clear();
  const width = measure(text);
  known.set(text, width);
  return width;
}`,
    }));
    bundle.onLoad({ filter: /^wrap-ansi$/, namespace: 'later' }, () => ({
      resolveDir: root,
      contents: `export default function wrapAnsi(text, columns, options) {
  return require('wrap-ansi').default(text, columns, options);
}`,
    }));
  },
};

/** string-width takes each frame and dash for an emoji that it might be; the expression takes long to compile. */
const plainWidths: Plugin = {
  name: 'plain-widths',
  setup(bundle) {
    bundle.onLoad({ filter: /string-width\/index\.js$/ }, ({ path }) => ({
      contents: changed(path, '[\\u0020-\\u007E]*', `[${narrowLetters}]*`),
    }));
  },
};

/** Letters that have one column each and join no other: Latin, dashes, arrows, frames, marks. */
export const narrowLetters =
  '\\u0020-\\u007E\\u00A1-\\u00AC\\u00AE-\\u02FF\\u2010-\\u2027\\u2190-\\u2319\\u2460-\\u25FC\\u270C-\\u2727';

/** Yoga asks `fetch` for the program that is in its own file, and that loads all of HTTP. */
const withoutFetch: Plugin = {
  name: 'without-fetch',
  setup(bundle) {
    bundle.onLoad({ filter: /yoga-wasm-base64-esm\.js$/ }, ({ path }) => ({
      contents: changed(
        path,
        'function ya(){',
        'function ya(){return Promise.resolve(Buffer.from(H.slice(37),"base64"));',
      ),
    }));
  },
};

/** The text of a file with one place of it changed. */
function changed(path: string, from: string, to: string): string {
  const [before, after, ...others] = readFileSync(path, 'utf8').split(from);
  if (after === undefined || others.length > 0) throw new Error(`${path} is not as it was`);
  return before + to + after;
}

export const lighterPackages: readonly Plugin[] = [
  withoutDevtools,
  withoutPrograms,
  englishOnly,
  zodByNames,
  compiledLater,
  withoutValidator,
  laterWidths,
  plainWidths,
  withoutFetch,
];
