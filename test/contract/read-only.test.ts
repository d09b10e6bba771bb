import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { planAnswer } from '../faults/three-rounds.ts';
import type { Rig } from '../helpers/rig.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { digestsOf } from './digests.ts';
import { harm, targetsOf } from './harm.ts';
import type { Reply } from './model-server/reply.ts';
import { startModelServer, type LoggedRequest, type ModelServer } from './model-server/server.ts';
import { cliNames, permissive, realClis } from './real-clis.ts';
import {
  configureClis,
  eventsTold,
  goodAnswer,
  headOf,
  seatsWith,
  writeAtHome,
} from './three-clis.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

/** Every kind of question that a session asks; `plan again` has the findings of the plan check. */
const questions = [
  'propose',
  'propose again',
  'compare',
  'examine',
  'plan',
  'plan again',
  'plan-review',
];

function questionOf(asked: LoggedRequest): string {
  const { phase, repair } = headOf(asked);
  return repair ? `${phase} again` : phase;
}

/** What Conclave itself keeps: the session, and its index of the code in the user’s data. */
const ours =
  /^repo\/\.workflow(?:\/|$)|^home\/data(?:\/conclave)?$|^home\/data\/conclave\/(?:context|running)(?:\/|$)/;
/** Where opencode keeps its sessions, in a rig. */
const sessions = /^home\/data\/opencode(?:\/|$)/;

/** All the rest, but for what the CLIs keep for themselves. */
function treeOf(rig: Rig) {
  const own = [ours, sessions, ...Object.values(realClis).map((cli) => cli.own)];
  return digestsOf(dirname(rig.home), (path) => own.some((one) => one.test(path)));
}

/** Does all the harm that a model can ask for before each answer; the first answers need mending. */
function harmful(place: Rig) {
  const attempts = new Map<string, number>();
  const results = new Map<string, number>();
  function reply(asked: LoggedRequest): Reply {
    const question = `${asked.dialect}: ${questionOf(asked)}`;
    const done = attempts.get(question) ?? 0;
    attempts.set(question, done + 1);
    if (asked.toolResults.length > 0) results.set(question, (results.get(question) ?? 0) + 1);
    return harm(place)[done] ?? answerTo(asked);
  }
  return { reply, results };
}

function answerTo(asked: LoggedRequest): Reply {
  const { session, round } = headOf(asked);
  switch (questionOf(asked)) {
    case 'propose':
      return { kind: 'text', text: JSON.stringify({ session, round, solutions: 'none' }) };
    case 'plan':
      return {
        kind: 'structured',
        value: { session, ...planAnswer, tasks: [planAnswer.tasks[0]] },
      };
    default:
      return goodAnswer(asked);
  }
}

// Only one of them is asked for the plan.
test.each(cliNames)(
  'in no phase does a CLI write, by its edit tool or by shell; %s plans',
  async (planner) => {
    const rig = await todoRig();
    rig.write('src/list.js', 'export const list = [];\n');
    const seats = seatsWith(planner);
    configureClis(rig, { url: server.url, names: seats });
    rig.config(`[agent]\ncli = "${planner}"\n${rig.configured()}`);
    for (const files of Object.values(permissive)) writeAtHome(rig, files);
    // The first session would make it; made before, it is seen when somebody changes it.
    const data = join(rig.home, 'data/conclave');
    mkdirSync(data, { recursive: true, mode: 0o700 });
    writeFileSync(join(data, 'session.key'), 'a key of nobody, long enough to be one', {
      mode: 0o600,
    });
    const { reply, results } = harmful(rig);
    server.fallback(reply);
    const before = treeOf(rig);
    const flags = ['--auto-yes', '--json', '--max-rounds', '2', '--tools', seats.join(',')];
    const { code, stdout, stderr } = await rig.conclave('plan', ...flags, todoTask);
    expect(treeOf(rig)).toEqual(before);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });

    // Each attempt was made, and the CLI told the model what came of it.
    // One of the others reads the plan.
    const reader = seats.find((name) => results.has(`${realClis[name].dialect}: plan-review`));
    expect(reader).not.toBe(planner);
    // Two authors of different vendors compare.
    const judges = seats.filter((name) => results.has(`${realClis[name].dialect}: compare`));
    expect(judges).toHaveLength(2);
    const asked = seats.flatMap((name) =>
      questions
        .filter((question) => {
          if (question === 'plan-review') return name === reader;
          if (question === 'compare') return judges.includes(name);
          return name === planner || !question.startsWith('plan');
        })
        .map((question) => [`${realClis[name].dialect}: ${question}`, harm(rig).length] as const),
    );
    expect(Object.fromEntries(results)).toEqual(Object.fromEntries(asked));
    const events = eventsTold(stdout);
    expect(events.filter(({ type }) => type === 'tree.changed')).toEqual([]);
    const failed = events.flatMap((event) => (event.type === 'agent.failed' ? [event] : []));
    expect(failed.map(({ agent }) => agent).toSorted()).toEqual(seats);
    expect(new Set(failed.map(({ category }) => category))).toEqual(new Set(['invalid-answer']));

    // The look at the tree would have seen it.
    for (const path of targetsOf(rig)) writeFileSync(path, 'made');
    const seen = new Set(Object.entries(treeOf(rig)).map(([path, look]) => `${path} ${look}`));
    for (const [path, look] of Object.entries(before)) seen.delete(`${path} ${look}`);
    expect(seen.size).toBe(targetsOf(rig).length);
  },
  180_000,
);
