import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { loadSettings } from '../../../src/commands/settings/load-settings.ts';
import { openSession } from '../../../src/commands/wiring/open-session.ts';
import type { Event } from '../../../src/model/event.ts';
import { CodeReview } from '../../../src/model/execution.ts';
import { readyReviewers } from '../../../src/phases/reviewing/review-code.ts';
import { reviewCode } from '../../../src/phases/reviewing/review-code.ts';
import { claimSession, openSessionFolder } from '../../../src/store/session-folder.ts';
import type { Rig } from '../../helpers/rig.ts';
import { todoRig } from '../../helpers/test-rig.ts';
import { todoTask } from '../../helpers/todo-project.ts';
import { configureVendors, witnessed } from '../../helpers/vendors.ts';
import { packageOf } from '../planning/samples.ts';
import { answerOf, diff, findingOf, list, outcomeOf, reviewedTasks, verdict } from './samples.ts';

const { session: _, ...answer } = answerOf({
  findings: [
    findingOf({ severity: 'minor', quote: 'no such line', problem: 'It is slow.' }),
    findingOf({ line: 25 }),
  ],
  criteria: [verdict('TASK-001', 0, 'not-met')],
});

const nobody = () => Promise.reject(new Error('nobody is asked'));

/** Reviews the change in a session of this process; with an id, in one that goes on. */
async function review(rig: Rig, id?: string) {
  const environment = {
    PATH: process.env['PATH'],
    HOME: rig.home,
    XDG_CONFIG_HOME: `${rig.home}/config`,
  };
  const settings = await loadSettings({ root: rig.repo, environment });
  const folder =
    id === undefined
      ? await claimSession({ root: rig.repo, task: todoTask, now: new Date() })
      : await openSessionFolder(rig.repo, id);
  const cwd = join(rig.home, 'result');
  mkdirSync(dirname(join(cwd, 'src/commands/list.js')), { recursive: true });
  writeFileSync(join(cwd, 'src/commands/list.js'), list);
  const events: Event[] = [];
  const { signal: interrupt } = new AbortController();
  const session = await openSession({
    folder,
    root: rig.repo,
    settings,
    environment,
    view: {
      show: (event) => void events.push(event),
      clarify: nobody,
      decide: nobody,
      approve: nobody,
      execute: nobody,
      apply: nobody,
    },
    task: id === undefined ? todoTask : null,
    resumed: null,
    interrupt,
  });
  try {
    const { tools } = session;
    const outcomes = reviewedTasks.map((task) => outcomeOf(task));
    const choice = { tool: 'Agent Review', names: settings.run.tools, number: 1 } as const;
    const reviewers = await readyReviewers({ ...choice, outcomes }, tools, interrupt);
    const made = await reviewCode(
      {
        number: 1,
        reviewers,
        request: { task: todoTask, constraints: [], feedback: [], answers: [] },
        package: packageOf(),
        tasks: reviewedTasks,
        outcomes,
        diff,
        commit: 'c'.repeat(40),
        cwd,
        readAt: (path) => Promise.resolve(path === 'src/commands/list.js' ? list : null),
        prepare: () => Promise.resolve(),
      },
      tools,
      interrupt,
    );
    return { made, events, id: folder.id };
  } finally {
    await session.close();
  }
}

test('another vendor reviews the change; what it cites is checked, written and told once', async () => {
  const rig = await todoRig();
  const script = { 'code-review': { answer } };
  configureVendors(rig, { ant: script, bee: script });
  const { made, events, id } = await review(rig);
  expect(made).toMatchObject({ reviewer: 'bee', model: 'bee-model', blocking: 1, fixed: false });
  expect(made?.findings.map(({ line, reference }) => `${line} ${reference}`)).toEqual([
    '5 moved',
    '5 failed',
  ]);
  expect(CodeReview.parse(rig.json('code-review.json'))).toEqual(made);
  const told = events.filter((event) => event.type === 'review.finished');
  expect(told).toMatchObject([
    {
      reviewer: 'bee',
      blocking: 1,
      replayed: false,
      findings: [
        'blocking, src/commands/list.js:5: The flag is only seen as the first argument.',
        'minor, src/commands/list.js:5: It is slow.',
      ],
      file: `.workflow/.multi-cli-plan/${id}/code-review.md`,
    },
  ]);
  const again = await review(rig, id);
  expect(again.made).toEqual(made);
  expect(again.events.filter((event) => event.type === 'review.finished')).toMatchObject([
    { replayed: true },
  ]);
  expect(witnessed(rig, 'bee').filter((line) => line.startsWith('start'))).toHaveLength(1);
  expect(witnessed(rig, 'ant')).toEqual([]);
});

test('the next in order stands in, and where nobody can review, it is said', async () => {
  const rig = await todoRig();
  const bad = { 'code-review': { exit: 3, stderr: 'boom' } };
  configureVendors(rig, { ant: { 'code-review': { answer } }, bee: bad });
  expect((await review(rig)).made?.reviewer).toBe('ant');
  configureVendors(rig, { ant: bad, bee: bad });
  const { made, events } = await review(rig);
  expect(made).toBeNull();
  const said = events.flatMap((event) => (event.type === 'warning.raised' ? [event.text] : []));
  expect(said).toEqual([expect.stringMatching(/^Nobody could review the changes \(bee: .*ant: /s)]);
});
