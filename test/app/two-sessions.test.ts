import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { answersFrom } from '../../src/app/flag-answers.ts';
import { listSessions } from '../../src/app/list-sessions.ts';
import { describeSession } from '../../src/app/saved-session.ts';
import { startSession } from '../../src/app/sessions.ts';
import { openWorkplace } from '../../src/app/workplace.ts';
import type { Event } from '../../src/model/event.ts';
import { planAnswer } from '../faults/three-rounds.ts';
import type { Rig } from '../helpers/rig.ts';
import { canConfine } from '../helpers/strict-rig.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import {
  configureVendors,
  formatterSolution,
  listSolution,
  stances,
  witnessed,
} from '../helpers/vendors.ts';

const given = {
  autoYes: true,
  approvesDrafts: false,
  solution: null,
  execution: null,
  review: null,
  constraints: [],
  feedback: null,
  execute: false,
  force: false,
  apply: 'no',
} as const;

/** Recommends one solution in every round, whatever the others say. */
const insisting = (solution: ReturnType<typeof listSolution>) => ({
  propose: { answer: { recommended: solution.name, solutions: [solution], questions: [] } },
  examine: { answer: stances({ A: 'unsure', B: 'unsure' }, { preferred: solution.name }) },
  plan: { answer: planAnswer },
});

/** The todo project with two vendors that never agree, and one round for them. */
async function disagreeingRig(first: string, second: string): Promise<Rig> {
  const rig = await todoRig();
  const scripts = {
    [first]: insisting(listSolution()),
    [second]: insisting(formatterSolution()),
  };
  configureVendors(rig, scripts, 'max_rounds = 1');
  return rig;
}

/** Runs a session through `app/`. Its decision waits until the other session is at its own. */
async function plan(rig: Rig, variables: NodeJS.ProcessEnv, both: () => Promise<void>) {
  const environment = { ...rig.environment, ...variables };
  const workplace = await openWorkplace({ cwd: rig.repo, environment, flags: [] });
  const events: Event[] = [];
  const end = await startSession({
    ...workplace,
    task: todoTask,
    signal: new AbortController().signal,
    now: () => new Date('2030-01-02T03:04:05Z'),
    view(folder) {
      const answers = answersFrom(given, folder.id);
      return {
        ...answers,
        show: (event) => void events.push(event),
        async decide(question, signal) {
          await both();
          return await answers.decide(question, signal);
        },
      };
    },
  });
  return { end, events };
}

/** Resolves for everybody once so many have asked. */
function meetingOf(count: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let here = 0;
  return async () => {
    here += 1;
    if (here === count) resolve();
    await promise;
  };
}

test.skipIf(!canConfine)(
  'two sessions of two repositories run at the same time in one process and do not mix',
  async () => {
    const one = await disagreeingRig('alder', 'birch');
    const two = await disagreeingRig('cedar', 'dogwood');
    const both = meetingOf(2);
    const sessions = await Promise.all([
      plan(one, {}, both),
      plan(two, { CONCLAVE_MAX_ROUNDS: '2' }, both),
    ]);

    const facts = await Promise.all([one, two].map(({ repo }) => describeSession(repo, undefined)));
    expect(sessions.map(({ end }) => end)).toMatchObject([
      { end: 'done', exitCode: 0 },
      { end: 'done', exitCode: 0 },
    ]);
    expect(
      facts.map(({ state, isApproved }) => [state.agents, state.max_rounds, isApproved]),
    ).toEqual([
      [['alder', 'birch'], 1, true],
      [['cedar', 'dogwood'], 2, true],
    ]);
    expect(facts.map(({ rounds }) => rounds.length)).toEqual([1, 2]);
    expect(facts.map(({ state }) => state.created_at)).toEqual(
      Array.from({ length: 2 }, () => '2030-01-02T03:04:05.000Z'),
    );

    for (const [index, rig] of [one, two].entries()) {
      expect(await listSessions({ root: rig.repo, environment: rig.environment })).toHaveLength(1);
      const folder = rig.session();
      expect(existsSync(join(folder, 'plan.json'))).toBe(true);
      const written = [
        JSON.stringify(sessions[index]?.events),
        ...['journal.jsonl', 'plan.json', 'session-state.json'].map((file) =>
          readFileSync(join(folder, file), 'utf8'),
        ),
      ].join('\n');
      expect(written).not.toMatch(index === 0 ? /cedar|dogwood/ : /alder|birch/);
      expect(written).toMatch(index === 0 ? /alder/ : /cedar/);
      expect(readdirSync(join(rig.home, 'data/conclave'))).toContain('running');
    }
    expect(
      [witnessed(one, 'alder'), witnessed(two, 'cedar')].map(({ length }) => length > 0),
    ).toEqual([true, true]);
  },
);
