import { PlanReading } from '../../src/model/plan-reading.ts';
import { describe, expect, test } from 'vitest';
import {
  type GivenAnswers,
  answersFrom,
  answersWith,
  executionAnswers,
  missingAnswers,
} from '../../src/app/flag-answers.ts';
import { Stopped } from '../../src/model/failure.ts';
import type { Finding } from '../../src/model/finding.ts';
import { Synthesis } from '../../src/model/synthesis.ts';
import { samplesOf } from '../helpers/samples.ts';
import { reviewedPlan, synthesisOf } from '../workflow/samples.ts';

const none: GivenAnswers = {
  autoYes: false,
  approvesDrafts: false,
  solution: null,
  execution: null,
  review: null,
  constraints: [],
  feedback: null,
  execute: false,
  force: false,
  apply: 'no',
};
const { signal } = new AbortController();
const sample = Synthesis.parse(samplesOf('synthesis').good[0]);
const solutions = sample.solutions.map((one) => ({
  ...one,
  stances: [],
  preferred_by: ['claude'],
}));
/** Flags look up who is ready only where their answer depends on it. */
const probing = () =>
  Promise.reject(new Error('agents were asked for a question that nobody is asked'));
const question = {
  number: 1,
  synthesis: {
    ...synthesisOf(1),
    solutions: [...solutions, ...solutions].slice(0, 2),
    receipts: sample.receipts.map((receipt) => ({ ...receipt, agent: 'claude', failure: null })),
  },
  uncertainty: null,
  questions: [],
  lookUp: probing,
  asked: null,
  another: { number: 2, most: 3, tokens: null, costUsd: null },
};
const blocking: Finding = {
  severity: 'blocking',
  rule: 'cycle',
  file: 'plan.json',
  pointer: '',
  message: 'TASK-001 depends on itself.',
};

const never = () => Promise.reject(new Error('the flags change nothing on the desk'));

function approval(findings: readonly Finding[]) {
  const { plan, tasks, hash } = reviewedPlan;
  const onDisk = { version: 1, plan, tasks, findings, hash };
  const seen = {
    ...onDisk,
    approvedHash: null,
    changes: [],
    reading: null,
    document: null,
    comments: [],
    versions: [],
    isTextEdited: false,
  };
  const desk = {
    read: () => Promise.resolve(seen),
    edit: never,
    comment: never,
    text: never,
    markdown: never,
    version: never,
    replace: never,
    undo: never,
  };
  return { desk, seen, lookUp: probing, rejected: null };
}

