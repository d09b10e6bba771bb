import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type SolutionGroup,
  groupByChanges,
  groupSolutions,
} from '../../../src/phases/discussion/revise-drafts.ts';
import { type Draft, proposedDraft } from '../../../src/phases/discussion/draft.ts';
import { codeInCommon } from '../../../src/phases/discussion/similarity.ts';
import { Scenario, type ToldSolution, tell } from './build-solutions.ts';
import { solution as checked } from './make.ts';

const drafted = (told: ToldSolution) => proposedDraft(tell(told), 'model');
const solution = (...told: Parameters<typeof checked>) => proposedDraft(checked(...told), 'model');
const authors = (groups: readonly SolutionGroup[]) =>
  groups.map((group) => group.flatMap(({ source_cli }) => source_cli));

const file = new URL('./grouping-scenarios.json', import.meta.url);
const scenarios = Scenario.array().parse(JSON.parse(readFileSync(file, 'utf8')));

/** Two agents that name the same leak in other words: two groups, until they take stances. */
const missed = 'unsubscribe';

test.each(scenarios)('$task: what means the same is grouped, what differs is not', (scenario) => {
  const ideas = new Map(
    scenario.solutions.map((told) => [`${told.agent} ${told.name}`, told.idea]),
  );
  const ideaOf = (member: SolutionGroup[number]) =>
    ideas.get(`${member.source_cli.join()} ${member.name}`) ?? '';
  const groups = groupSolutions(scenario.solutions.map(drafted));
  for (const group of groups) expect(new Set(group.map(ideaOf)).size).toBe(1);
  const groupOf = (member: Draft) => groups.findIndex((group) => group.includes(member));
  const all = groups.flat();
  const parted = all.flatMap((a) =>
    all.filter(
      (b) =>
        ideaOf(a) === ideaOf(b) &&
        ideaOf(a) !== missed &&
        codeInCommon(a, b) >= 0.6 &&
        groupOf(a) !== groupOf(b),
    ),
  );
  expect(parted).toEqual([]);
});

const changing = (...paths: readonly string[]) => ({
  affected_files: paths.map((path) => ({
    file: path,
    line: 1,
    action: 'modify' as const,
    status: 'verified' as const,
    note: '',
  })),
});

test('two that change a module more or less stay apart, however alike their words are', () => {
  const groups = groupSolutions([
    { ...solution('codex', 'bucket'), ...changing('src/one.ts') },
    { ...solution('gemini', 'bucket'), ...changing('src/one.ts', 'src/two.ts') },
  ]);
  expect(groups).toHaveLength(2);
});

test('the order of solutions and agents makes no difference', () => {
  const rounds = fc.constantFrom(...scenarios).chain(({ solutions }) =>
    fc.record({
      inOrder: fc.constant(solutions),
      shuffled: fc.shuffledSubarray(solutions, { minLength: solutions.length }),
    }),
  );
  fc.assert(
    fc.property(rounds, ({ inOrder, shuffled }) => {
      const group = (all: typeof inOrder) => groupSolutions(all.map(drafted));
      expect(group(shuffled)).toEqual(group(inOrder));
    }),
    { numRuns: 60 },
  );
});

test('two solutions of one agent never meet, however alike they are', () => {
  const twice = [solution('codex', 'bucket'), solution('codex', 'bucket', { name: 'Again' })];
  expect(groupSolutions(twice)).toHaveLength(2);
  const three = groupSolutions([...twice, solution('gemini', 'bucket')]);
  expect(authors(three)).toEqual([['codex'], ['codex', 'gemini']]);
});

test('groups that are there from the start take others in, but stay apart', () => {
  const joinable = [[solution('codex', 'bucket')], [solution('gemini', 'bucket')]];
  const groups = groupByChanges({ solutions: [solution('structure', 'bucket')], joinable });
  expect(authors(groups)).toEqual([['codex', 'structure'], ['gemini']]);
});

/** Two analysts’ sentences about any task; only the files differ. */
const fromTemplate = (agent: string, files: readonly string[]) => {
  const template = scenarios[0]?.solutions[0];
  if (template === undefined) throw new Error('there is no scenario');
  return drafted({
    ...template,
    agent,
    name: 'Change what the search found in place',
    summary: 'Change existing files that the search found for the task. No model has judged it.',
    files: [...files],
  });
};

const groupsOfAnalysts = (ours: readonly string[], theirs: readonly string[]) =>
  groupByChanges({
    solutions: [fromTemplate('structure', ours), fromTemplate('history', theirs)],
    joinable: [],
  }).length;

test('solutions of analysts mean the same by what they change, whatever words they have', () => {
  expect(groupsOfAnalysts(['src/a.ts'], ['src/b.ts'])).toBe(2);
  expect(groupsOfAnalysts(['src/a.ts', 'src/b.ts'], ['src/a.ts'])).toBe(2);
  expect(groupsOfAnalysts(['src/a.ts', 'src/b.ts'], ['src/b.ts', 'src/a.ts'])).toBe(1);
  expect(groupsOfAnalysts(['src/a.ts'], ['-src/a.ts'])).toBe(2);
  expect(groupsOfAnalysts([], [])).toBe(2);
});

test('common tests make solutions of analysts no more alike, unless they change nothing else', () => {
  const tests = ['test/a.test.ts', 'test/b.test.ts'];
  expect(groupsOfAnalysts(['src/a.ts', ...tests], ['src/b.ts', ...tests])).toBe(2);
  expect(groupsOfAnalysts(tests, tests)).toBe(1);
});

test('files whose reference failed do not make solutions alike', () => {
  const told = solution('codex', 'bucket');
  const failed = told.affected_files.map((entry) => ({ ...entry, status: 'failed' as const }));
  const groups = groupSolutions([
    { ...told, affected_files: failed },
    solution('gemini', 'gateway'),
    solution('claude', 'bucket'),
  ]);
  expect(groups.map((group) => group.length)).toEqual([2, 1]);
});

test('no solutions make no groups', () => {
  expect(groupSolutions([])).toEqual([]);
});

const told = (agent: string, name: string, approach: string) =>
  solution(agent, 'quota', {
    name,
    summary: approach,
    implementation_plan: {
      approach,
      tasks: [{ id: 'T1', name, depends_on: [], key_point: null, files: [] }],
      execution_flow: 'T1',
      milestones: [],
    },
  });

test('solutions in Chinese are grouped by what they say', () => {
  const groups = groupSolutions(
    [
      told('codex', '令牌桶中间件', '在中间件中为每个密钥维护令牌桶，令牌不足时返回 429。'),
      told('gemini', '令牌桶限流', '为每个密钥维护一个令牌桶，在中间件中检查，令牌不足返回 429。'),
      told('claude', '网关限流', '在 nginx 网关配置 limit_req，应用代码保持不变。'),
    ].map((one) => ({ ...one, affected_files: [] })),
  );
  expect(authors(groups)).toEqual([['claude'], ['codex', 'gemini']]);
});
