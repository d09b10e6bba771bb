// Lists the phases of a session and what people call each.
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

/** For a shape; no shape stands here, as the first frame of the terminal UI is drawn without zod. */
export const phaseNames = phases.map(({ name }) => name);
export type Phase = (typeof phaseNames)[number];
