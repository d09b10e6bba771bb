import { changed, samplesOf } from '../helpers/samples.ts';

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

/** The folder that absolute paths lie in. */
export const answerRoot = '/home/ann/project';

const { proposal, examination, 'plan-answer': plan } = goodAnswers;
const json = (value: unknown) => JSON.stringify(value);
const [proposed, examined, planned] = [json(proposal), json(examination), json(plan)];
const at = (value: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce((inner, key) => Object(inner)[key] as unknown, value);
const s0 = '/solutions/0';
const tasks = `${s0}/implementation_plan/tasks`;
const claim = `${s0}/claims/0`;

/** The good answer with some places changed; undefined drops a field. */
function edited(value: unknown, edits: Readonly<Record<string, unknown>>): string {
  return json(
    Object.entries(edits).reduce((all, [pointer, put]) => changed(all, pointer, put), value),
  );
}

/** With one field under another name. */
function renamed(value: unknown, pointer: string, name: string): string {
  const parent = pointer.slice(0, pointer.lastIndexOf('/'));
  return edited(value, { [`${parent}/${name}`]: at(value, pointer), [pointer]: undefined });
}

type Row = readonly [
  name: string,
  text: string,
  outcome: Outcome,
  reads?: readonly [string, unknown],
];

const set = (name: string, pointer: string, put: unknown, taken: unknown): Row => [
  name,
  edited(proposal, { [pointer]: put }),
  'noted',
  [pointer, taken],
];
const setStance = (name: string, pointer: string, put: unknown, taken: unknown): Row => [
  name,
  edited(examination, { [pointer]: put }),
  'noted',
  [pointer, taken],
];
const setPlan = (name: string, pointer: string, put: unknown, taken: unknown): Row => [
  name,
  edited(plan, { [pointer]: put }),
  'noted',
  [pointer, taken],
];

const solution = at(proposal, s0);
const five = [1, 2, 3, 4, 5].map((number) => changed(solution, '/name', `Way ${number}`));

const proposals: readonly Row[] = [
  ['as asked', proposed, 'taken'],
  ['in a fence', `\`\`\`json\n${proposed}\n\`\`\``, 'taken'],
  ['after prose', `I looked at the code first.\n\n${proposed}\n\nI hope this helps.`, 'taken'],
  ['after <think>', `<think>{"maybe": …}</think>${proposed}`, 'taken'],
  ['with trailing commas', proposed.replaceAll('}]', '},]'), 'taken'],
  ['in single quotes', proposed.replaceAll('"', "'"), 'taken'],
  ['with comments', proposed.replace('{', '{ // my answer\n'), 'taken'],
  ['without its last bracket', proposed.slice(0, -1), 'taken'],
  ['in a list of one', `[${proposed}]`, 'taken'],
  [
    'as the solutions alone, as a list',
    json(five.slice(0, 2)),
    'noted',
    ['/solutions/1/name', 'Way 2'],
  ],
  ['as one solution alone', json(solution), 'noted', [`${s0}/name`, at(solution, '/name')]],
  ['in {proposal}', json({ proposal }), 'noted'],
  ['in {answer}', json({ answer: proposal }), 'noted'],
  ['in {result: {answer}}', json({ result: { answer: proposal } }), 'noted'],
  [
    'without session and round',
    edited(proposal, { '/session': undefined, '/round': undefined }),
    'taken',
  ],
  ['with the placeholder of the example', edited(proposal, { '/session': '…' }), 'taken'],
  ['with the round as text', edited(proposal, { '/round': '1' }), 'noted', ['/round', 1]],
  ['with another round', edited(proposal, { '/round': 4 }), 'repaired'],
  [
    'with another session',
    edited(proposal, { '/session': 'MCP-other-2026-01-01-zzzz' }),
    'repaired',
  ],
  [
    'with five solutions',
    edited(proposal, { '/solutions': five }),
    'noted',
    ['/solutions/2/name', 'Way 3'],
  ],
  set('effort: med', `${s0}/effort`, 'med', 'medium'),
  set('effort: Moderate', `${s0}/effort`, 'Moderate', 'medium'),
  set('effort: small', `${s0}/effort`, 'small', 'low'),
  set('effort: low (1 day)', `${s0}/effort`, 'low (1 day)', 'low'),
  set('effort: LOW', `${s0}/effort`, 'LOW', 'low'),
  set('effort: low-medium', `${s0}/effort`, 'low-medium', 'medium'),
  set('effort: Medium: two files', `${s0}/effort`, 'Medium: two files', 'medium'),
  set('effort: missing', `${s0}/effort`, undefined, 'medium'),
  set('effort: in hours', `${s0}/effort`, '2-3 hours', 'low'),
  set('risk: minimal', `${s0}/risk`, 'minimal', 'low'),
  set('risk: very high', `${s0}/risk`, 'very high', 'high'),
  set('risk: a list', `${s0}/risk`, ['medium'], 'medium'),
  set('risk: with its reason', `${s0}/risk`, { level: 'low', reason: 'small' }, 'low'),
  set('feasibility: "95%"', `${s0}/feasibility`, '95%', 0.95),
  set('feasibility: 95', `${s0}/feasibility`, 95, 0.95),
  set('feasibility: "0.8"', `${s0}/feasibility`, '0.8', 0.8),
  set('feasibility: "8/10"', `${s0}/feasibility`, '8/10', 0.8),
  set('feasibility: 9', `${s0}/feasibility`, 9, 0.9),
  set('feasibility: high', `${s0}/feasibility`, 'high', 0.8),
  set('feasibility: missing', `${s0}/feasibility`, undefined, 0.5),
  set('line: "46-51"', `${claim}/line`, '46-51', 46),
  set('line: 0', `${claim}/line`, 0, 1),
  set('line: "L46"', `${claim}/line`, 'L46', 46),
  set('line: [46, 51]', `${claim}/line`, [46, 51], 46),
  set('line: {start, end}', `${claim}/line`, { start: 46, end: 51 }, 46),
  set('line: "46"', `${claim}/line`, '46', 46),
  set('line: 46.0', `${claim}/line`, 46.5, 46),
  [
    'line: in the path',
    edited(proposal, { [`${claim}/path`]: 'src/server.ts:46', [`${claim}/line`]: undefined }),
    'noted',
    [`${claim}/line`, 46],
  ],
  set('path: absolute', `${claim}/path`, `${answerRoot}/src/server.ts`, 'src/server.ts'),
  set('path: ./', `${claim}/path`, './src/server.ts', 'src/server.ts'),
  set('path: with a line', `${claim}/path`, 'src/server.ts#L12-L14', 'src/server.ts'),
  set('path: in backticks', `${claim}/path`, '`src/server.ts`', 'src/server.ts'),
  set('quote: missing', `${claim}/quote`, undefined, ''),
  [
    'quote: called snippet',
    renamed(proposal, `${claim}/quote`, 'snippet'),
    'noted',
    [`${claim}/quote`, 'app.use(routes)'],
  ],
  ['statement: called claim', renamed(proposal, `${claim}/statement`, 'claim'), 'noted'],
  [
    'claims: called evidence',
    renamed(proposal, `${s0}/claims`, 'evidence'),
    'noted',
    [`${claim}/line`, 12],
  ],
  ['claims: missing', edited(proposal, { [`${s0}/claims`]: undefined }), 'repaired'],
  ['claims: without a path', edited(proposal, { [`${claim}/path`]: undefined }), 'repaired'],
  set('flow: a list', `${s0}/implementation_plan/execution_flow`, ['T1', 'T2'], 'T1 → T2'),
  set('flow: missing', `${s0}/implementation_plan/execution_flow`, undefined, ''),
  set('milestones: a text', `${s0}/implementation_plan/milestones`, 'It answers 200', [
    'It answers 200',
  ]),
  set('pros: a text of two lines', `${s0}/pros`, '- Small\n- Quick', ['Small', 'Quick']),
  set('cons: none', `${s0}/cons`, 'None.', []),
  ['cons: missing', edited(proposal, { [`${s0}/cons`]: undefined }), 'taken'],
  set('concerns: a map', `${s0}/technical_concerns`, { Load: 'The ping may block.' }, [
    'Load: The ping may block.',
  ]),
  set(
    'concerns: of objects',
    `${s0}/technical_concerns`,
    [{ concern: 'It may block.' }],
    ['It may block.'],
  ),
  set('dependencies: a list', `${s0}/dependencies`, ['src/db.ts'], {
    internal: ['src/db.ts'],
    external: [],
  }),
  set('dependencies: none', `${s0}/dependencies`, 'none', { internal: [], external: [] }),
  set('dependencies: a text inside', `${s0}/dependencies/internal`, 'src/db.ts, src/web.ts', [
    'src/db.ts',
    'src/web.ts',
  ]),
  set('summary: a list', `${s0}/summary`, ['One.', 'Two.'], 'One.; Two.'),
  ['summary: called description', renamed(proposal, `${s0}/summary`, 'description'), 'noted'],
  [
    'name: called title',
    renamed(proposal, `${s0}/name`, 'title'),
    'noted',
    [`${s0}/name`, 'Route with checks'],
  ],
  [
    'name: missing',
    edited(proposal, { [`${s0}/name`]: undefined }),
    'noted',
    [`${s0}/name`, 'A small route that pings the database.'],
  ],
  ['name: of 300 characters', edited(proposal, { [`${s0}/name`]: 'long '.repeat(60) }), 'noted'],
  [
    'approach: missing',
    edited(proposal, { [`${s0}/implementation_plan/approach`]: undefined }),
    'repaired',
  ],
  [
    'plan: beside its solution',
    json(
      changed(changed(proposal, `${s0}/implementation_plan`, undefined), s0, {
        ...Object(changed(solution, '/implementation_plan', undefined)),
        ...Object(at(solution, '/implementation_plan')),
      }),
    ),
    'noted',
    [`${tasks}/1/id`, 'T2'],
  ],
  [
    'field names in camelCase',
    edited(proposal, { [`${tasks}/0/dependsOn`]: [], [`${tasks}/0/depends_on`]: undefined }),
    'noted',
  ],
  [
    'fields that nobody asked for',
    edited(proposal, { [`${s0}/confidence`]: 'sure', '/notes': 'x' }),
    'noted',
  ],
  [
    'solutions: as JSON text',
    edited(proposal, { '/solutions': json(at(proposal, '/solutions')) }),
    'noted',
  ],
  ['solutions: a map', edited(proposal, { '/solutions': { A: solution } }), 'noted'],
  ['solutions: an object', edited(proposal, { '/solutions': solution }), 'noted'],
  ['solutions: called proposals', renamed(proposal, '/solutions', 'proposals'), 'noted'],
  ['solutions: none', edited(proposal, { '/solutions': [] }), 'repaired'],
  set('task ids: 1', `${tasks}/0/id`, 1, 'T1'),
  [
    'task ids: T1.1',
    edited(proposal, { [`${tasks}/1/id`]: 'T1.1' }),
    'noted',
    [`${tasks}/1/id`, 'T2'],
  ],
  [
    'task ids: TASK-001',
    edited(proposal, {
      [`${tasks}/0/id`]: 'TASK-001',
      [`${tasks}/1/id`]: 'TASK-002',
      [`${tasks}/1/depends_on`]: ['TASK-001'],
    }),
    'noted',
    [`${tasks}/1/depends_on`, ['T1']],
  ],
  [
    'task ids: missing',
    edited(proposal, { [`${tasks}/0/id`]: undefined }),
    'noted',
    [`${tasks}/0/id`, 'T1'],
  ],
  [
    'task ids: only in a flow',
    edited(proposal, {
      [`${tasks}/0/id`]: '1',
      [`${tasks}/1/id`]: '2',
      [`${s0}/implementation_plan/execution_flow`]: '1 → 2',
    }),
    'noted',
    [`${s0}/implementation_plan/execution_flow`, 'T1 → T2'],
  ],
  set('depends_on: a text', `${tasks}/1/depends_on`, 'T1', ['T1']),
  set('depends_on: none', `${tasks}/0/depends_on`, 'none', []),
  set('depends_on: a number', `${tasks}/1/depends_on`, [1], ['T1']),
  set('depends_on: by name', `${tasks}/1/depends_on`, ['Add the route'], ['T1']),
  [
    'tasks: a map',
    edited(proposal, { [tasks]: { T1: changed(at(proposal, `${tasks}/0`), '/id', undefined) } }),
    'noted',
    [`${tasks}/0/id`, 'T1'],
  ],
  [
    'tasks: texts',
    edited(proposal, { [tasks]: ['Add the route', 'Test it'] }),
    'noted',
    [`${tasks}/1/name`, 'Test it'],
  ],
  [
    'tasks: title for name',
    renamed(proposal, `${tasks}/0/name`, 'title'),
    'noted',
    [`${tasks}/0/name`, 'Add the route'],
  ],
  set(
    'files: texts',
    `${tasks}/0/files`,
    ['src/server.ts'],
    [{ file: 'src/server.ts', action: 'modify' }],
  ),
  set(
    'files: texts with what happens',
    `${tasks}/0/files`,
    ['src/health.ts (new)'],
    [{ file: 'src/health.ts', action: 'create' }],
  ),
  set('files: a map', `${tasks}/0/files`, { 'src/server.ts': 'update' }, [
    { file: 'src/server.ts', action: 'modify' },
  ]),
  [
    'files: path for file',
    renamed(proposal, `${tasks}/0/files/1/file`, 'path'),
    'noted',
    [`${tasks}/0/files/1/file`, 'src/server.ts'],
  ],
  set('action: update', `${tasks}/0/files/1/action`, 'update', 'modify'),
  set('action: missing', `${tasks}/0/files/1/action`, undefined, 'modify'),
  set('action: Add', `${tasks}/0/files/0/action`, 'Add', 'create'),
  set('questions: a text', '/questions', 'Must it need a login?', ['Must it need a login?']),
  ['questions: null', edited(proposal, { '/questions': null }), 'taken'],
  ['a refusal', 'I’m sorry, but I can’t help with that request.', 'refused'],
  ['prose only', 'The best way is to add a route to src/server.ts and test it.', 'repaired'],
  ['nothing but an empty object', '{}', 'repaired'],
  ['cut in the middle', proposed.slice(0, Math.floor(proposed.length / 2)), 'refused'],
];

const examinations: readonly Row[] = [
  ['as asked', examined, 'taken'],
  ['without stances', edited(examination, { '/stances': [] }), 'repaired'],
  ['with stances missing', edited(examination, { '/stances': undefined }), 'repaired'],
  setStance('stance: agree', '/stances/0/stance', 'agree', 'support'),
  setStance('stance: neutral', '/stances/0/stance', 'neutral', 'unsure'),
  setStance('stance: Strongly oppose', '/stances/0/stance', 'Strongly oppose', 'oppose'),
  setStance(
    'stance: support with reservations',
    '/stances/0/stance',
    'support, but only with tests',
    'unsure',
  ),
  setStance('stance: do not support', '/stances/0/stance', 'do not support', 'oppose'),
  ['stance: missing', edited(examination, { '/stances/0/stance': undefined }), 'repaired'],
  [
    'stance: called verdict',
    renamed(examination, '/stances/0/stance', 'verdict'),
    'noted',
    ['/stances/0/stance', 'support'],
  ],
  setStance('label: Solution A', '/stances/0/solution', 'Solution A', 'A'),
  setStance('label: a', '/stances/0/solution', 'a', 'A'),
  setStance('label: A (Route with checks)', '/stances/0/solution', 'A (Route with checks)', 'A'),
  setStance('label: by name', '/stances/1/solution', 'A cached probe', 'B'),
  [
    'label: called label',
    renamed(examination, '/stances/0/solution', 'label'),
    'noted',
    ['/stances/0/solution', 'A'],
  ],
  [
    'label: none that was shown',
    edited(examination, { '/stances/0/solution': 'the first' }),
    'repaired',
  ],
  [
    'stances: a map of words',
    edited(examination, { '/stances': { A: 'support', B: 'oppose' } }),
    'noted',
    ['/stances/1/stance', 'oppose'],
  ],
  [
    'stances: a map',
    edited(examination, { '/stances': { A: { stance: 'agree', reasons: 'It fits.' } } }),
    'noted',
    ['/stances/0/reasons', ['It fits.']],
  ],
  setStance('reasons: a text', '/stances/0/reasons', 'The hook exists.', ['The hook exists.']),
  [
    'reasons: called reason',
    edited(examination, { '/stances/0/reasons': undefined, '/stances/0/reason': 'It fits.' }),
    'noted',
    ['/stances/0/reasons', ['It fits.']],
  ],
  ['evidence: missing', edited(examination, { '/stances/0/evidence': undefined }), 'taken'],
  setStance('revision: {}', '/revision', {}, null),
  setStance('revision: none', '/revision', 'none', null),
  setStance(
    'revision: a list of one',
    '/revision',
    [at(examination, '/revision')],
    at(examination, '/revision'),
  ),
  [
    'revision: missing',
    edited(examination, { '/revision': undefined }),
    'taken',
    ['/revision', null],
  ],
  setStance('search terms: a text', '/search_terms', 'registerRoute, healthProbe', [
    'registerRoute',
    'healthProbe',
  ]),
  ['in {examination}', json({ examination }), 'noted'],
  ['round: "Round 2"', edited(examination, { '/round': 'Round 2' }), 'noted', ['/round', 2]],
  ['a proposal instead', proposed, 'repaired'],
];

const plans: readonly Row[] = [
  ['as asked', planned, 'taken'],
  ['in {plan: {plan, tasks}}', json({ plan }), 'noted', ['/tasks/1/id', 'TASK-002']],
  [
    'with the tasks in the plan',
    edited(plan, { '/plan/tasks': at(plan, '/tasks'), '/tasks': undefined }),
    'noted',
    ['/tasks/1/id', 'TASK-002'],
  ],
  ['with the tasks in both', edited(plan, { '/plan/tasks': ['TASK-001'] }), 'noted'],
  [
    'with the plan’s fields beside the tasks',
    json({ ...Object(at(plan, '/plan')), tasks: at(plan, '/tasks') }),
    'noted',
    ['/plan/summary', 'Add a health endpoint.'],
  ],
  ['phase: plan', edited(plan, { '/phase': 'plan' }), 'noted', ['/phase', 'planning']],
  setPlan('task ids: 1', '/tasks/0/id', 1, 'TASK-001'),
  [
    'tasks: name for title',
    renamed(plan, '/tasks/0/title', 'name'),
    'noted',
    ['/tasks/0/title', 'Add the route'],
  ],
  [
    'tasks: no description',
    edited(plan, { '/tasks/0/description': undefined }),
    'noted',
    ['/tasks/0/description', 'Add the route'],
  ],
  setPlan('depends_on: missing', '/tasks/0/depends_on', 'nothing', []),
  setPlan('criteria: a text', '/tasks/0/convergence/criteria', 'GET /health answers 200', [
    'GET /health answers 200',
  ]),
  setPlan('convergence: a list', '/tasks/0/convergence', ['It answers 200'], {
    criteria: ['It answers 200'],
  }),
  [
    'convergence: acceptance_criteria',
    edited(plan, {
      '/tasks/0/convergence': undefined,
      '/tasks/0/acceptance_criteria': ['It answers 200'],
    }),
    'noted',
    ['/tasks/0/convergence/criteria', ['It answers 200']],
  ],
  ['convergence: missing', edited(plan, { '/tasks/0/convergence': undefined }), 'repaired'],
  setPlan(
    'checks: texts',
    '/tasks/0/checks',
    ['npm test -- health', 'The page looks right'],
    [
      { kind: 'command', argv: ['npm', 'test', '--', 'health'] },
      { kind: 'manual', describes: 'The page looks right' },
    ],
  ),
  setPlan(
    'checks: a command line',
    '/tasks/0/checks',
    [{ kind: 'command', argv: 'npm test' }],
    [{ kind: 'command', argv: ['npm', 'test'] }],
  ),
  setPlan(
    'checks: a command line in a list',
    '/tasks/0/checks',
    [{ kind: 'command', argv: ['npm test'] }],
    [{ kind: 'command', argv: ['npm', 'test'] }],
  ),
  setPlan(
    'checks: {command}',
    '/tasks/0/checks',
    [{ kind: 'command', command: 'npm test' }],
    [{ kind: 'command', argv: ['npm', 'test'] }],
  ),
  setPlan(
    'checks: without a kind',
    '/tasks/0/checks',
    [{ path: 'src/a.ts', exists: true }],
    [{ kind: 'file', path: 'src/a.ts', exists: true }],
  ),
  setPlan(
    'checks: with more fields',
    '/tasks/0/checks',
    [{ kind: 'manual', describes: 'x', why: 'y' }],
    [{ kind: 'manual', describes: 'x' }],
  ),
  setPlan('files: texts', '/tasks/0/files', ['src/health.ts'], [{ path: 'src/health.ts' }]),
  setPlan(
    'files: file for path',
    '/tasks/0/files',
    [{ file: 'src/health.ts', action: 'add' }],
    [{ path: 'src/health.ts', action: 'create' }],
  ),
  setPlan(
    'files: absolute with a line',
    '/tasks/0/files',
    [{ path: `${answerRoot}/src/a.ts:12` }],
    [{ path: 'src/a.ts' }],
  ),
  setPlan(
    'files: with more fields',
    '/tasks/0/files',
    [{ path: 'a.ts', lines: '1-2' }],
    [{ path: 'a.ts' }],
  ),
  setPlan('priority: P1', '/tasks/0/priority', 'P1', 'high'),
  setPlan('priority: whatever', '/tasks/0/priority', 'whenever', undefined),
  setPlan('action: modify', '/tasks/0/action', 'modify', 'Update'),
  setPlan('type: test', '/tasks/0/type', 'tests', 'testing'),
  setPlan('effort: low', '/tasks/0/effort', 'low', 'small'),
  setPlan('complexity: moderate', '/plan/complexity', 'moderate', 'Medium'),
  setPlan(
    'decisions: texts',
    '/plan/design_decisions',
    ['One route'],
    [{ decision: 'One route', rationale: 'One route' }],
  ),
  setPlan(
    'risks: texts',
    '/tasks/0/risks',
    ['It may block'],
    [
      {
        description: 'It may block',
        probability: 'Medium',
        impact: 'Medium',
        mitigation: 'none named',
      },
    ],
  ),
  setPlan('reference: a text', '/tasks/0/reference', 'src/routes.ts', { pattern: 'src/routes.ts' }),
  setPlan('test: a list', '/tasks/0/test', ['answers 200'], { unit: ['answers 200'] }),
  setPlan('implementation: a text', '/tasks/0/implementation', '1. Add it\n2. Test it', [
    'Add it',
    'Test it',
  ]),
  setPlan('flow: a list', '/plan/execution_flow', ['TASK-001', 'TASK-002'], 'TASK-001 → TASK-002'),
  ['without tasks', edited(plan, { '/tasks': [] }), 'repaired'],
];

const rowsOf = (schema: AnswerSchema, rows: readonly Row[]): ImperfectAnswer[] =>
  rows.map(([name, text, outcome, reads]) => ({
    name,
    schema,
    text,
    outcome,
    ...(reads ? { reads } : {}),
  }));

/** Answers as models give them that are good, sloppy, or none. */
export const imperfectAnswers: readonly ImperfectAnswer[] = [
  ...rowsOf('proposal', proposals),
  ...rowsOf('examination', examinations),
  ...rowsOf('plan-answer', plans),
];

/** The names of the solutions that were examined. */
export const shownLabels = new Map([
  ['A', 'Route with checks'],
  ['B', 'A cached probe'],
]);
