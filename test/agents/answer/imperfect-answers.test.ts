import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAnswer } from '../../../src/agents/answer/read-answer.ts';
import { PlanAnswer } from '../../../src/model/plan.ts';
import { Examination, Proposal } from '../../../src/model/proposal.ts';
import { examinationFaults, recommendation } from '../../../src/phases/discussion/vote-faults.ts';
import { type SchemaCheck, schemaCheck } from '../../../src/store/published-schemas.ts';
import { answerRoom, askedPrompt, type AnswerRoom } from './answer-run.ts';
import {
  answerRoot,
  type AnswerSchema,
  goodAnswers,
  imperfectAnswers,
  type Outcome,
  shownLabels,
} from './imperfect-answers.ts';
import { changed } from '../../helpers/samples.ts';

let check: SchemaCheck;
let room: AnswerRoom;
beforeAll(async () => {
  check = await schemaCheck({});
  room = await answerRoom();
});
afterAll(() => room.remove());

const { session } = Proposal.parse(goodAnswers.proposal);
const known = { root: answerRoot };
const votes = examinationFaults(shownLabels, () => ['A']);

function read(schema: AnswerSchema, text: string, before: string | null = null) {
  const question = { text, before, known, schemaName: schema, check };
  switch (schema) {
    case 'proposal':
      return readAnswer<Proposal>({
        ...question,
        ...recommendation,
        faultsOf: (answer) => recommendation.faultsOf(answer, 'alpha'),
        shape: Proposal,
        expected: { session, round: 1 },
      });
    case 'examination':
      return readAnswer<Examination>({
        ...question,
        ...votes,
        faultsOf: (answer) => votes.faultsOf(answer, 'alpha'),
        shape: Examination,
        expected: { session, round: 2 },
      });
    case 'plan-answer':
      return readAnswer({
        ...question,
        shape: PlanAnswer,
        expected: { session, phase: 'planning' },
      });
  }
}

/** What becomes of an answer where the repair of it would be good. */
function outcomeOf(schema: AnswerSchema, text: string): Outcome {
  const first = read(schema, text);
  if (first.ok) return first.value.notes.length === 0 ? 'taken' : 'noted';
  if (['refused', 'answer-cut'].includes(first.failure.category)) return 'refused';
  return read(schema, JSON.stringify(goodAnswers[schema]), text).ok ? 'repaired' : 'refused';
}

test('every kind of answer comes to what the table says, without a needless call', () => {
  expect(imperfectAnswers.length).toBeGreaterThanOrEqual(120);
  const wrong = imperfectAnswers.filter(
    ({ schema, text, outcome }) => outcomeOf(schema, text) !== outcome,
  );
  expect(wrong.map(({ schema, name }) => `${schema}: ${name}`)).toEqual([]);
});

test.each(imperfectAnswers.filter(({ reads }) => reads !== undefined))(
  '$schema $name: is read as it is meant',
  ({ schema, text, reads: [pointer, wanted] = ['', null] }) => {
    const answer = read(schema, text);
    const found = pointer
      .split('/')
      .slice(1)
      .reduce<unknown>(
        (value, key) => Object(value)[key] as unknown,
        answer.ok ? answer.value.value : null,
      );
    expect(found).toEqual(wanted);
  },
);

