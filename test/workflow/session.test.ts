import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadSettings } from '../../src/app/settings/load-settings.ts';
import { openSession } from '../../src/app/open-session.ts';
import type { Clarification, Decision, PlanVerdict } from '../../src/model/decision.ts';
import type { Event } from '../../src/model/event.ts';
import { claimSession, openSessionFolder } from '../../src/store/session-folder.ts';
import { stateFile } from '../../src/store/state-file.ts';
import { findEnd, reopen } from '../../src/workflow/recorded.ts';
import { runSession } from '../../src/workflow/run-session.ts';
import type { View } from '../../src/workflow/view-port.ts';
import type { Rig } from '../helpers/rig.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';

type Question = Parameters<View['approve']>[0];

interface Person {
  readonly decisions: Decision[];
  readonly verdicts?: PlanVerdict[];
  /** Answers one review after the other, before the verdicts. */
  readonly reviews?: ((question: Question) => Promise<PlanVerdict>)[];
}

const approve: Decision = {
  kind: 'approve',
  solution: 1,
  execution_method: 'Auto',
  code_review_tool: 'Agent Review',
  constraints: ['Keep it small'],
  by: 'user',
};

/** Runs a session in this process with a scripted person, until it ends. */
async function run(rig: Rig, person: Person, id?: string) {
  const environment = {
    PATH: process.env['PATH'],
    HOME: rig.home,
    XDG_CONFIG_HOME: `${rig.home}/c`,
  };
  const settings = await loadSettings({ root: rig.repo, environment });
  const folder =
    id === undefined
      ? await claimSession({ root: rig.repo, task: todoTask, now: new Date() })
      : await openSessionFolder(rig.repo, id);
  const events: Event[] = [];
  const asked: string[] = [];
  const answer = <T>(what: string, answers: T[], otherwise: T) => {
    asked.push(what);
    return Promise.resolve(answers.shift() ?? otherwise);
  };
  const view = {
    show: (event: Event) => void events.push(event),
    clarify: () =>
      answer<Clarification>('clarify', [], {
        answers: [],
        feedback: '',
        skipped: true,
        by: 'nobody',
      }),
    decide: () => answer('decide', person.decisions, approve),
    approve: async (question: Question) => {
      const review = person.reviews?.shift();
      if (review !== undefined) {
        asked.push('approve');
        return await review(question);
      }
      return await answer<PlanVerdict>('approve', person.verdicts ?? [], {
        kind: 'approve',
        by: 'user',
        hash: null,
      });
    },
    execute: async () => ({ kind: 'later' as const }),
    apply: async () => false,
    choose: async () => 'no',
  };
  const interrupt = new AbortController();
  const session = await openSession({
    folder,
    root: rig.repo,
    settings,
    environment,
    view,
    task: id === undefined ? todoTask : null,
    resumed: null,
    interrupt: interrupt.signal,
    now: () => new Date(),
    prepare: async (journal) => {
      const end = findEnd(journal);
      if (end !== null) await reopen(journal, end);
    },
  });
  try {
    const end = await runSession({
      ...session,
      view,
      settings: settings.run,
      planner: null,
      interrupt: interrupt.signal,
    });
    return { end, events, asked, id: folder.id, state: await stateFile(folder).read() };
  } finally {
    await session.close();
  }
}

