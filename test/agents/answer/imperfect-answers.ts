import { readFileSync } from 'node:fs';
import { isObject } from '../../../src/model/json.ts';
import { changed, samplesOf } from '../../helpers/samples.ts';

export type AnswerSchema = 'proposal' | 'examination' | 'plan-answer';

/** What becomes of an answer: `taken` as it is, or `noted`, with what was put right in its receipt. */
export type Outcome = 'taken' | 'noted' | 'repaired' | 'refused';

export interface ImperfectAnswer {
  readonly name: string;
  readonly schema: AnswerSchema;
  /** The answer as the agent gives it. */
  readonly text: string;
  readonly outcome: Outcome;
  /** What stands at a place of the answer that is taken. */
  readonly reads?: readonly [pointer: string, value: unknown];
}

export const goodAnswers: Readonly<Record<AnswerSchema, unknown>> = {
  proposal: samplesOf('proposal').good[0],
  examination: samplesOf('examination').good[0],
  'plan-answer': samplesOf('plan-answer').good[0],
};

/** The names of the solutions that were examined. */
export const shownLabels = new Map([
  ['A', 'Route with checks'],
  ['B', 'A cached probe'],
]);

/** The folder that absolute paths lie in. */
export const answerRoot = '/home/ann/project';

type Row = Omit<ImperfectAnswer, 'schema'>;

