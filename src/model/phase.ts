// Lists the phases: name, label, keys of their steps.
import { z } from 'zod';

/**
 * The phases of a session in the order of the work: what the header calls each, what the keys of
 * its steps begin with, and the steps that ask the user. Null where it has none of its own.
 */
export const phases = [
  { name: 'context', label: 'context', keyPrefix: null, question: null },
  {
    name: 'discussion',
    label: 'discussion',
    keyPrefix: 'round-',
    question: /^round-\d+\/clarify$/,
  },
  { name: 'options', label: 'options', keyPrefix: null, question: null },
  { name: 'decision', label: 'decision', keyPrefix: 'decision-', question: /^decision-\d+$/ },
  { name: 'planning', label: 'plan', keyPrefix: 'plan-', question: null },
  {
    name: 'plan-review',
    label: 'review',
    keyPrefix: 'approval-',
    question: /^approval-\d+(\.\d+)?$/,
  },
  { name: 'execution', label: 'execution', keyPrefix: 'execut', question: /^execute-\d+$/ },
  { name: 'code-review', label: 'code review', keyPrefix: 'review-', question: /^apply-\d+$/ },
] as const;

export const Phase = z.enum(phases.map(({ name }) => name));
export type Phase = z.infer<typeof Phase>;

/** The phase that a step belongs to; steps without a prefix of their own are the first one’s. */
export function phaseOfStep(key: string): Phase {
  const found = phases.find(({ keyPrefix }) => keyPrefix !== null && key.startsWith(keyPrefix));
  if (found !== undefined) return found.name;
  if (key.startsWith('apply-')) return 'code-review';
  return key.startsWith('hand-off-') ? 'execution' : 'context';
}

/** Whether a step is a question to the user. */
export function isQuestion(key: string): boolean {
  return phases.some(({ question }) => question?.test(key) === true);
}
