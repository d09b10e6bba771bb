// Writes the request that compares the solutions recommended in round 1.
import type { ProposedSolution } from '../model/proposal.ts';
import { type PromptInput, promptText } from './request.ts';

/** The one definition of how two solutions relate, for every request that asks for it. */
export const relationRule = [
  '- `same`: whoever builds the one has built the other: users and callers see the same in every case that the texts settle. Words, order and detail make no difference.',
  '- `variant`: the same idea, but in some case users or callers see something else (an error, not a warning), or one has a part more. If in doubt, say `variant`.',
  '- `different`: another idea.',
].join('\n');

export interface CompareRequest extends PromptInput {
  readonly task: string;
  /**
   * The solutions under neutral labels; shown is only what they do, not who wrote them or how sure
   * the authors are.
   */
  readonly solutions: readonly {
    readonly label: string;
    readonly solution: Pick<ProposedSolution, 'name' | 'summary' | 'implementation_plan'>;
  }[];
  /** The pairs to compare, as two labels each. */
  readonly pairs: readonly (readonly [string, string])[];
}

export function comparePrompt(input: CompareRequest): string {
  const { task, solutions, pairs } = input;
  const shown = solutions.map(({ label, solution }) =>
    [
      `Solution ${label}`,
      `Name: ${solution.name}`,
      `Summary: ${solution.summary}`,
      `Approach: ${solution.implementation_plan.approach}`,
      // A part that only one solution has is often mentioned only here.
      `Tasks: ${solution.implementation_plan.tasks.map(({ name }) => name).join('; ')}`,
    ].join('\n'),
  );
  return promptText(input, {
    template: 'compare',
    phase: 'compare',
    own: {
      pairs: pairs.map(([first, second]) => `${first} and ${second}`).join('; '),
      relations: relationRule,
      example: `[${solutions[0]?.label}] warns about a bad value, [${solutions[1]?.label}] refuses it`,
    },
    request: { task: ['task', task] },
    data: { solutions: ['solutions', shown.join('\n\n')] },
    cuttable: ['task', 'solutions'],
  });
}
