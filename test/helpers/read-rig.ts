// Two vendors that agree at once: alpha writes the plan, and beta reads it.
import type { PlanReviewAnswer } from '../../src/model/plan-reading.ts';
import { planAnswer } from '../faults/three-rounds.ts';
import { calmVendor } from './planned-rig.ts';
import type { Rig } from './rig.ts';
import { todoRig } from './test-rig.ts';
import { configureVendors, type VendorScript } from './vendors.ts';

type Found = PlanReviewAnswer['findings'][number];

/** A finding whose evidence stands in the repository. */
export function finding(part: Partial<Found> = {}): Found {
  return {
    severity: 'blocking',
    task: 'TASK-001',
    problem: 'The flag is cut off before listTodos is called, so the branch is never reached.',
    path: 'src/cli.js',
    line: 6,
    quote: "if (command === 'list') listTodos(args);",
    suggestion: 'Hand the flag over in src/cli.js first.',
    ...part,
  };
}

/** The answer of a reader. */
export const finds = (...findings: readonly Found[]) => ({
  answer: { phase: 'plan-review', findings, summary: 'Read from end to end.' },
});

/** The reply of the author: a new plan only where a title is given for its first task. */
export function replies(
  all: readonly { finding: string; action: string; reason: string; evidence?: unknown[] }[],
  title: string | null = null,
) {
  const [first, ...others] = planAnswer.tasks;
  const whole = { plan: planAnswer.plan, tasks: [{ ...first, title }, ...others] };
  const next = title === null ? { plan: null, tasks: [] } : whole;
  const replied = all.map((reply) => ({ evidence: [], ...reply }));
  return { answer: { phase: 'plan-reply', replies: replied, ...next } };
}

/** Evidence of a refusal that stands in the repository. */
export const proof = {
  statement: 'the arguments are handed over',
  path: 'src/commands/list.js',
  line: 4,
  quote: 'export function listTodos(args) {',
};

/** The todo project with these two; `more` are lines of `[workflow]`. */
export async function readRig(
  scripts: { readonly alpha?: VendorScript; readonly beta?: VendorScript },
  more = '',
): Promise<Rig> {
  const rig = await todoRig();
  const alpha = { ...calmVendor, ...scripts.alpha };
  configureVendors(rig, { alpha, beta: { ...calmVendor, ...scripts.beta } }, more);
  return rig;
}
