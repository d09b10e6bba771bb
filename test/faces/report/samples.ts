import {
  type CheckRun,
  type TaskOutcome,
  CodeReview,
  ExecutionResult,
} from '../../../src/model/execution.ts';
import type { Receipt } from '../../../src/model/receipt.ts';
import { SessionState } from '../../../src/model/session.ts';
import { Synthesis } from '../../../src/model/synthesis.ts';
import { Plan } from '../../../src/model/plan.ts';
import { Task } from '../../../src/model/task.ts';
import type { ReportData } from '../../../src/faces/report/page.ts';
import { planOf, taskOf } from '../../phases/planning/samples.ts';

const commit = '3f2a9c0d4e5b6a7f8091a2b3c4d5e6f708192a3b';
const task = 'Limit the rate of requests to the login endpoint';

const claim = (over: object) => ({
  agent: 'codex',
  statement: 'The route has no middleware of its own.',
  path: 'src/routes/login.ts',
  line: 14,
  quote: "router.post('/login', async (request, response) => {",
  status: 'verified',
  found_line: 14,
  note: '',
  ...over,
});

const stance = (agent: string, kind: string, reason: string) => ({
  agent,
  stance: kind,
  reasons: [reason],
  evidence: [claim({ agent, statement: `${agent} looked at the store.`, path: 'src/store.ts' })],
});

const plan = {
  approach: 'A middleware before the route counts requests by address in `RateStore`.',
  tasks: [
    { id: 'T1', name: 'Add the store', depends_on: [], files: [], key_point: 'In memory first.' },
  ],
  execution_flow: 'T1',
  milestones: [],
};

const solution = (name: string, over: object) => ({
  id: name,
  name,
  source_cli: ['codex'],
  feasibility: 0.86,
  effort: 'low',
  risk: 'medium',
  summary: 'A middleware counts requests by address and answers 429 above a limit.',
  implementation_plan: plan,
  dependencies: { internal: [], external: [] },
  technical_concerns: ['Behind a proxy all requests come from one address.'],
  pros: ['Touches one route only.', 'No new dependency.'],
  cons: ['Counts are lost at a restart.'],
  affected_files: [
    { file: 'src/routes/login.ts', line: 14, action: 'modify', status: 'verified', note: '' },
    { file: 'src/limits/store.ts', line: null, action: 'create', status: 'planned', note: '' },
  ],
  ...over,
});

const round = (number: number, stances: readonly object[]) =>
  Synthesis.parse({
    round: number,
    solutions: [
      solution('A middleware with counts in memory', {
        stances: stances.slice(0, 2),
        preferred_by: ['claude'],
        claims: [
          claim({}),
          claim({
            agent: 'claude',
            status: 'moved',
            line: 9,
            note: 'The quote stands in line 14.',
          }),
          claim({
            statement: 'There is a limiter already.',
            status: 'failed',
            found_line: null,
            path: 'src/limit.ts',
            quote: 'export const limiter',
            note: 'There is no such file.',
          }),
        ],
      }),
      solution('Limits at the reverse proxy', {
        source_cli: ['claude', 'gemini'],
        feasibility: 0.6,
        effort: 'high',
        summary: 'nginx limits requests before they reach the program.',
        stances: stances.slice(2),
        claims: [
          claim({
            path: 'deploy/nginx.conf',
            status: 'planned',
            quote: '',
            statement: 'A zone is added here.',
          }),
        ],
      }),
    ],
    convergence: {
      score: number === 1 ? 0.4 : 1,
      new_insights: number === 1,
      vendors: ['anthropic', 'openai'],
      recommendation: number === 1 ? 'continue' : 'converged',
      reasons: ['Two vendors support “A middleware with counts in memory”, and nobody opposes it.'],
    },
    cross_verification: {
      agreements: ['All cite src/routes/login.ts:14.'],
      disagreements: number === 1 ? ['Whether the proxy is part of this repository.'] : [],
      resolution: '',
    },
    clarification_questions: [],
    unanswered:
      number === 1
        ? []
        : [{ agent: 'gemini', category: 'timed-out', reason: 'no answer in 600 s' }],
  });

