// Runs one round, from its seats to where it leads.
import { z } from 'zod';
import { type AgentFailure, tellingFirst } from '../../model/agent-failure.ts';
import type { CodebaseContext } from '../../model/context.ts';
import { RunSettings } from '../../model/session.ts';
import type { Synthesis } from '../../model/synthesis.ts';
import { type Tools, recordStep } from '../phase-tools.ts';
import { askRound } from './ask-round.ts';
import type { RoundInput } from './round-questions.ts';
import { fewestVendors } from './converge.ts';
import { compareSolutions, nothingCompared } from './compare-solutions.ts';
import { joinAnswers } from './join-answers.ts';
import { searchAgain } from '../find-code.ts';
import {
  findAnswerers,
  noModelText,
  chooseReadySeats,
  seatExaminers,
  seatsFor,
  isSomebodyReady,
} from './seats.ts';
import { steps } from '../../model/steps.ts';

/** The discussion goes one of these ways after a round. */
export const NextMove = z.enum([
  'converged',
  'another-round',
  'ask-user',
  // After the last round: the answers go into the plan.
  'ask-at-end',
  'best-options',
  'not-converged',
]);
export type NextMove = z.infer<typeof NextMove>;

export type RoundOutput =
  | {
      readonly kind: 'synthesized';
      readonly synthesis: Synthesis;
      readonly settings: RunSettings;
      readonly context: CodebaseContext;
      readonly next: NextMove;
    }
  /** Nobody was asked: only analysts answered before, and no agent with a model is ready. */
  | { readonly kind: 'nobody-seated' }
  | {
      readonly kind: 'nobody-answered';
      readonly failures: readonly { agent: string; reason: string }[];
      /** Only analysts looked, and no file matches the task. */
      readonly nothingFound: boolean;
    };

const RoundStart = z.object({
  seats: z.array(z.string()),
  chain: z.array(z.string()),
  settings: RunSettings,
});

interface RoundStep {
  readonly input: RoundInput;
  readonly tools: Tools;
  readonly signal: AbortSignal;
}

/** One round of the discussion: ask every seat, check what was claimed, join, judge. */
export async function discussRound(
  input: RoundInput,
  tools: Tools,
  signal: AbortSignal,
): Promise<RoundOutput> {
  const step = { tools, signal };
  const opened = await openRound({ ...step, input });
  const { seats, settings } = opened;
  if (seats.length === 0 && input.previous !== null) {
    tools.emit({ type: 'warning.raised', text: `${noModelText} The options stay as they are.` });
    return { kind: 'nobody-seated' };
  }
  tools.emit({
    type: 'round.started',
    round: input.number,
    max_rounds: Math.max(input.given === null ? settings.max_rounds : 2, input.atLeastRounds),
    mode: settings.mode,
    seats,
  });
  const round = { ...input, ...opened };
  const results = await askRound(round, tools, signal);
  if (results.every((result) => result.answer === null)) {
    const reasons = tellingFirst(
      results.flatMap(({ failed }) => failed.map(({ failure }) => failure)),
    );
    return {
      kind: 'nobody-answered',
      failures: reasons.map(({ agent, detail }) => ({ agent, reason: detail })),
      nothingFound: foundNothing(reasons, tools),
    };
  }
  const comparison =
    input.number === 1
      ? await compareSolutions({ round, results, tools, signal })
      : nothingCompared;
  const synthesis = await joinAnswers({ round, results, comparison, tools, signal });
  const next = await judgeRound({ ...step, input }, synthesis);
  const goesOn = next === 'another-round' || next === 'ask-user';
  const { search } = steps.round(input.number);
  const context = goesOn
    ? await searchAgain({ ...step, step: search, context: input.context, synthesis })
    : input.context;
  return { kind: 'synthesized', synthesis, settings, context, next };
}

function foundNothing(failures: readonly AgentFailure[], { agents }: Tools): boolean {
  const analysts = new Set(agents.analysts.map(({ name }) => name));
  const looked = failures.filter(({ agent }) => analysts.has(agent));
  const others = failures.filter(({ agent }) => !analysts.has(agent));
  return (
    looked.length > 0 &&
    looked.every(({ category }) => category === 'empty-answer') &&
    others.every(({ category }) => category === 'not-installed' || category === 'not-logged-in')
  );
}

/** True for the round that examines a plan which somebody else has written. */
function isOfGivenPlan({ given, previous }: RoundInput): boolean {
  return given !== null && previous?.synthesis.round === 1;
}

/** Limits and seats of a round are recorded, so that later flags never change a past round. */
function openRound({ input, ...step }: RoundStep): Promise<z.infer<typeof RoundStart>> {
  const { tools, signal } = step;
  const { open } = steps.round(input.number);
  return recordStep({ ...step, step: open, shape: RoundStart }, async () => {
    const { previous, settings } = input;
    const { agents } = tools;
    const isFirst = previous === null || isOfGivenPlan(input);
    const inOrder = isOfGivenPlan(input)
      ? seatExaminers({ settings, agents, vendor: input.given?.host_vendor ?? null })
      : seatsFor({ settings, agents, previous });
    const isOpen = isFirst && !tools.seatsAreChosen;
    const seated = isOpen ? await chooseReadySeats(inOrder, agents, signal) : inOrder;
    const analysts = agents.analysts.map(({ name }) => name);
    const isLost =
      !isFirst &&
      findAnswerers(previous.synthesis).every((name) => analysts.includes(name)) &&
      !(await isSomebodyReady(seated, agents, signal));
    const seats = isLost ? [] : [...seated.seats];
    return { seats, chain: [...seated.chain], settings };
  });
}

function judgeRound({ input, ...step }: RoundStep, synthesis: Synthesis): Promise<NextMove> {
  const { settings, atLeastRounds, given } = input;
  // A plan that is given is examined once, and again only where the user asks for it.
  const most = given === null ? settings.max_rounds : 2;
  const { next } = steps.round(input.number);
  return recordStep({ ...step, step: next, shape: NextMove }, async () =>
    moveAfterRound({
      synthesis,
      maxRounds: Math.max(most, atLeastRounds),
      requireConvergence: settings.require_convergence && given === null,
      models: synthesis.receipts.filter(
        ({ agent }) => step.tools.agents.get(agent)?.kind === 'model',
      ).length,
    }),
  );
}

/**
 * The loop ends on convergence, on the last round, or when a round brought nothing new; after one
 * vendor alone, too, as no agreement can come of it. Without convergence the best options are
 * shown, unless the user asked to stop then.
 */
export function moveAfterRound(after: {
  readonly synthesis: Synthesis;
  readonly maxRounds: number;
  readonly requireConvergence: boolean;
  /** Models that may speak again; built-in analysts have no second round. */
  readonly models: number;
}): NextMove {
  const { synthesis, maxRounds, requireConvergence, models } = after;
  const { recommendation, new_insights, vendors } = synthesis.convergence;
  if (recommendation === 'converged') return 'converged';
  const end = requireConvergence ? 'not-converged' : 'best-options';
  if (synthesis.round >= maxRounds || models === 0) {
    return end === 'best-options' && isAsking(synthesis) ? 'ask-at-end' : end;
  }
  if (recommendation === 'user_input_needed') return 'ask-user';
  if (vendors.length < fewestVendors) return end;
  return new_insights || synthesis.round === 1 ? 'another-round' : end;
}

/** True where agents themselves ask something new, besides the choice that the options are. */
function isAsking({
  clarification_questions: questions,
  agents_questions: own,
}: Synthesis): boolean {
  return questions.some((question) => own.includes(question));
}
