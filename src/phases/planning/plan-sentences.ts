// Takes the texts of a plan apart into sentences.
import { nameOf, taskFile } from '../../model/plan-rules.ts';
import type { PlanFiles } from '../../model/plan.ts';
import type { Task } from '../../model/task.ts';

/** One sentence of a plan, with where it stands. */
export interface Sentence {
  /** Relative to the session folder. */
  readonly file: string;
  readonly pointer: string;
  /** Null in the overview. */
  readonly task: string | null;
  /** True for what says how things are and what to do, false for what is true only afterwards. */
  readonly isStep: boolean;
  readonly text: string;
}

/** The task or the plan as the subject of a finding. */
export function speaker({ task }: Sentence): string {
  return task === null ? 'The plan' : nameOf(task);
}

/** Every sentence of a plan and its tasks. */
export function sentencesOf({ plan, tasks }: PlanFiles): readonly Sentence[] {
  const { summary, approach, design_decisions } = plan;
  const overview = { file: 'plan.json', task: null };
  return [
    ...sentencesIn({ summary, approach }, { ...overview, isStep: true }),
    // They say what was wrong in the solution, too.
    ...sentencesIn({ design_decisions }, { ...overview, isStep: false }),
    ...tasks.flatMap((task) => {
      const place = { file: taskFile(task.id), task: task.id };
      return [
        ...sentencesIn(stepsOf(task), { ...place, isStep: true }),
        ...sentencesIn(goalsOf(task), { ...place, isStep: false }),
      ];
    }),
  ];
}

function stepsOf({ description, files = [], implementation, reference, risks }: Task) {
  const said = files.map(({ change, changes }) => ({ change, changes }));
  return { description, files: said, implementation, reference, risks };
}

function goalsOf({ title, convergence, checks, test, code_skeleton }: Task) {
  return { title, convergence, checks, test, code_skeleton };
}

type Place = Omit<Sentence, 'pointer' | 'text'>;

function sentencesIn(value: unknown, place: Place, pointer = ''): readonly Sentence[] {
  if (typeof value === 'string') {
    const texts = value.split(/(?<=[.!?;。！？；])\s+|\n+/);
    return texts.map((text) => ({ ...place, pointer, text }));
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    sentencesIn(one, place, `${pointer}/${key}`),
  );
}
