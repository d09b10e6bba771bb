// Says which agents may review an execution: those of other vendors first, never the one that did all of it.
import type { CodeReviewTool } from '../../model/decision.ts';
import type { TaskOutcome } from '../../model/execution.ts';
import { type PhaseChoices, choiceFor } from '../../model/phase-choice.ts';
import { agentOfReview } from '../../model/team.ts';

interface Choice {
  readonly tool: CodeReviewTool;
  /** The default agent, if there is one, then the participants, then the other agents that may be asked. */
  readonly names: readonly string[];
  /** The work to review, by the agents that did it. */
  readonly outcomes: readonly Pick<TaskOutcome, 'executor'>[];
  /** The vendor of an agent; null if unknown. */
  readonly vendorOf: (name: string) => string | null;
  /** The choices that name an agent if the review itself names none. */
  readonly phases?: PhaseChoices;
}

/** The agent that the user named for the review or in the settings; null if none was named. */
export function wantedReviewer(tool: CodeReviewTool, phases: PhaseChoices): string | null {
  return tool === 'Skip' ? null : (agentOfReview(tool) ?? choiceFor(phases, 'code-review').agent);
}

/** The agents that did the work. */
export function doersOf(outcomes: Choice['outcomes']): ReadonlySet<string> {
  return new Set(outcomes.flatMap(({ executor }) => executor ?? []));
}

/**
 * Names the agents that may review, in order: the one that the user named, then those of a vendor that did none
 * of the work, then those that did none themselves, then those that did a part of it. One that did all of it
 * is left out, even if it was named.
 */
export function reviewersFor(choice: Choice): readonly string[] {
  const { tool, names, outcomes, phases = {} } = choice;
  if (tool === 'Skip') return [];
  const wanted = wantedReviewer(tool, phases);
  const doers = doersOf(outcomes);
  const isNew = (name: string) => !doers.has(name);
  const others = names.filter((name) => isOtherVendor(name, choice));
  const all = [...(wanted === null ? [] : [wanted]), ...others, ...names.filter(isNew), ...names];
  return [...new Set(all)].filter((name) => doers.size > 1 || isNew(name));
}

/** True if none of the work was done by a model of the agent’s vendor. An unknown vendor is not another one. */
export function isOtherVendor(
  name: string,
  { outcomes, vendorOf }: Pick<Choice, 'outcomes' | 'vendorOf'>,
): boolean {
  const authors = new Set([...doersOf(outcomes)].map(vendorOf));
  const vendor = vendorOf(name);
  return authors.size > 0 && !authors.has(null) && vendor !== null && !authors.has(vendor);
}
