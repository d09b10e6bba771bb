// Writes the requests about a plan from outside: to examine it, to rewrite it.
import type { GivenPlan, NamedPlace } from '../model/critique.ts';
import { placesText } from './context-text.ts';
import {
  type ExamineRequest,
  discussionData,
  neutralWords,
  remarkLine,
  stanceText,
  taskLine,
} from './discussion-prompt.ts';
import {
  bullets,
  type PromptInput,
  promptText,
  requestParts,
  type UserRequest,
} from './request.ts';

interface CritiqueRequest extends ExamineRequest {
  readonly plan: Pick<GivenPlan, 'text'> & { readonly places: readonly NamedPlace[] };
}

/** The request to examine one plan; the answer is an examination of one solution. */
export function critiquePrompt(input: CritiqueRequest): string {
  const { plan, solutions, saidBefore, hide, task } = input;
  const neutral = neutralWords(hide, task);
  const tasks = solutions.flatMap((one) => one.implementation_plan.tasks);
  const remarks = solutions.flatMap((one) => one.remarks);
  return promptText(input, {
    template: 'critique',
    phase: 'examine',
    kept: ['plan'],
    own: { label: solutions.map(({ label }) => label).join(', ') || '(none)' },
    request: requestParts(input),
    data: {
      ...discussionData(input),
      context: ['codebase context', placesText(input.context)],
      plan: ['plan', plan.text],
      // The tasks are under their label, like those of every examined solution.
      tasks: [
        'tasks',
        solutions.map(({ label, name }) => `Solution ${label}\nName: ${neutral(name)}`).join('\n') +
          `\n${bullets(tasks.map((one) => taskLine(one, neutral)))}`,
      ],
      places: ['places', bullets(plan.places.flatMap(placeLine))],
      remarks: ['remarks', bullets(remarks.map((one) => remarkLine(one, neutral)))],
      said: ['what you said before', bullets(saidBefore.map((one) => stanceText(one, neutral)))],
    },
  });
}

/** The request to rewrite a plan. */
export function revisionPrompt(
  input: PromptInput & {
    readonly request: UserRequest;
    readonly plan: string;
    /** The objections, each with its id. */
    readonly objections: readonly string[];
  },
): string {
  const { task, constraints } = requestParts(input.request);
  return promptText(input, {
    template: 'critique-revise',
    phase: 'revise-plan',
    kept: ['plan'],
    request: { task, constraints },
    data: {
      plan: ['plan', input.plan],
      objections: ['objections', bullets(input.objections)],
    },
  });
}

function placeLine({ text, plan_line: line, status, why }: NamedPlace): readonly string[] {
  if (status === 'there' || (status === 'new' && why === '')) return [];
  return [`${text} (line ${line} of the plan): ${status}${why === '' ? '' : `, ${why}`}`];
}
