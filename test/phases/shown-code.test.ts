import { expect, test } from 'vitest';
import { bareTraits } from '../../src/agents/agent.ts';
import { adapters } from '../../src/agents/cli/list.ts';
import { bestExcerpts, wordsFor, solutionExcerpts } from '../../src/phases/shown-code.ts';
import { type TempRepository, tempRepository } from '../git/temp-repository.ts';

const long = (name: string) =>
  Array.from({ length: 2000 }, (_, at) => `const ${name}${at + 1} = ${at};`).join('\n');

async function project(): Promise<TempRepository> {
  const repo = await tempRepository();
  await repo.commit('Start', {
    'src/small.ts': 'export const small = 1;\n',
    'src/large.ts': long('large'),
    'src/other.ts': 'export const other = 1;\n',
    'src/longer.ts': long('longer'),
    'test/small.test.ts': 'import { small } from "../src/small.ts";\n',
  });
  return repo;
}

const places = ({ shown }: Awaited<ReturnType<typeof solutionExcerpts>>) =>
  shown.map(({ path, start, end }) => `${path}:${start}-${end}`);

const file = (path: string, score: number) => ({ path, score, symbols: [], reasons: [] });

test('who proposes sees the parts of the best file, and the best part of the next two that are not far behind', async () => {
  await using repo = await project();
  const files = [
    { ...file('src/large.ts', 2), start: 1001, end: 1060, parts: [{ start: 1501, end: 1520 }] },
    { ...file('src/longer.ts', 1.9), start: 11, end: 20, parts: [{ start: 901, end: 910 }] },
    { ...file('src/other.ts', 1.1), start: 1, end: 1 },
    { ...file('src/small.ts', 1.1), start: 1, end: 1 },
  ];
  const excerpts = await bestExcerpts({ relevant_files: files }, await repo.open());
  expect(places(excerpts)).toEqual([
    'src/large.ts:998-1063',
    'src/large.ts:1498-1523',
    'src/longer.ts:8-23',
    'src/other.ts:1-1',
  ]);
  expect(excerpts.leftOut).toEqual([]);
  const far = await bestExcerpts(
    { relevant_files: files.with(2, { ...file('src/other.ts', 0.9), start: 1, end: 1 }) },
    await repo.open(),
  );
  expect(places(far)).not.toContain('src/other.ts:1-1');
});

test('of documents and large files only the lines around the change and the cited line are shown', async () => {
  await using repo = await tempRepository();
  await repo.commit('Start', { 'CHANGES.md': long('note'), 'src/large.ts': long('large') });
  const common = { status: 'verified', note: '', action: 'modify' } as const;
  const solution = {
    affected_files: [
      { ...common, file: 'src/large.ts', line: 1001 },
      { ...common, file: 'CHANGES.md', line: null },
      { ...common, file: 'CHANGES.md', line: 500 },
    ],
    evidence: [{ path: 'src/large.ts', line: 1500 }],
  };
  const excerpts = await solutionExcerpts([solution], await repo.open(), 'planning');
  expect(places(excerpts)).toEqual([
    'CHANGES.md:497-508',
    'src/large.ts:991-1031',
    'src/large.ts:1497-1508',
  ]);
});

test('who proposes sees the best file whole where it is short', async () => {
  await using repo = await project();
  const best = { path: 'src/small.ts', start: 1, end: 1, symbols: [], score: 1, reasons: [] };
  const excerpts = await bestExcerpts({ relevant_files: [best] }, await repo.open());
  expect(places(excerpts)).toEqual(['src/small.ts:1-1']);
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
  const excerpts = await solutionExcerpts([solution], await repo.open(), 'planning');
  expect(places(excerpts)).toEqual([
    'src/small.ts:1-1',
    'src/large.ts:1497-1508',
    'test/small.test.ts:1-1',
  ]);
});

test('who judges the same solutions again sees less of their code', async () => {
  await using repo = await project();
  const common = { status: 'verified', note: '', action: 'modify' } as const;
  const solution = {
    affected_files: [{ ...common, file: 'src/large.ts', line: 1001 }],
    evidence: Array.from({ length: 90 }, (_, n) => ({ path: 'src/large.ts', line: 20 * n + 10 })),
  };
  const [first, again] = await Promise.all(
    (['judging', 'judging-again'] as const).map(async (purpose) =>
      solutionExcerpts([solution], await repo.open(), purpose),
    ),
  );
  const size = (one: typeof first) => one?.shown.map(({ text }) => text).join('').length ?? 0;
  expect(size(again)).toBeGreaterThan(1_000);
  expect(size(again)).toBeLessThan(0.7 * size(first));
});

test('an agent is not given a second time what its own program loads', () => {
  const context = {
    project_facts: [
      { source: 'AGENTS.md', text: 'Use tabs.' },
      { source: 'app/AGENTS.md', text: 'token = "ghp_0123456789abcdefghijABCDEFGHIJ012345"' },
    ],
  };
  const shown = wordsFor(agent('claude'), context).conventions;
  expect(shown).toMatch(/^From AGENTS\.md:\nUse tabs\.\n\nFrom app\/AGENTS\.md:\ntoken = /);
  expect(shown).not.toContain('ghp_');
  const toCodex = wordsFor(agent('codex'), context).conventions;
  expect(toCodex).not.toContain('Use tabs.');
  expect(toCodex).toContain('From app/AGENTS.md:');
});

function agent(name: string) {
  const { loads = [] } = adapters.find((adapter) => adapter.name === name) ?? {};
  return { traits: { ...bareTraits(name), loads } };
}
