import type { ContextPackage } from '../model/context-package.ts';
import type { Finding } from '../model/finding.ts';
import { renderWithin } from './budget.ts';
import { type Excerpt, excerptsText } from './context-text.ts';
import { bullets } from './data.ts';
import { type Question, commonValues, compactSchema, fencedValues } from './question.ts';
import type { Values } from './render.ts';

type Schema = Readonly<Record<string, unknown>>;

export interface PlanQuestion extends Question {
  readonly package: ContextPackage;
  readonly excerpts: readonly Excerpt[];
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

const planLabels = { package: 'context package', excerpts: 'code' } as const;

function planValues(question: PlanQuestion): Values {
  return {
    package: JSON.stringify(question.package, null, 1),
    excerpts: excerptsText(question.excerpts),
    extensions: extensionsText(question.extensions),
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