describe('a repair', () => {
  const good = JSON.stringify(goodAnswers['plan-answer']);
  const tasks = Array.from({ length: 18 }, (_, index) => ({
    id: `TASK-${String(index + 1).padStart(3, '0')}`,
    title: `Step ${index + 1}`,
    description: 'word '.repeat(400),
    depends_on: [],
    convergence: { criteria: ['It works'], ...(index === 4 ? { criteria: undefined } : {}) },
  }));
  const long = JSON.stringify({ ...JSON.parse(good), tasks });
  const mended = { ...tasks[4], convergence: { criteria: ['It works'] } };

  test('gets the whole question, the whole answer and the errors', async () => {
    const { requests } = await room.ask([long, good]);
    const [, repair] = requests;
    expect(long.length).toBeGreaterThan(30_000);
    expect(repair?.prompt).toContain(long);
    expect(repair?.prompt).toContain('The whole question.');
    expect(repair?.prompt).toContain('/tasks/4/convergence/criteria');
    expect(repair?.prompt.match(/conclave question:/g)).toHaveLength(1);
    expect(repair?.resume).toBeNull();
  });

  test('goes on in the session of an agent that can, without the question', async () => {
    const { requests, result } = await room.ask([long, good], { canResume: true });
    expect(requests[1]?.resume).toMatchObject({ agentSession: 'session-1' });
    expect(requests[1]?.prompt).not.toContain('The whole question.');
    expect(result.answer?.receipt).toMatchObject({ attempts: 2, repaired: true });
  });

  test('starts anew with the whole question where that session is lost', async () => {
    const lost = {
      agent: 'alpha',
      category: 'session-lost',
      detail: 'gone',
      retry_after_ms: null,
    } as const;
    const { requests, result } = await room.ask([long, lost, good], {
      canResume: true,
    });
    expect(requests.map(({ resume }) => resume !== null)).toEqual([false, true, false]);
    expect(requests[2]?.prompt).toContain('The whole question.');
    expect(result.answer).not.toBeNull();
  });

  test('keeps the 18 tasks of a plan of which three come back', async () => {
    const short = JSON.stringify({ ...JSON.parse(good), tasks: [tasks[0], mended, tasks[17]] });
    const { result } = await room.ask([long, short]);
    expect(result.answer?.value).toHaveProperty('tasks.length', 18);
    expect(result.answer?.value).toHaveProperty('tasks.4.convergence.criteria', ['It works']);
    expect(result.answer?.value).toHaveProperty(['tasks', '9', 'title'], 'Step 10');
    expect(result.answer?.receipt.notes).toContain('TASK-010: lost in the repair, put back');
  });

  test('may answer with what was wrong alone', async () => {
    const { result } = await room.ask([long, JSON.stringify({ tasks: [mended] })]);
    expect(result.answer?.value).toHaveProperty('tasks.length', 18);
    expect(result.answer?.value).toHaveProperty('plan.summary', 'Add a health endpoint.');
  });

  test('is not asked for where the answer is to another question', async () => {
    const other = JSON.stringify({ ...JSON.parse(good), session: 'MCP-other', tasks });
    const { requests, result } = await room.ask([other, good]);
    expect(requests).toHaveLength(1);
    expect(result.failed[0]?.failure.category).toBe('wrong-answer');
  });

  test('puts the question again where the answer held nothing', async () => {
    const { requests, result } = await room.ask(['Shall I go on?', good]);
    expect(requests[1]?.prompt).toContain('The whole question.');
    expect(requests[1]?.prompt).not.toContain('Shall I go on?');
    expect(result.answer).not.toBeNull();
  });

  test('is the last try', async () => {
    const { requests, result } = await room.ask(['{}']);
    expect(requests).toHaveLength(2);
    expect(result.failed[0]?.failure.category).toBe('invalid-answer');
    expect(requests[0]?.prompt).toBe(askedPrompt);
  });
});

test.each<[AnswerSchema, string, unknown, string, unknown, string]>([
  ['proposal', '/recommended', undefined, '/recommended', null, 'recommended: still missing'],
  ['proposal', '/recommended', 'Way 7', '/recommended', null, 'no vote: /recommended is "Way 7"'],
  ['examination', '/preferred', 'C', '/preferred', null, 'no vote: /preferred is "C"'],
  ['examination', '/preferred', undefined, '/preferred', null, 'preferred: still missing'],
  ['examination', '/stances/1/solution', 'C', '/stances/length', 1, '/stances/1/solution is "C"'],
])(
  'a vote of the %s at %s that is unclear after the repair (%s) is none, and the rest counts',
  (schema, at, put, pointer, expected, note) => {
    const text = JSON.stringify(changed(goodAnswers[schema], at, put));
    expect(read(schema, text)).toMatchObject({ failure: { category: 'invalid-answer' } });
    const answer = read(schema, text, text);
    expect(answer).toHaveProperty(`value.value${pointer.replaceAll('/', '.')}`, expected);
    expect(answer).toHaveProperty('value.notes', [expect.stringContaining(note)]);
  },
);

const failing = (category: 'refused' | 'answer-cut' | 'content-filtered' | 'network' | 'crashed') =>
  ({ agent: 'alpha', category, detail: 'x', retry_after_ms: null }) as const;

describe('an agent that gives no answer', () => {
  test.each(['refused', 'answer-cut', 'content-filtered'] as const)(
    'is not asked the same again: %s',
    async (category) => {
      const { requests } = await room.ask([failing(category)]);
      expect(requests).toHaveLength(1);
    },
  );

  test.each(['network', 'crashed'] as const)('is asked at most twice: %s', async (category) => {
    const { requests } = await room.ask([failing(category)]);
    expect(requests).toHaveLength(2);
  });
});
