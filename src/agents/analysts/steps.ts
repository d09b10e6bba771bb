import type { PlannedFile, SolutionTask } from '../../model/proposal.ts';

/** One piece of work before it has an id. */
export interface Step {
  readonly name: string;
  readonly files: readonly PlannedFile[];
  readonly keyPoint: string | null;
  /** Steps that come before it; they stand earlier in the list. */
  readonly after: readonly Step[];
}

interface OrderedTasks {
  readonly tasks: SolutionTask[];
  /** `T1, T2 → T3`: tasks with a comma between them can be done side by side. */
  readonly flow: string;
}

/** Gives the steps ids in their order and says which go side by side. */
export function orderedTasks(steps: readonly Step[]): OrderedTasks {
  const ids = new Map(steps.map((step, index) => [step, `T${index + 1}`]));
  const levels = new Map<Step, number>();
  for (const step of steps) {
    levels.set(step, 1 + Math.max(-1, ...step.after.map((before) => levels.get(before) ?? 0)));
  }
  const tasks = steps.map((step) => ({
    id: ids.get(step) ?? '',
    name: step.name,
    depends_on: step.after.map((before) => ids.get(before) ?? ''),
    files: [...step.files],
    key_point: step.keyPoint,
  }));
  const rows = [...Map.groupBy(steps, (step) => levels.get(step) ?? 0)].toSorted(
    ([a], [b]) => a - b,
  );
  const flow = rows.map(([, row]) => row.map((step) => ids.get(step)).join(', ')).join(' → ');
  return { tasks, flow };
}