describe('the flags in place of a person', () => {
  test('are complete with --auto-yes, or with an answer to each question', () => {
    expect(missingAnswers({ ...none, autoYes: true })).toBeNull();
    expect(missingAnswers({ ...none, solution: 1, execution: 'Auto', review: 'Skip' })).toBeNull();
    expect(missingAnswers({ ...none, solution: 1 })).toBe(
      '--execution agent|auto|NAME, --review skip|agent|NAME',
    );
  });

  test.each<[string, Partial<GivenAnswers>, boolean, object]>([
    [
      'take the recommended solution and Agent with --auto-yes, and leave the reviewer open',
      {},
      true,
      { solution: 1, execution_method: 'Agent', by: 'auto' },
    ],
    [
      'ask for more analysis with --feedback when no agent asked anything',
      { feedback: 'And the cache?' },
      true,
      { kind: 'more-analysis', feedback: 'And the cache?' },
    ],
    [
      'give --feedback to the plan where no agent can look into it',
      { feedback: 'And the cache?' },
      false,
      { kind: 'approve', solution: 1, feedback: 'And the cache?' },
    ],
  ])('%s', async (_, given, canDiscuss, expected) => {
    const answers = answersFrom({ ...none, autoYes: true, ...given }, 'S');
    const asked = { ...question, lookUp: async () => ({ canDiscuss }) };
    expect(await answers.decide(asked, signal)).toMatchObject(expected);
    expect((await answers.decide(asked, signal)).kind).toBe('approve');
  });

  test('answer the agents’ questions with --feedback, once', async () => {
    const answers = answersFrom({ ...none, autoYes: true, feedback: 'Use blue.' }, 'S');
    const asked = { round: 1, questions: ['Which colour?'], backgrounds: [], goesOn: false };
    expect(await answers.clarify(asked, signal)).toEqual({
      answers: [{ question: 'Which colour?', answer: 'Use blue.' }],
      feedback: 'Use blue.',
      skipped: false,
      by: 'flags',
    });
    expect((await answers.clarify(asked, signal)).skipped).toBe(true);
    expect((await answers.decide(question, signal)).kind).toBe('approve');
  });

  test('refuse an option that does not exist, naming the flag', async () => {
    const answers = answersFrom({ ...none, solution: 3 }, 'S');
    await expect(answers.decide(question, signal)).rejects.toThrow(Stopped);
    await expect(answers.decide(question, signal)).rejects.toThrow(
      '--solution 3: there are only 2 options',
    );
  });

  test('choose nothing that no agent supports, and say what to do; a number is taken at its word', async () => {
    const opposed = solutions.map((one) => ({ ...one, preferred_by: [] }));
    const asked = { ...question, synthesis: { ...question.synthesis, solutions: opposed } };
    const auto = answersFrom({ ...none, autoYes: true }, 'MCP-x');
    await expect(auto.decide(asked, signal)).rejects.toThrow(
      'No agent supports the only option, so none is taken. Choose one yourself: conclave resume MCP-x --auto-yes --solution N',
    );
    const named = answersFrom({ ...none, autoYes: true, solution: 1 }, 'MCP-x');
    expect(await named.decide(asked, signal)).toMatchObject({ kind: 'approve', solution: 1 });
  });

  test('approve the plan with --auto-yes unless the plan check blocks it', async () => {
    const answers = answersFrom({ ...none, autoYes: true }, 'S');
    expect(await answers.approve(approval([]), signal)).toEqual({
      kind: 'approve',
      by: 'auto',
      hash: reviewedPlan.hash,
    });
    expect(await answers.approve(approval([blocking]), signal)).toEqual({
      kind: 'leave',
      by: 'flags',
      why: blocking.message,
    });
  });

  test('leave a plan with an open finding of a reader whose evidence was found', async () => {
    const answers = answersFrom({ ...none, autoYes: true }, 'MCP-x');
    const asked = approval([]);
    const [reading] = samplesOf('plan-reading').good.map((one) => PlanReading.parse(one));
    const [found] = reading?.findings ?? [];
    const verdictFor = (part: object, version = 1) => {
      const findings = [{ ...found, ...part }];
      const seen = { ...asked.seen, version, reading: PlanReading.parse({ ...reading, findings }) };
      return answers.approve({ ...asked, seen }, signal);
    };
    expect(await verdictFor({ fate: 'open' })).toEqual({
      kind: 'leave',
      by: 'flags',
      why: 'codex found: The status is never 503. To have it fixed: conclave review MCP-x --comment TEXT; to approve it all the same: conclave review MCP-x, in a terminal',
      open: 1,
    });
    const unfounded = found?.evidence.map((claim) => ({ ...claim, status: 'failed' }));
    for (const part of [
      { fate: 'fixed' },
      { fate: 'refused' },
      { fate: 'open', severity: 'major' },
      { fate: 'open', evidence: unfounded },
      { fate: 'open', evidence: [] },
    ]) {
      expect(await verdictFor(part)).toMatchObject({ kind: 'approve' });
    }
    // A person has sent that version back since.
    expect(await verdictFor({ fate: 'open' }, 2)).toMatchObject({ kind: 'approve' });
  });

  test('leave the plan unapproved without --auto-yes and say how to approve it', async () => {
    const answers = answersFrom({ ...none, solution: 1 }, 'MCP-x');
    const verdict = await answers.approve(approval([]), signal);
    expect(verdict).toMatchObject({
      kind: 'leave',
      by: 'flags',
      why: expect.stringContaining('review MCP-x --approve'),
    });
  });
});

const reviewer = async (said: string | null, review: string | null) => {
  const given = executionAnswers({ ...none, execute: true, review });
  const preset = { execution_method: 'Agent', code_review_tool: said };
  const answer = await given.execute(
    {
      number: 1,
      tasks: [],
      files: [],
      setup: [],
      commands: [],
      byHand: null,
      obstacle: null,
      preset,
      lookUp: probing,
    },
    signal,
  );
  return answer.kind === 'now' ? answer.code_review_tool : null;
};

test('without a person nobody reviews, unless a flag or what was said names who does', async () => {
  expect(await reviewer(null, null)).toBe('Skip');
  expect(await reviewer('Agent Review', null)).toBe('Agent Review');
  expect(await reviewer('Agent Review', 'Skip')).toBe('Skip');
});

describe('a person who is asked', () => {
  const asked = {
    number: 1,
    tasks: [],
    files: [],
    setup: [],
    commands: [],
    byHand: null,
    lookUp: probing,
  } as const;
  const preset = { execution_method: 'Codex', code_review_tool: 'Skip' } as const;
  const person = {
    clarify: never,
    approve: never,
    apply: never,
    choose: never,
    decide: () => answersFrom(none, 's').decide(question, signal),
    execute: () => Promise.resolve({ kind: 'later' } as const),
  };

  test('is not asked what the flags say: who carries the plan out, who reviews, and that it is done', async () => {
    const flags = { ...none, execution: 'Codex', review: 'Gemini Review', execute: true } as const;
    const answers = answersWith(flags, person);
    const said = { execution_method: 'Codex', code_review_tool: 'Gemini Review' };
    expect(await answers.decide(question, signal)).toMatchObject(said);
    const who = { executors: [], reviewers: [] };
    const free = { ...asked, preset, who, obstacle: null };
    expect(await answers.execute(free, signal)).toMatchObject({ kind: 'now', ...said });
    expect(await answers.execute({ ...free, obstacle: 'stale' }, signal)).toEqual({
      kind: 'later',
    });
    expect(await answersWith(none, person).execute(free, signal)).toEqual({ kind: 'later' });
  });
});
