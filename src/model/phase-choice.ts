// Says which agent, model and effort the user chose for a phase.
import type { RequestPhase } from './steps.ts';

/** The phases for which `[phases.NAME]` may choose who does the work. */
export const chosenPhases = [
  'compare',
  'plan-reading',
  'planning',
  'execution',
  'code-review',
] as const;
export type ChosenPhase = (typeof chosenPhases)[number];

/** The choice for one phase; null where nobody chose, so that the agent’s own counts. */
export interface PhaseChoice {
  readonly agent: string | null;
  /** Of that agent, as are the words of its effort. */
  readonly model: string | null;
  readonly effort: string | null;
}

export type PhaseChoices = Readonly<Partial<Record<ChosenPhase, PhaseChoice>>>;

/** The user’s choice for a phase. */
export function choiceFor(choices: PhaseChoices, phase: ChosenPhase): PhaseChoice {
  return choices[phase] ?? { agent: null, model: null, effort: null };
}

/** The phase that a call belongs to; the calls that are missing here have none of their own. */
const phaseOfCall: Partial<Readonly<Record<RequestPhase, ChosenPhase>>> = {
  compare: 'compare',
  'plan-review': 'plan-reading',
  plan: 'planning',
  'plan-reply': 'planning',
  'revise-plan': 'planning',
  execute: 'execution',
  'code-review': 'code-review',
};

/** The model and the effort chosen for this call of this agent; null where its own count. */
export function choiceForCall(
  choices: PhaseChoices,
  call: RequestPhase,
  agent: string,
): Pick<PhaseChoice, 'model' | 'effort'> {
  const phase = phaseOfCall[call];
  const choice = phase === undefined ? null : choiceFor(choices, phase);
  return choice?.agent === agent ? choice : { model: null, effort: null };
}

/** Some names with the agent that was chosen for a phase before all others. */
export function chosenFirst(
  choices: PhaseChoices,
  phase: ChosenPhase,
  names: readonly string[],
): readonly string[] {
  const { agent } = choiceFor(choices, phase);
  return agent === null ? names : [agent, ...names.filter((name) => name !== agent)];
}