const rounds = [
  round(1, []),
  round(2, [
    stance('claude', 'support', 'It is small, and `RateStore` can be replaced later.'),
    stance('codex', 'support', 'One route, one middleware.'),
    stance('claude', 'unsure', 'The proxy is configured elsewhere.'),
    stance('codex', 'oppose', 'Nothing in this repository configures a proxy.'),
  ]),
];

const titles = [
  ['TASK-001', 'Add a store of counts by address', []],
  [
    'TASK-002',
    'Read the limits from the settings, with defaults that suit a small installation',
    [],
  ],
  ['TASK-003', 'Write the middleware', ['TASK-001', 'TASK-002']],
  ['TASK-004', 'Put it before the login route', ['TASK-003']],
  ['TASK-005', 'Answer 429 with Retry-After', ['TASK-003']],
  ['TASK-006', 'Tell operators of refused requests', ['TASK-005']],
  ['TASK-007', 'Describe the settings', ['TASK-002']],
  ['TASK-008', 'Test the whole over HTTP', ['TASK-004', 'TASK-005', 'TASK-006']],
] as const;

const tasks: readonly Task[] = titles.map(([id, title, needs]) =>
  taskOf(id, {
    title,
    depends_on: [...needs],
    convergence: { criteria: ['`npm test` passes', 'The eleventh request in a minute gets 429'] },
    checks: [{ kind: 'command', argv: ['npm', 'test'] }],
    files: [{ path: 'src/limits/store.ts', action: 'create' }],
    implementation: ['Write the class.', 'Export it.'],
  }),
);

const run = (over: Partial<CheckRun> = {}): CheckRun => ({
  check: 'npm test -- test/limits/store.test.ts',
  kind: 'command',
  criterion: 0,
  passed: true,
  note: '',
  output: '',
  ms: 3120,
  ...over,
});

const failing = {
  passed: false,
  note: 'it ended with 1',
  output: 'FAIL test/limits/store.test.ts\n  expected 429\n  received 200\n',
};
const manual = run({
  check: 'The page of errors reads well.',
  kind: 'manual',
  passed: null,
  note: 'only a person can tell',
});
const ends = [
  'completed',
  'completed',
  'completed',
  'unproven',
  'failed',
  'blocked',
  'completed',
  'blocked',
] as const;

function outcome({ id, title }: Task, at: number): TaskOutcome {
  const status = ends[at] ?? 'completed';
  const isDone = status === 'completed';
  const whys = {
    completed: '',
    unproven: 'no check failed before the work',
    failed: 'npm test still fails after 2 rounds of fixes',
    blocked: 'it needs TASK-005, which failed',
  };
  return {
    task: id,
    title,
    status,
    why: whys[status],
    executor: status === 'blocked' ? null : 'codex',
    start: commit,
    commit: isDone ? commit : null,
    files_modified: isDone ? ['src/limits/store.ts', 'src/settings.ts'] : [],
    out_of_scope: isDone ? ['src/settings.ts'] : [],
    before: status === 'blocked' ? [] : [run({ ...failing, ms: 900 }), manual],
    after: status === 'blocked' ? [] : [run(status === 'failed' ? failing : {}), manual],
    fix_rounds: status === 'failed' ? 2 : 0,
    criteria: [isDone, false],
    summary: isDone ? 'I added the class and its tests.' : '',
  };
}

const result: ExecutionResult = {
  executionId: 'MCP-limit-2026-11-21-ab12-1',
  status: 'partial',
  tasksSummary: '',
  completionSummary: 'The store, the settings and the middleware are in place; refusals are not.',
  keyOutputs: ['src/limits/store.ts', 'src/settings.ts', 'docs/settings.md'],
  notes: ['Uncommitted changes were carried in.'],
  fixedCliId: null,
  number: 1,
  start: commit,
  commit,
  branch: 'conclave/MCP-limit-2026-11-21-ab12',
  carried: ['notes.txt'],
  tasks: tasks.map(outcome),
  conflicts: [{ task: 'TASK-004', files: ['src/routes/login.ts'] }],
  applied: null,
};

