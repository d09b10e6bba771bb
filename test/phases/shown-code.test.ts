import { expect, test } from 'vitest';
import { bareTraits } from '../../src/agents/agent.ts';
import { adapters } from '../../src/agents/cli/list.ts';
import { bestExcerpts, conventionsFor, solutionExcerpts } from '../../src/phases/shown-code.ts';
import { type TempRepository, tempRepository } from '../git/temp-repository.ts';

const long = (name: string) =>
  Array.from({ length: 2000 }, (_, at) => `const ${name}${at + 1} = ${at};`).join('\n');

async function project(): Promise<TempRepository> {
  const repo = await tempRepository();
  await repo.commit('Start', {
    'src/small.ts': 'export const small = 1;\n',
    'src/large.ts': long('large'),
    'src/other.ts': 'export const other = 1;\n',
    'src/list/large.ts': long('large'),
    'src/list/near.ts': 'export const small = 1;\n',
    'test/small.test.ts': 'import { small } from "../src/small.ts";\n',
  });
  return repo;
}

const places = ({ shown }: Awaited<ReturnType<typeof solutionExcerpts>>) =>
  shown.map(({ path, start, end }) => `${path}:${start}-${end}`);

test('who proposes sees the best file, of the next two those in its folder, and nothing of the others', async () => {
  await using repo = await project();
  const repository = await repo.open();
  const shownOf = async (...paths: readonly string[]) => {
    const files = paths.map((path) => {
      const [start, end] = path.endsWith('large.ts') ? [1001, 1060] : [1, 1];
      return { path, start, end, symbols: [], score: 1, reasons: [] };
    });
    return await bestExcerpts({ relevant_files: files }, repository);
  };
  const beside = await shownOf('src/list/large.ts', 'src/other.ts', 'src/list/near.ts');
  expect(places(beside)).toEqual(['src/list/large.ts:961-1100', 'src/list/near.ts:1-1']);
  expect(beside.leftOut).toEqual([]);
  // Everything may stand in one folder.
  expect(places(await shownOf('src/small.ts', 'src/other.ts'))).toEqual(['src/small.ts:1-1']);
});

test('who plans sees the files of the solution, the cited lines, and the tests, whatever the search found', async () => {
  await using repo = await project();
  const common = { status: 'verified', note: '' } as const;
  const solution = {
    affected_files: [
      { ...common, file: 'src/small.ts', line: 1, action: 'modify' as const },
      { ...common, file: 'src/new.ts', line: null, action: 'create' as const },
    ],
    evidence: [{ path: 'src/large.ts', line: 1500 }],
  };
  const excerpts = await solutionExcerpts([solution], await repo.open());
  expect(places(excerpts)).toEqual([
    'src/small.ts:1-1',
    'src/large.ts:1495-1515',
    'test/small.test.ts:1-1',
  ]);
});

test('an agent is not given a second time what its own program loads', () => {
  const context = {
    project_facts: [
      { source: 'AGENTS.md', text: 'Use tabs.' },
      { source: 'app/AGENTS.md', text: 'token = "ghp_0123456789abcdefghijABCDEFGHIJ012345"' },
    ],
  };
  const shown = conventionsFor(agent('claude'), context);
  expect(shown).toMatch(/^From AGENTS\.md:\nUse tabs\.\n\nFrom app\/AGENTS\.md:\ntoken = /);
  expect(shown).not.toContain('ghp_');
  const toCodex = conventionsFor(agent('codex'), context);
  expect(toCodex).not.toContain('Use tabs.');
  expect(toCodex).toContain('From app/AGENTS.md:');
});

function agent(name: string) {
  const { loads = [] } = adapters.find((adapter) => adapter.name === name) ?? {};
  return { traits: { ...bareTraits(name), loads } };
}
