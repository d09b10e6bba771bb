// Lists the phases of a session and what people call them.
export const phases = [
  { name: 'context', label: 'context' },
  { name: 'discussion', label: 'discussion' },
  { name: 'options', label: 'options' },
  { name: 'decision', label: 'decision' },
  { name: 'proof', label: 'proof' },
  { name: 'planning', label: 'plan' },
  { name: 'plan-review', label: 'review' },
  { name: 'execution', label: 'execution' },
  { name: 'code-review', label: 'code review' },
] as const;

/** Names for a shape; the shape is elsewhere, so that the first frame of the terminal UI loads no zod. */
export const phaseNames = phases.map(({ name }) => name);
export type Phase = (typeof phaseNames)[number];