const receipt = (agent: string, over: Partial<Receipt> = {}): Receipt => ({
  agent,
  seat: agent,
  version: '1.0.0',
  model: `${agent}-model`,
  vendor: null,
  agent_session: null,
  started_at: '2026-11-21T08:00:00.000Z',
  duration_ms: 42_000,
  exit_code: 0,
  signal: null,
  output_bytes: 100,
  tokens: { input: 48_210, output: 2_310, cached: 0 },
  cost_usd: 0.21,
  prompt_hash: '',
  raw_output: null,
  attempts: 1,
  repaired: false,
  fallback_for: null,
  unknown_events: 0,
  notes: [],
  failure: null,
  ...over,
});

/** A session whose discussion is over. */
export const discussed: ReportData = {
  state: SessionState.parse({
    session_id: 'MCP-limit-2026-11-21-ab12',
    task_description: task,
    status: 'done',
    current_round: 2,
    agents: ['claude', 'codex', 'gemini'],
    spent: { input_tokens: 144_630, output_tokens: 6_930, cost_usd: 0.42, agent_runs: 4 },
    created_at: '2026-11-21T08:00:00.000Z',
    updated_at: '2026-11-21T08:31:00.000Z',
  }),
  rounds,
  plan: null,
  tasks: [],
  approval: null,
  receipts: [
    receipt('codex'),
    receipt('claude', { duration_ms: 95_000 }),
    receipt('claude', { duration_ms: 31_000 }),
    receipt('gemini', {
      tokens: null,
      cost_usd: null,
      duration_ms: 600_000,
      failure: { category: 'timed-out', reason: 'no answer in 600 s' },
    }),
  ],
  result: null,
  codeReview: null,
};

/** The same with an approved plan. */
export const planned: ReportData = {
  ...discussed,
  state: {
    ...discussed.state,
    user_decision: {
      solution: 'A middleware with counts in memory',
      execution_method: 'Auto',
      code_review_tool: 'Skip',
      by: 'user',
    },
  },
  plan: planOf(
    tasks.map(({ id }) => id),
    {
      summary: 'A middleware with counts in memory stands before the login route.',
      approach: 'First the store and the settings, then the middleware.',
      design_decisions: [{ decision: 'Count by address', rationale: 'There is no session yet.' }],
    },
  ),
  tasks,
  approval: {
    session_id: 'MCP-limit-2026-11-21-ab12',
    plan_hash: '0'.repeat(64),
    approved_at: '2026-11-21T08:20:00.000Z',
    approved_by: 'user',
    base_commit: commit,
    cited_files: {},
  },
};

/** The same, carried out in part and reviewed. */
export const executed: ReportData = {
  ...planned,
  result,
  codeReview: {
    reviewer: 'claude',
    model: 'claude-model',
    commit,
    summary: 'The store is sound. The middleware trusts a header that anybody can set.',
    findings: [
      {
        severity: 'minor',
        file: 'src/settings.ts',
        line: null,
        quote: '',
        problem: 'The unit of `window` is not said.',
        suggestion: '',
        reference: 'none',
      },
      {
        severity: 'blocking',
        file: 'src/limits/middleware.ts',
        line: 22,
        quote: "const address = request.headers['x-forwarded-for'];",
        problem: 'A client can set this header, and so has no limit.',
        suggestion: 'Use `request.ip`, with the trusted proxies of the settings.',
        reference: 'verified',
      },
    ],
    criteria: [
      { task: 'TASK-001', criterion: 0, verdict: 'met', evidence: 'The test counts to eleven.' },
      { task: 'TASK-005', criterion: 1, verdict: 'not-met', evidence: 'It answers 200.' },
      { task: 'TASK-004', criterion: 1, verdict: 'unclear', evidence: 'No test calls the route.' },
    ],
    blocking: 1,
    fixed: false,
  },
};

/** The same with each of its sentences replaced. */
export function withSentences(replace: (text: string) => string): ReportData {
  const spoilt = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value), (_, one: unknown) =>
      typeof one === 'string' && one.includes(' ') ? replace(one) : one,
    );
  return {
    ...executed,
    state: SessionState.parse(spoilt(executed.state)),
    rounds: Synthesis.array().parse(spoilt(rounds)),
    plan: Plan.parse(spoilt(executed.plan)),
    tasks: Task.array().parse(spoilt(tasks)),
    result: ExecutionResult.parse(spoilt(result)),
    codeReview: CodeReview.parse(spoilt(executed.codeReview)),
  };
}