describe('a session', () => {
  test('that was cancelled keeps what was done and asks again when it is resumed', async () => {
    const rig = await todoRig();
    const first = await run(rig, { decisions: [{ kind: 'cancel', by: 'user' }] });
    expect(first.end).toMatchObject({ end: 'cancelled', exitCode: 0 });
    expect(first.state).toMatchObject({ status: 'cancelled', end: 'cancelled', phase: 'decision' });
    const second = await run(rig, { decisions: [approve] }, first.id);
    expect(second.end).toMatchObject({ end: 'done', exitCode: 0 });
    expect(second.asked).toEqual(['decide', 'approve']);
    expect(second.events.filter((event) => event.type === 'agent.started')).toEqual([]);
  });

  test('whose plan was left tells the same story again and asks for approval, nothing else', async () => {
    const rig = await todoRig();
    const first = await run(rig, {
      decisions: [approve],
      verdicts: [{ kind: 'leave', why: 'I sleep on it' }],
    });
    expect(first.state).toMatchObject({ status: 'waiting', phase: 'plan-review' });
    const second = await run(rig, { decisions: [] }, first.id);
    expect(second.asked).toEqual(['approve']);
    expect(second.state).toMatchObject({
      status: 'done',
      user_decision: { execution_method: 'Auto', code_review_tool: 'Agent Review', by: 'user' },
    });
    expect(told(second.events)).toEqual(told(first.events));
    const round = second.events.find(({ type }) => type === 'round.finished');
    expect(round).toMatchObject({ replayed: true });
    expect(second.events.at(-1)).toMatchObject({ type: 'session.finished', replayed: false });
  });

  test('that wanted more analysis of nobody comes back to its options, resumed too', async () => {
    const rig = await todoRig();
    const more = { kind: 'more-analysis', feedback: 'And the cache?', by: 'user' } as const;
    const first = await run(rig, { decisions: [more, { kind: 'cancel', by: 'user' }] });
    expect(first.asked).toEqual(['decide', 'decide']);
    const second = await run(rig, { decisions: [more, approve] }, first.id);
    expect(second.asked).toEqual(['decide', 'decide', 'approve']);
    expect(second.end).toMatchObject({ end: 'done', exitCode: 0 });
    expect(second.state).toMatchObject({
      current_round: 1,
      current_phase: 5,
      ace_context: { relevant_files: expect.arrayContaining(['src/commands/list.js']) },
      user_decisions: [
        { round: 1, decision: 'more-analysis', selected: 'And the cache?' },
        { round: 1, decision: 'more-analysis', selected: 'And the cache?' },
        { round: 1, decision: 'approve', selected: second.state?.user_decision?.solution },
      ],
    });
    expect(rig.json('context-package.json')).toMatchObject({ feedback: ['And the cache?'] });
  });
});

const seen = ({ seen: { hash } }: Question): Promise<PlanVerdict> =>
  Promise.resolve({ kind: 'approve', by: 'user', hash });

/** Gives the first task another title, then ends the review with a verdict. */
const retitled =
  (title: string, verdict: PlanVerdict) =>
  async ({ desk }: Question): Promise<PlanVerdict> => {
    await desk.edit({ kind: 'set', task: 'TASK-001', field: 'title', value: title });
    return verdict;
  };

describe('the review of a plan', () => {
  test('asks again where the files are not those that were seen', async () => {
    const rig = await todoRig();
    const late = async ({ seen: { hash, plan } }: Question): Promise<PlanVerdict> => {
      const changed = JSON.stringify({ ...plan, summary: 'Changed meanwhile' });
      writeFileSync(join(rig.session(), 'plan.json'), changed);
      return { kind: 'approve', by: 'user', hash };
    };
    const first = await run(rig, { decisions: [approve], reviews: [late, seen] });
    expect(first.asked).toEqual(['decide', 'approve', 'approve']);
    expect(first.events).toContainEqual(
      expect.objectContaining({
        type: 'warning.raised',
        text: expect.stringContaining('changed after they were shown'),
      }),
    );
    expect(rig.json('execution-context.json')).toMatchObject({
      planObject: { summary: 'Changed meanwhile' },
    });
    const again = await run(rig, { decisions: [] }, first.id);
    expect(again.asked).toEqual([]);
    expect(again.end).toMatchObject({ end: 'done', exitCode: 0 });
  });

  test('ends with the tasks as the person left them, and then as they were approved', async () => {
    const rig = await todoRig();
    const later = retitled('Mine', { kind: 'leave', why: 'later' });
    const first = await run(rig, { decisions: [approve], reviews: [later] });
    expect(first.events.at(-1)).toMatchObject(ended('TASK-001 Mine', false));
    const mine = retitled('Mine at last', { kind: 'approve', by: 'user', hash: null });
    const second = await run(rig, { decisions: [], reviews: [mine] }, first.id);
    expect(second.events.at(-1)).toMatchObject(ended('TASK-001 Mine at last', true));
    const again = await run(rig, { decisions: [] }, first.id);
    expect(again.asked).toEqual([]);
    expect(again.events.at(-1)).toMatchObject(ended('TASK-001 Mine at last', true));
  });
});

function ended(title: string, approved: boolean) {
  const titles = expect.arrayContaining([title]);
  return { type: 'session.finished', approved, titles };
}

/** The story of a session, without what depends on the moment. */
function told(events: readonly Event[]): readonly string[] {
  const story = ['round.finished', 'options.presented', 'decision.made', 'plan.written'];
  return events.map(({ type }) => type).filter((type) => story.includes(type));
}
