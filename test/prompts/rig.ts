import type { CodebaseContext } from '../../src/model/context.ts';
import { CodebaseContext as ContextShape } from '../../src/model/context.ts';
import { ContextPackage } from '../../src/model/context-package.ts';
import { jsonSchemaOf } from '../../src/model/published.ts';
import type { TaskOutcome } from '../../src/model/execution.ts';
import { Task as TaskShape, type Task } from '../../src/model/task.ts';
import type { ReviewRequest } from '../../src/prompts/review-prompt.ts';
import { Synthesis } from '../../src/model/synthesis.ts';
import type { DiscussionRequest, ExamineRequest } from '../../src/prompts/discussion-prompt.ts';
import type { PlanRequest } from '../../src/prompts/plan-prompt.ts';
import { samplesOf } from '../helpers/samples.ts';

export const nonce = 'k3j9x2m4p7';
export const session = 'MCP-add-health-endpoint-2026-11-21-a1b2';
const context: CodebaseContext = ContextShape.parse(samplesOf('codebase-context').good[0]);

export const excerpt = {
  path: 'src/server.ts',
  start: 11,
  end: 12,
  text: '11: const app = make();\n12: app.use(routes);',
};

const base = {
  session,
  nonce,
  maxBytes: 1_000_000,
  task: 'Add a health endpoint to the server',
  context,
  constraints: ['No new dependency'],
  excerpts: { shown: [excerpt], leftOut: [] },
  conventions: 'From AGENTS.md:\nUse npm.',
  conversation: '',
  feedback: [],
  answers: [],
};

type Asked = DiscussionRequest & Pick<ExamineRequest, 'feedback' | 'answers'>;

export const proposeQuestion: Asked = { ...base, round: 1, schema: jsonSchemaOf('proposal') };

const synthesis = Synthesis.parse(samplesOf('synthesis').good[0]);

export const solution = { ...(synthesis.solutions[0] ?? fail()), remarks: [] };

export const examineQuestion: ExamineRequest = {
  ...base,
  round: 2,
  schema: jsonSchemaOf('examination'),
  solutions: [solution, { ...solution, label: 'B', name: 'A sidecar' }],
  own: [{ label: 'B', preferred: true, version: null }],
  saidBefore: [],
  failedFiles: [],
  assumptions: [],
  failedClaims: {
    own: [
      {
        label: 'B',
        statement: 'There is a router.',
        path: 'src/r.ts',
        line: 3,
        quote: 'x',
        note: 'no file',
      },
    ],
    others: [
      {
        label: 'A',
        statement: 'It logs.',
        path: 'src/l.ts',
        line: 4,
        quote: 'log()',
        note: 'no quote',
      },
    ],
  },
  disagreements: ['A opens a socket for each ping, B keeps one.'],
  hide: [],
};

export const planQuestion: PlanRequest = {
  session,
  round: 1,
  nonce,
  maxBytes: 1_000_000,
  schema: jsonSchemaOf('plan-request'),
  package: ContextPackage.parse(samplesOf('context-package').good[0]),
  excerpts: { shown: [excerpt], leftOut: [] },
  conventions: 'From AGENTS.md:\nUse npm.',
  conversation: '',
  extensions: { plan: null, task: null },
};

const reviewed: Task = TaskShape.parse(samplesOf('task').good[0]);

const outcome: TaskOutcome = {
  task: reviewed.id,
  title: reviewed.title,
  status: 'unproven',
  why: 'no check failed before',
  executor: 'codex',
  start: null,
  commit: null,
  files_modified: ['src/server.ts'],
  out_of_scope: ['package.json'],
  checks: [
    { ...checkRun(false), moment: 'before', tree: 'start', round: 0 },
    { ...checkRun(true), moment: 'after', tree: 'work', round: 1 },
  ],
  fix_rounds: 0,
  criteria: [],
  summary: 'I did it very well.',
};

function checkRun(passed: boolean) {
  const run = { check: 'npm test', kind: 'command', criterion: 0, output: '', ms: 1 } as const;
  const note = passed ? '' : 'exit code 1';
  return { ...run, passed, note, tasks: [reviewed.id], commit: 'c' };
}

/** A file of a diff, with a number of lines. */
export function fileDiff(path: string, lines: number): string {
  const head = `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n`;
  return head + `+the text of a line\n`.repeat(lines);
}

export const reviewQuestion: ReviewRequest = {
  session,
  round: 1,
  nonce,
  maxBytes: 1_000_000,
  schema: jsonSchemaOf('review-answer'),
  request: { task: base.task, constraints: base.constraints, feedback: [], answers: [] },
  package: planQuestion.package,
  tasks: [reviewed],
  outcomes: [outcome],
  diff: fileDiff('src/server.ts', 2),
};

/** What stands between the delimiters with this label. */
export function dataIn(prompt: string, label: string): string {
  return fencedIn(prompt, `data: ${label}`);
}

/** The same for what the user wants. */
export function requestIn(prompt: string, label: string): string {
  return fencedIn(prompt, `request: ${label}`);
}

function fencedIn(prompt: string, label: string): string {
  const start = `<<<${nonce} ${label}\n`;
  const from = prompt.indexOf(start);
  if (from === -1) throw new Error(`nothing is fenced as "${label}"`);
  const rest = prompt.slice(from + start.length);
  return rest.slice(0, rest.indexOf(`\n${nonce}>>>`));
}

function fail(): never {
  throw new Error('The sample has no solution.');
}
