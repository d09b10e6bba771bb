// Writes the requests to the planning agent: a plan, its fixes, its revision.
import type { ContextPackage, PackagedRemark } from '../model/context-package.ts';
import type { Finding } from '../model/finding.ts';
import type { PlanComment } from '../model/plan-edit.ts';
import { redactFile } from '../model/secrets.ts';
import { type ProjectWords, wordsData } from './context-text.ts';
import { type Excerpts, excerptsText } from './excerpts.ts';
import {
  type LabelledText,
  type PromptInput,
  bullets,
  compactSchema,
  promptText,
  requestParts,
} from './request.ts';

type Schema = Readonly<Record<string, unknown>>;

export interface PlanRequest extends PromptInput, ProjectWords {
  readonly package: ContextPackage;
  readonly excerpts: Excerpts;
  /** The user's own additions to the schemas of plan and task; null where there is none. */
  readonly extensions: { readonly plan: Schema | null; readonly task: Schema | null };
}

/** The request to the planning agent: a plan and its task files as one JSON object. */
export function planPrompt(input: PlanRequest): string {
  return promptOf(input, { template: 'plan' });
}

/** The one return to the planner: what the plan check found in its plan. */
export function planFindingsPrompt(
  input: PlanRequest & {
    readonly findings: readonly Finding[];
    /** The planner's previous answer as JSON text. */
    readonly answer: string;
  },
): string {
  return promptOf(input, {
    template: 'plan-findings',
    repair: true,
    data: {
      findings: ['findings', bullets(input.findings.map(findingLine))],
      answer: ['previous answer', input.answer],
    },
  });
}

/** A person’s comments on the plan, back to the planner for a new version of it. */
export function planRevisionPrompt(
  input: PlanRequest & {
    readonly comments: readonly PlanComment[];
    /** Changes that the person made by hand since the planner wrote it, one line each. */
    readonly edits: readonly string[];
    /** Findings of readers that nobody settled, one line each. */
    readonly open: readonly string[];
    /** The plan as it stands on disk, as JSON text in the form of an answer. */
    readonly answer: string;
  },
): string {
  const { comments, edits, open, answer } = input;
  const lines = comments.map(({ task, text }) => `${task ?? 'The whole plan'}: ${text}`);
  return promptOf(input, {
    template: 'plan-revise',
    request: {
      comments: ['comments', bullets(lines)],
      edits: ['changes by hand', bullets(edits)],
    },
    data: { open: ['open findings', bullets(open)], answer: ['current plan', answer] },
  });
}

/** The most dispensable first. */
const cuttable = [
  'excerpts',
  'conventions',
  'conversation',
  'package',
  'feedback',
  'edits',
  'answer',
  'open',
  'findings',
  'constraints',
  'task',
  'comments',
];

function promptOf(
  input: PlanRequest,
  own: {
    readonly template: string;
    readonly repair?: boolean;
    readonly request?: Readonly<Record<string, LabelledText>>;
    readonly data?: Readonly<Record<string, LabelledText>>;
  },
): string {
  const { package: contextPackage, excerpts, extensions } = input;
  const request = { ...requestOfPackage(contextPackage), ...own.request };
  const data: Readonly<Record<string, LabelledText>> = {
    ...wordsData(input),
    package: ['context package', JSON.stringify(withoutSecrets(contextPackage))],
    excerpts: ['code', excerptsText(excerpts)],
    ...own.data,
  };
  return promptText(input, {
    ...own,
    phase: 'plan',
    own: { extensions: extensionsText(extensions) },
    request,
    data,
    cuttable: cuttable.filter((name) => Object.hasOwn({ ...request, ...data }, name)),
  });
}

/** The user’s will, as the package of a plan holds it. */
export function requestOfPackage({
  task_description: task,
  constraints,
  feedback,
  clarifications: answers,
}: ContextPackage) {
  return requestParts({ task, constraints, feedback, answers });
}

/** The quotes come from files. The project’s own facts stand apart, as its conventions. */
export function withoutSecrets(contextPackage: ContextPackage) {
  const { evidence, remarks, alternatives } = contextPackage;
  return {
    ...contextPackage,
    evidence: evidence?.map(redactQuote),
    remarks: remarks?.map(redactRemark),
    alternatives: alternatives?.map(({ decided_against: against, ...other }) =>
      against === undefined ? other : { ...other, decided_against: redactRemark(against) },
    ),
    project_facts: undefined,
  };
}

function redactRemark(remark: PackagedRemark): PackagedRemark {
  return { ...remark, evidence: remark.evidence.map(redactQuote) };
}

function redactQuote<T extends { readonly path: string; readonly quote: string }>(claim: T): T {
  return { ...claim, quote: redactFile(claim.path, claim.quote) };
}

/** Demands on plan and tasks beside ours; empty where there are none. */
export function extensionsText({ plan, task }: PlanRequest['extensions']): string {
  return mustFit('`plan`', plan) + mustFit('Each entry of `tasks`', task);
}

function mustFit(what: string, schema: Schema | null): string {
  if (schema === null) return '';
  return `\n${what} must also fit: ${JSON.stringify(compactSchema(schema))}`;
}

/** One line on what the plan check found. */
export function findingLine({ severity, rule, file, pointer, message }: Finding): string {
  return `${severity} (${rule}) ${file}${pointer === '' ? '' : `#${pointer}`}: ${message}`;
}