const { proposal, examination, 'plan-answer': plan } = goodAnswers;
const json = (value: unknown) => JSON.stringify(value);
const at = (value: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce((inner, key) => Object(inner)[key] as unknown, value);
const proposed = json(proposal);
const solution = at(proposal, '/solutions/0');
const flat = {
  ...Object(changed(solution, '/implementation_plan', undefined)),
  ...Object(at(solution, '/implementation_plan')),
};
const five = [1, 2, 3, 4, 5].map((number) => changed(solution, '/name', `Way ${number}`));
const withSecond = {
  ...Object(proposal),
  solutions: [solution, { ...Object(solution), name: 'Way 2' }],
};
const forSecond = { ...withSecond, recommended: 'Way 2' };
const voteless = changed(withSecond, '/recommended', undefined);
const [first, second] = ['Way 1', 'Way 2'].map((name, place) => ({
  ...Object(proposal),
  recommended: name,
  solutions: [five[place]],
}));
const pretty = JSON.stringify(proposal, null, 2);
const cutAt = (text: string, mark: string) => text.slice(0, text.lastIndexOf(mark));
const numbered = (text: string) =>
  text
    .split('\n')
    .map((line, index) => `${index + 1}: ${line}`)
    .join('\n');
const fieldLines = (value: unknown) =>
  Object.entries(Object(value))
    .map(([name, field]) => `${name}: ${typeof field === 'string' ? field : json(field)}`)
    .join('\n');
const toolCall = (value: unknown) =>
  Object.entries(Object(value))
    .map(
      ([name, field]) =>
        `<parameter name="${name}">${typeof field === 'string' ? field : json(field)}</parameter>`,
    )
    .join('\n');
const markdown =
  '# Plan\n\nI would change the route:\n\n```js\nlog("{"\n```\n\nThen the line `return {"` follows.';
const row = (
  name: string,
  text: string,
  outcome: Outcome,
  ...[pointer, value]: readonly unknown[]
): Row =>
  typeof pointer === 'string'
    ? { name, text, outcome, reads: [pointer, value] }
    : { name, text, outcome };
const solutions = (name: string, put: unknown, ...reads: readonly unknown[]) =>
  row(name, json(changed(proposal, '/solutions', put)), 'noted', ...reads);

/** Those that say too much to be told in a line. */
const long: Readonly<Record<AnswerSchema, readonly Row[]>> = {
  proposal: [
    row('with trailing commas', proposed.replaceAll('}]', '},]'), 'taken'),
    row('in single quotes', proposed.replaceAll('"', "'"), 'taken'),
    row('with comments', proposed.replace('{', '{ // my answer\n'), 'taken'),
    row('without its last bracket', proposed.slice(0, -1), 'taken'),
    row('without its last list', cutAt(proposed, ',"questions"'), 'taken', '/questions', []),
    row('without the end of its last list', cutAt(proposed, 'Must it'), 'refused'),
    row('cut before its last list', cutAt(proposed, 'uestions"'), 'refused'),
    row('cut in its last list', cutAt(proposed, ' need a login'), 'refused'),
    row('cut after a solution', cutAt(json(withSecond), ',{"name":"Way 2"'), 'repaired'),
    row(
      'cut after a draft',
      `${proposed}\n\nBetter:\n\n${cutAt(json(forSecond), '"Way 2","summary')}`,
      'refused',
    ),
    row(
      'cut in the second solution',
      cutAt(json(withSecond), '"Way 2"') + '"Way 2","summary":"The oth',
      'refused',
    ),
    row('cut in the recommended solution', cutAt(json(forSecond), '"Way 2","summary'), 'refused'),
    row(
      'cut between two solutions without a vote',
      cutAt(json(voteless), '{"name":"Way 2"'),
      'refused',
    ),
    row('Markdown with code that ends in a brace', markdown, 'repaired'),
    row(
      'Markdown with an object that stays open',
      `${markdown}\n\`\`\`js\nsend({ status: 1,`,
      'repaired',
    ),
    row('cut in the middle', proposed.slice(0, Math.floor(proposed.length / 2)), 'refused'),
    row('the solutions alone', json(five.slice(0, 2)), 'repaired'),
    row('one solution alone', json(solution), 'repaired'),
    row(
      'prose, then a list of solutions',
      `I see two ways:\n\n${json(five.slice(0, 2))}`,
      'repaired',
    ),
    row('two objects, a solution each', five.slice(0, 2).map(json).join('\n\n'), 'repaired'),
    row('two answers that recommend different ones', json(first) + json(second), 'repaired'),
    row(
      'two answers with the same recommendation',
      json(first) + json(changed(second, '/recommended', 'Way 1')),
      'repaired',
    ),
    row(
      'two answers that differ in one word, in prose and in a fence',
      `${proposed}\n\n\`\`\`json\n${json(changed(proposal, '/solutions/0/risk', 'high'))}\n\`\`\``,
      'repaired',
    ),
    row(
      'two answers, the second damaged',
      `${json(forSecond)}\n\n${json(withSecond).replace(/}$/, ',}')}`,
      'repaired',
    ),
    row('the same answer twice', `${proposed}\n\n\`\`\`json\n${pretty}\n\`\`\``, 'taken'),
    row(
      'a vote in prose, then a list of solutions',
      `recommended: Way 2\n\n${json(five.slice(0, 2))}`,
      'repaired',
    ),
    row('a tool call as text', toolCall(withSecond), 'repaired'),
    row('lines of fields', fieldLines(withSecond), 'repaired'),
    row('arguments as text', json({ name: 'answer', arguments: proposed }), 'repaired'),
    row('a JSON text', json(proposed), 'repaired'),
    row('quoted line by line', pretty.replaceAll(/^/gm, '> '), 'repaired'),
    row('with numbers of lines', numbered(pretty), 'repaired'),
    row('NaN for a number', proposed.replace('0.85', 'NaN'), 'repaired'),
    row(
      'with five solutions',
      json({ ...Object(proposal), solutions: five, recommended: 'Way 5' }),
      'repaired',
    ),
    row('plan: beside its solution', json(changed(proposal, '/solutions', [flat])), 'repaired'),
    row('solutions: a map', json(changed(proposal, '/solutions', { A: solution })), 'repaired'),
    solutions('solutions: as JSON text', json([solution])),
    solutions('solutions: an object', solution),
    row('solutions: called proposals', proposed.replace('"solutions"', '"proposals"'), 'noted'),
  ],
  examination: [
    row(
      'revision: a list of one',
      json(changed(examination, '/revision', [at(examination, '/revision')])),
      'noted',
      '/revision',
      at(examination, '/revision'),
    ),
    row('a proposal instead', proposed, 'repaired'),
  ],
  'plan-answer': [
    row(
      'with the tasks in the plan',
      json(changed(changed(plan, '/plan/tasks', at(plan, '/tasks')), '/tasks', undefined)),
      'repaired',
    ),
    row(
      'with the plan’s fields beside the tasks',
      json({ ...Object(at(plan, '/plan')), tasks: at(plan, '/tasks') }),
      'repaired',
    ),
  ],
};

/**
 * Answers as models give them that are good, sloppy, or none. A line of the table has a name, the
 * outcome, and the answer: the fields of the good one that are changed, or a text around it; then
 * what is read, at the place that was changed where it names no other.
 */
export const imperfectAnswers: readonly ImperfectAnswer[] = [
  ...answersIn('proposal'),
  ...answersIn('examination'),
  ...answersIn('plan-answer'),
];

function answersIn(schema: AnswerSchema): readonly ImperfectAnswer[] {
  const table = readFileSync(
    new URL('../../fixtures/imperfect-answers.txt', import.meta.url),
    'utf8',
  );
  const [, part = ''] = table.split(`# ${schema}\n`);
  const lines = part.split('\n\n', 1).join('').trim().split('\n');
  return [...lines.map((line) => rowIn(line, goodAnswers[schema])), ...long[schema]].map(
    (answer) => ({ ...answer, schema }),
  );
}

function rowIn(line: string, good: unknown): Row {
  const [name = '', outcome = '', given = '', ...reads] = line.split(' | ');
  if (!isOutcome(outcome)) throw new Error(`no outcome in: ${line}`);
  const put: unknown = JSON.parse(given);
  const edits = isObject(put)
    ? Object.entries(put).map(([to, value]) => [to, unlessMissing(value)] as const)
    : [];
  const text = isObject(put)
    ? json(edits.reduce((all, [pointer, value]) => changed(all, pointer, value), good))
    : String(put).replace('(good)', () => json(good));
  const wanted = reads.at(-1);
  if (wanted === undefined) return { name, text, outcome };
  const [pointer = edits[0]?.[0] ?? ''] = reads.slice(0, -1);
  return {
    name,
    text,
    outcome,
    reads: [pointer, wanted === '(missing)' ? undefined : (JSON.parse(wanted) as unknown)],
  };
}

function unlessMissing(value: unknown): unknown {
  return value === '(missing)' ? undefined : value;
}

function isOutcome(word: string): word is Outcome {
  return ['taken', 'noted', 'repaired', 'refused'].includes(word);
}
