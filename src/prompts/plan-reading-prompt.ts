// Writes the requests of the reading of a plan: to its readers, and to its author with what they found.
import type { ContextPackage } from '../model/context-package.ts';
import type { Finding } from '../model/finding.ts';
import type { ReadFinding } from '../model/plan-reading.ts';
import type { PlanFiles } from '../model/plan.ts';
import { isFound } from '../model/found-evidence.ts';
import type { CheckedClaim } from '../model/synthesis.ts';
import { type Task, runtimeTaskFields } from '../model/task.ts';
import {
  type PlanRequest,
  extensionsText,
  findingLine,
  requestOfPackage,
  withoutSecrets,
} from './plan-prompt.ts';
import { type ProjectWords, wordsData } from './context-text.ts';
import { type PromptInput, bullets, promptText } from './request.ts';

interface ReadingRequest extends PromptInput {
  readonly package: ContextPackage;
  readonly planned: PlanFiles;
  /** The findings of the plan check. */
  readonly checked: readonly Finding[];
}

/** The request to a reader. It says neither who wrote the plan nor who said what before. */
export function planReviewPrompt(input: ReadingRequest & ProjectWords): string {
  const { planned, checked } = input;
  return promptText(input, {
    template: 'plan-review',
    phase: 'plan-review',
    request: requestOfPackage(input.package),
    data: {
      plan: ['plan', planJson(planned)],
      check: ['plan check', bullets(checked.map(findingLine))],
      decision: ['decision', essentialsText(input.package)],
      ...wordsData(input),
    },
    cuttable: [
      'conventions',
      'conversation',
      'decision',
      'check',
      'feedback',
      'plan',
      'constraints',
      'task',
    ],
  });
}

/** The one request to the author of a plan to fix or refuse what its readers found. */
export function planReplyPrompt(
  input: ReadingRequest & {
    readonly findings: readonly ReadFinding[];
    readonly extensions: PlanRequest['extensions'];
  },
): string {
  const { findings, planned, checked, extensions } = input;
  return promptText(input, {
    template: 'plan-reply',
    phase: 'plan-reply',
    own: { extensions: extensionsText(extensions) },
    request: requestOfPackage(input.package),
    data: {
      findings: ['findings', bullets(findings.map(findingText))],
      check: ['plan check', bullets(checked.map(findingLine))],
      answer: ['current plan', planJson(planned)],
      package: ['decision', essentialsText(input.package)],
    },
    cuttable: ['package', 'check', 'feedback', 'answer', 'findings', 'constraints', 'task'],
  });
}

/** The path of evidence that stands in the plan or the request and in no file. */
export const shownPath = 'plan';

/** Plan and tasks as agents are shown them, as JSON. */
export function planJson({ plan, tasks }: PlanFiles): string {
  const { _metadata, ...overview } = plan;
  const texts = tasks.map((task) => JSON.stringify(asPlanned(task), null, 1)).join(',\n');
  return `{"plan":${JSON.stringify(overview, null, 1)},\n"tasks":[${texts}]}`;
}

const notPlanned: ReadonlySet<string> = new Set([
  ...runtimeTaskFields,
  'source',
  'meta',
  'cli_execution',
  'context_package_path',
]);

function asPlanned(task: Task): object {
  const { original_id } = task.source ?? {};
  const source = original_id === undefined ? {} : { source: { original_id } };
  return { ...withoutRun(task), ...source };
}

/** A task without what an execution or another tool writes into it. */
export function withoutRun(task: Task): object {
  return Object.fromEntries(Object.entries(task).filter(([name]) => !notPlanned.has(name)));
}

/** Measures a plan: decision, remarks and build. Names of agents would tell whose it is. */
function essentialsText(contextPackage: ContextPackage): string {
  const { solution, implementation_plan, technical_concerns, ...rest } =
    withoutSecrets(contextPackage);
  const { name, summary } = solution;
  const essentials = {
    solution: { name, summary },
    implementation_plan,
    evidence: rest.evidence,
    technical_concerns,
    remarks: rest.remarks?.map(({ id, kind, text, state, evidence }) => {
      return { id, kind, text, state, evidence };
    }),
    open_questions: rest.open_questions,
    assumptions: rest.assumptions?.map(({ question, assumption }) => ({ question, assumption })),
    uncertainty: rest.uncertainty,
    build_facts: rest.build_facts,
  };
  return JSON.stringify(essentials);
}

function findingText({ id, severity, task, problem, suggestion, evidence }: ReadFinding): string {
  const about = task === null ? 'the plan' : task;
  const shown = evidence.map((claim) => `\nEvidence, ${evidenceText(claim)}`).join('');
  return `${id}, ${severity}, ${about}: ${problem}${shown}\nSuggestion: ${suggestion}`;
}

function evidenceText(claim: CheckedClaim): string {
  const { path, line, found_line: found, quote } = claim;
  const where = path === shownPath ? 'plan or request' : `${path}:${found ?? line}`;
  return `${isFound(claim) ? 'found' : 'not found'}: ${where} \`${quote}\``;
}
