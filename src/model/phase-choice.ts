// Says which agent, model and effort the user chose for a phase.
import type { RequestPhase } from './steps.ts';

/** The phases for which `[phases.NAME]` may choose an agent. */
export const chosenPhases = [
  'compare',
  'proof',
  'plan-reading',
  'planning',
  'execution',
  'code-review',
] as const;
export type ChosenPhase = (typeof chosenPhases)[number];

/** The choice for one phase; null means that the agent’s own setting applies. */
export interface PhaseChoice {
  readonly agent: string | null;
  /** A model of that agent; the effort is in that agent’s words, too. */
  readonly model: string | null;
  readonly effort: string | null;
  /** The machine on which the agents of the phase run; absent or null for the one that is usual for each. */
  readonly machine?: string | null;
}

export type PhaseChoices = Readonly<Partial<Record<ChosenPhase, PhaseChoice>>>;

/** The user’s choice for a phase. */
export function choiceFor(choices: PhaseChoices, phase: ChosenPhase): PhaseChoice {
  return choices[phase] ?? { agent: null, model: null, effort: null };
}

/** The phase of a call; calls that are missing here have none. */
const phaseOfCall: Partial<Readonly<Record<RequestPhase, ChosenPhase>>> = {
  compare: 'compare',
  proof: 'proof',
  'plan-review': 'plan-reading',
  plan: 'planning',
  'plan-reply': 'planning',
  'revise-plan': 'planning',
  execute: 'execution',
  'code-review': 'code-review',
};

/** The model and the effort chosen for this call of this agent; null if its own settings apply. */
export function choiceForCall(
  choices: PhaseChoices,
  call: RequestPhase,
  agent: string,
): Pick<PhaseChoice, 'model' | 'effort'> {
  const phase = phaseOfCall[call];
  const choice = phase === undefined ? null : choiceFor(choices, phase);
  return choice?.agent === agent ? choice : { model: null, effort: null };
}

/** The machine chosen for this call; null for none. */
export function machineForCall(choices: PhaseChoices, call: RequestPhase): string | null {
  const phase = phaseOfCall[call];
  return phase === undefined ? null : (choiceFor(choices, phase).machine ?? null);
}

/** Puts the agent that was chosen for a phase before the other names. */
export function chosenFirst(
  choices: PhaseChoices,
  phase: ChosenPhase,
  names: readonly string[],
): readonly string[] {
  const { agent } = choiceFor(choices, phase);
  return agent === null ? names : [agent, ...names.filter((name) => name !== agent)];
}
