import type { Found, ProjectFolder } from './project-folder.ts';

/** What targets of a runner are called, by what they are for; the likeliest first. */
const targets: readonly (readonly [Found['kind'], readonly string[]])[] = [
  ['build', ['build', 'all', 'compile']],
  ['test', ['test', 'tests', 'check', 'unit-test', 'test-unit']],
  ['lint', ['lint', 'vet']],
  ['types', ['typecheck', 'types', 'mypy']],
  ['format', ['format', 'fmt']],
];

const runners = [
  { files: /^(?:GNUm|m|M)akefile$/, command: 'make', target: /^([\w-]+)[ \t]*:(?![=:])/gm },
  { files: /^\.?[jJ]ustfile$/, command: 'just', target: /^@?([\w-]+)(?:[ \t][^:\n]*)?:(?!=)/gm },
  { files: /^[Tt]askfile\.ya?ml$/, command: 'task', target: /^ {2}([\w-]+):/gm },
  { files: /^(?:MODULE\.bazel|WORKSPACE(?:\.bazel)?)$/, command: 'bazel', target: null },
] as const;

/** Makefiles and the like: only targets that are there. */
export async function runnerFacts(place: ProjectFolder): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (const { files, command, target } of runners) {
    const source = place.names.find((name) => files.test(name));
    if (source === undefined) continue;
    if (target === null) {
      found.push({ kind: 'build', value: `${command} build //...`, language: null, source });
      found.push({ kind: 'test', value: `${command} test //...`, language: null, source });
      continue;
    }
    const text = (await place.read(source)) ?? '';
    const names = new Set([...text.matchAll(target)].map(([, name]) => name ?? ''));
    for (const [kind, wanted] of targets) {
      const name = wanted.find((one) => names.has(one));
      if (name === undefined) continue;
      found.push({ kind, value: `${command} ${name}`, language: null, source });
    }
  }
  return found;
}
