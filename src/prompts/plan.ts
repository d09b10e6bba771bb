import type { ContextPackage } from '../model/context-package.ts';
import type { Finding } from '../model/finding.ts';
import type { PlanComment } from '../model/plan-edit.ts';
import { redactedFile } from '../model/secrets.ts';
import { type Excerpts, excerptsText } from './excerpts.ts';
import { bullets, commonValues, compactSchema, fencedValues, type Question } from './question.ts';
import { renderWithin, type Values } from './render.ts';

type Schema = Readonly<Record<string, unknown>>;

export interface PlanQuestion extends Question {
  readonly package: ContextPackage;
  readonly excerpts: Excerpts;
  /** The user's own additions to the schemas of plan and task; null where there is none. */
  readonly extensions: { readonly plan: Schema | null; readonly task: Schema | null };
}

/** The question to the planning agent: a plan and its task files as one JSON object. */
export function planPrompt(question: PlanQuestion): string {
  const values = {
    ...commonValues({ ...question, phase: 'plan', repair: false }),
    ...planValues(question),
  };
  return renderWithin('plan', values, {
    maxBytes: question.maxBytes,
    cuttable: ['excerpts', 'package'],
    dress: (raw) => fencedValues(question.nonce, planLabels, raw),
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
  const values = {
    ...commonValues({ ...question, phase: 'plan', repair: true }),
    ...planValues(question),
    findings: bullets(question.findings.map(findingLine)),
    answer: question.answer,
  };
  return renderWithin('plan-findings', values, {
    maxBytes: question.maxBytes,
    cuttable: ['excerpts', 'package', 'answer', 'findings'],
    dress: (raw) =>
      fencedValues(
        question.nonce,
        { ...planLabels, findings: 'findings', answer: 'previous answer' },
        raw,
      ),
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
  const values = {
    ...commonValues({ ...question, phase: 'plan', repair: false }),
    ...planValues(question),
    comments: bullets(question.comments.map(commentLine)),
    edits: bullets(question.edits),
    answer: question.answer,
  };
  const labels = {
    comments: 'comments',
    edits: 'changes by hand',
    answer: 'current plan',
  } as const;
  return renderWithin('plan-revise', values, {
    maxBytes: question.maxBytes,
    cuttable: ['excerpts', 'package', 'edits', 'answer', 'comments'],
    dress: (raw) => fencedValues(question.nonce, { ...planLabels, ...labels }, raw),
  });
}

const planLabels = { package: 'context package', excerpts: 'code' } as const;

function planValues(question: PlanQuestion): Values {
  return {
    package: JSON.stringify(withoutSecrets(question.package), null, 1),
    excerpts: excerptsText(question.excerpts),
    extensions: extensionsText(question.extensions),
  };
}

/** The project’s own facts and the quotes come from files. */
function withoutSecrets(contextPackage: ContextPackage): ContextPackage {
  const { project_facts: facts, evidence } = contextPackage;
  return {
    ...contextPackage,
    project_facts: facts.map(({ source, text }) => ({ source, text: redactedFile(source, text) })),
    ...(evidence === undefined
      ? {}
      : {
          evidence: evidence.map((claim) => ({
            ...claim,
            quote: redactedFile(claim.path, claim.quote),
          })),
        }),
  };
}

function extensionsText({ plan, task }: PlanQuestion['extensions']): string {
  const lines = [
    plan === null ? '' : `\`plan\` must also fit: ${JSON.stringify(compactSchema(plan))}`,
    task === null
      ? ''
      : `Each entry of \`tasks\` must also fit: ${JSON.stringify(compactSchema(task))}`,
  ].filter((line) => line !== '');
  return lines.length === 0 ? '' : `\n${lines.join('\n')}`;
}

function findingLine({ severity, rule, file, pointer, message }: Finding): string {
  return `${severity} (${rule}) ${file}${pointer === '' ? '' : `#${pointer}`}: ${message}`;
}

function commentLine({ task, text }: PlanComment): string {
  return `${task ?? 'The whole plan'}: ${text}`;
}
