import { isObject, jsonIn } from '../../../model/json.ts';
import type { Found, ProjectFolder } from './project-folder.ts';

const language = 'javascript';

const locks: Readonly<Record<string, string>> = {
  'package-lock.json': 'npm',
  'npm-shrinkwrap.json': 'npm',
  'yarn.lock': 'yarn',
  'pnpm-lock.yaml': 'pnpm',
  'bun.lock': 'bun',
  'bun.lockb': 'bun',
};

/** Scripts by what they are for, the likeliest name first. */
const scripts = {
  build: ['build', 'compile'],
  test: ['test', 'test:unit', 'tests'],
  lint: ['lint', 'eslint'],
  types: ['types', 'typecheck', 'type-check', 'check-types', 'tsc'],
  format: ['format:check', 'format', 'prettier'],
} as const;

/** `package.json` with the lock file beside or above it, and `deno.json`. */
export async function javascriptFacts(place: ProjectFolder): Promise<readonly Found[]> {
  return [...(await npmFacts(place)), ...(await denoFacts(place))];
}

async function npmFacts(place: ProjectFolder): Promise<readonly Found[]> {
  const source = 'package.json';
  const manifest = place.has(source) ? jsonIn((await place.read(source)) ?? '') : undefined;
  if (!isObject(manifest)) return [];
  const manager = managerOf(place, manifest['packageManager']);
  const own = isObject(manifest['scripts']) ? manifest['scripts'] : {};
  const commands = Object.entries(scripts).flatMap(([kind, names]) => {
    const name = names.find((one) => isScript(own[one]));
    if (name === undefined || !isKind(kind)) return [];
    return [{ kind, value: runOf(manager?.value ?? 'npm', name), language, source }];
  });
  return [...(manager === null ? [] : [manager]), ...commands];
}

function isKind(kind: string): kind is keyof typeof scripts {
  return Object.hasOwn(scripts, kind);
}

/** What `npm init` writes is no test. */
function isScript(script: unknown): boolean {
  return typeof script === 'string' && script.trim() !== '' && !/no test specified/.test(script);
}

function runOf(manager: string, script: string): string {
  if (script === 'test' && manager !== 'bun') return `${manager} test`;
  return manager === 'yarn' ? `yarn ${script}` : `${manager} run ${script}`;
}

function managerOf(place: ProjectFolder, field: unknown): Found | null {
  const stated = typeof field === 'string' ? /^(npm|yarn|pnpm|bun)@/.exec(field)?.[1] : undefined;
  const kind = 'package-manager';
  if (stated !== undefined) return { kind, value: stated, language, source: 'package.json' };
  const lock = place.nearest(Object.keys(locks));
  const value = lock === null ? undefined : locks[lock.slice(lock.lastIndexOf('/') + 1)];
  return lock === null || value === undefined
    ? null
    : { kind, value, language, source: `/${lock}` };
}

async function denoFacts(place: ProjectFolder): Promise<readonly Found[]> {
  const source = ['deno.json', 'deno.jsonc'].find((name) => place.has(name));
  if (source === undefined) return [];
  const text = (await place.read(source)) ?? '';
  const tasks = ['build', 'test', 'lint'] as const;
  const named = tasks.filter((task) => new RegExp(`"tasks"[^}]*"${task}"\\s*:`).test(text));
  return [
    { kind: 'package-manager', value: 'deno', language, source },
    ...named.map((kind) => ({ kind, value: `deno task ${kind}`, language, source })),
  ];
}
