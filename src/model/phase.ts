// Lists the phases of a session and what people call each.
import { z } from 'zod';

export const phases = [
  { name: 'context', label: 'context' },
  { name: 'discussion', label: 'discussion' },
  { name: 'options', label: 'options' },
  { name: 'decision', label: 'decision' },
  { name: 'planning', label: 'plan' },
  { name: 'plan-review', label: 'review' },
  { name: 'execution', label: 'execution' },
  { name: 'code-review', label: 'code review' },
] as const;

export const Phase = z.enum(phases.map(({ name }) => name));
export type Phase = z.infer<typeof Phase>;
