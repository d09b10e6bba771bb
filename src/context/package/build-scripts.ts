// Reads the project’s own scripts and targets as build facts.
import { isObject, jsonIn } from '../../model/json.ts';
import { nameOfPath } from '../../git/paths.ts';
import type { FolderFact, ProjectFolder } from './project-folder.ts';

type Kind = FolderFact['kind'];

/** Names of scripts and targets by their purpose; the likeliest name first. */
const names: readonly (readonly [Kind, readonly string[]])[] = [
  ['build', ['build', 'compile', 'all']],
  ['test', ['test', 'tests', 'test:unit', 'unit-test', 'test-unit']],
  ['lint', ['lint', 'eslint', 'vet']],
  ['types', ['types', 'typecheck', 'type-check', 'check-types', 'tsc', 'mypy']],
  ['format', ['format:check', 'format', 'fmt', 'prettier']],
];

/** Reads the project’s own scripts: those of `package.json`, make, just and task. */
export async function scriptFacts(folder: ProjectFolder): Promise<readonly FolderFact[]> {
  const found = await Promise.all([npmFacts(folder), targetFacts(folder)]);
  return found.flat();
}

function choose(
  has: (name: string) => boolean,
  factOf: (name: string) => Omit<FolderFact, 'kind'>,
): readonly FolderFact[] {
  return names.flatMap(([kind, wanted]) => {
    const name = wanted.find(has);
    return name === undefined ? [] : [{ kind, ...factOf(name) }];
  });
}

const locks = new Map([
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
  ['yarn.lock', 'yarn'],
  ['pnpm-lock.yaml', 'pnpm'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
]);

async function npmFacts(folder: ProjectFolder): Promise<readonly FolderFact[]> {
  const source = 'package.json';
  const manifest = jsonIn(await folder.read(source));
  if (!isObject(manifest)) return [];
  const manager = managerOf(folder, manifest['packageManager']);
  const scripts = isObject(manifest['scripts']) ? manifest['scripts'] : {};
  return choose(
    (name) => isScript(scripts[name]),
    (name) => ({ value: runOf(manager, name), language: 'javascript', source }),
  );
}

/** False for the placeholder that `npm init` writes as a test. */
function isScript(script: unknown): boolean {
  return typeof script === 'string' && script.trim() !== '' && !/no test specified/.test(script);
}

function runOf(manager: string, script: string): string {
  if (script === 'test' && manager !== 'bun') return `${manager} test`;
  return manager === 'yarn' ? `yarn ${script}` : `${manager} run ${script}`;
}

function managerOf(folder: ProjectFolder, field: unknown): string {
  const [, stated] = (typeof field === 'string' && /^(npm|yarn|pnpm|bun)@/.exec(field)) || [];
  return stated ?? locks.get(nameOfPath(folder.nearest([...locks.keys()]) ?? '')) ?? 'npm';
}

const runners = [
  { files: /^(?:GNUm|m|M)akefile$/, command: 'make', target: /^([\w-]+)[ \t]*:(?![=:])/gm },
  { files: /^\.?[jJ]ustfile$/, command: 'just', target: /^@?([\w-]+)(?:[ \t][^:\n]*)?:(?!=)/gm },
  { files: /^[Tt]askfile\.ya?ml$/, command: 'task', target: /^ {2}([\w-]+):/gm },
];

async function targetFacts(folder: ProjectFolder): Promise<readonly FolderFact[]> {
  const found: FolderFact[] = [];
  for (const { files, command, target } of runners) {
    const source = folder.names.find((name) => files.test(name));
    if (source === undefined) continue;
    const targets = new Set(
      [...(await folder.read(source)).matchAll(target)].map(([, name]) => name),
    );
    const factOf = (name: string) => ({ value: `${command} ${name}`, language: null, source });
    found.push(...choose((name) => targets.has(name), factOf));
  }
  return found;
}
