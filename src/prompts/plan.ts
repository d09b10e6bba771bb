import type { ContextPackage } from '../model/context-package.ts';
import type { Finding } from '../model/finding.ts';
import type { PlanComment } from '../model/plan-edit.ts';
import { redactedFile } from '../model/secrets.ts';
import { type Excerpts, excerptsText } from './excerpts.ts';
import {
  type LabelledText,
  type PromptInput,
  bullets,
  compactSchema,
  promptText,
  requestParts,
} from './question.ts';

type Schema = Readonly<Record<string, unknown>>;

export interface PlanQuestion extends PromptInput {
  readonly package: ContextPackage;
  readonly excerpts: Excerpts;
  /** See `conventionsText`. */
  readonly conventions: string;
  /** The user's own additions to the schemas of plan and task; null where there is none. */
  readonly extensions: { readonly plan: Schema | null; readonly task: Schema | null };
}

/** The question to the planning agent: a plan and its task files as one JSON object. */
export function planPrompt(question: PlanQuestion): string {
  return promptText(question, {
    template: 'plan',
    phase: 'plan',
    own: extensionsOf(question),
    request: planRequest(question),
    data: planData(question),
    cuttable: ['excerpts', 'conventions', 'package', 'feedback', 'constraints', 'task'],
  });
}

/** The one return to the planner: what the plan check found in its plan. */
export function planFindingsPrompt(
  question: PlanQuestion & {
    readonly findings: readonly Finding[];
    /** The planner's previous answer as JSON text. */
    readonly answer: string;
  },
): string {
  return promptText(question, {
    template: 'plan-findings',
    phase: 'plan',
    repair: true,
    own: extensionsOf(question),
    request: planRequest(question),
    data: {
      ...planData(question),
      findings: ['findings', bullets(question.findings.map(findingLine))],
      answer: ['previous answer', question.answer],
    },
    cuttable: [
      'excerpts',
      'conventions',
      'package',
      'feedback',
      'answer',
      'findings',
      'constraints',
      'task',
    ],
  });
}

/** A person’s comments on the plan, back to the planner for a new version of it. */
export function planRevisionPrompt(
  question: PlanQuestion & {
    readonly comments: readonly PlanComment[];
    /** What the person changed by hand since the planner wrote it, one line each. */
    readonly edits: readonly string[];
    /** The plan as it stands on disk, as JSON text in the form of an answer. */
    readonly answer: string;
  },
): string {
  const comments = question.comments.map(
    ({ task, text }) => `${task ?? 'The whole plan'}: ${text}`,
  );
  return promptText(question, {
    template: 'plan-revise',
    phase: 'plan',
    own: extensionsOf(question),
    request: {
      ...planRequest(question),
      comments: ['comments', bullets(comments)],
      edits: ['changes by hand', bullets(question.edits)],
    },
    data: {
      ...planData(question),
      answer: ['current plan', question.answer],
    },
    cuttable: [
      'excerpts',
      'conventions',
      'package',
      'feedback',
      'edits',
      'answer',
      'constraints',
      'task',
      'comments',
    ],
  });
}

function planRequest({ package: contextPackage }: PlanQuestion) {
  const { task_description: task, constraints, feedback, clarifications } = contextPackage;
  return requestParts({ task, constraints, feedback, answers: clarifications });
}

function planData(question: PlanQuestion): Readonly<Record<string, LabelledText>> {
  return {
    conventions: ['conventions', question.conventions],
    package: ['context package', JSON.stringify(withoutSecrets(question.package), null, 1)],
    excerpts: ['code', excerptsText(question.excerpts)],
  };
}

/** The quotes come from files. The project’s own facts stand apart, as its conventions. */
function withoutSecrets(contextPackage: ContextPackage): object {
  const evidence = contextPackage.evidence?.map((claim) => ({
    ...claim,
    quote: redactedFile(claim.path, claim.quote),
  }));
  return { ...contextPackage, evidence, project_facts: undefined };
}

function extensionsOf({ extensions: { plan, task } }: PlanQuestion): { extensions: string } {
  return { extensions: mustFit('`plan`', plan) + mustFit('Each entry of `tasks`', task) };
}

function mustFit(what: string, schema: Schema | null): string {
  if (schema === null) return '';
  return `\n${what} must also fit: ${JSON.stringify(compactSchema(schema))}`;
}

function findingLine({ severity, rule, file, pointer, message }: Finding): string {
  return `${severity} (${rule}) ${file}${pointer === '' ? '' : `#${pointer}`}: ${message}`;
}
