// Runs one round, from its seats to where it leads.
import { z } from 'zod';
import { Texts } from '../../model/plain-shapes.ts';
import { type AgentFailure, tellingFirst } from '../../model/agent-event.ts';
import type { CodebaseContext } from '../../model/context.ts';
import { RunSettings } from '../../model/run-settings.ts';
import { hasFoundEvidence } from '../../model/found-evidence.ts';
import { type Remark, type Solution, Synthesis } from '../../model/synthesis.ts';
import { type Tools, isRecorded, recordStep } from '../phase-tools.ts';
import { type SeatOutcome, askRound } from './ask-round.ts';
import type { RoundInput, SeatedRound } from './round-questions.ts';
import { synthesize } from './synthesize.ts';
import { fewestVendors } from './converge.ts';
import { type Comparison, compareSolutions, nothingCompared } from './compare-solutions.ts';
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

/** The ways in which the discussion can go on after a round. */
export const NextMove = z.enum([
  'converged',
  'another-round',
  'ask-user',
  // After the last round; the answers go into the plan.
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
  /** No agent was asked: only analysts answered before, and no agent with a model is ready. */
  | { readonly kind: 'nobody-seated' }
  | {
      readonly kind: 'nobody-answered';
      readonly failures: readonly { agent: string; reason: string }[];
      /** True if only analysts looked and no file matches the task. */
      readonly nothingFound: boolean;
    };

const RoundStart = z.object({
  seats: Texts,
  chain: Texts,
  settings: RunSettings,
});

interface RoundStep {
  readonly input: RoundInput;
  readonly tools: Tools;
  readonly signal: AbortSignal;
}

/** Runs one round of the discussion: asks every seat, checks the claims, joins the answers and judges them. */
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
    // A person who ends a round that nobody has answered yet sees the options of the last one.
    if (input.previous !== null && (isEnded(input, tools) || isRecorded(tools, judgement(input)))) {
      await judgeRound({ ...step, input }, input.previous.synthesis);
      return { kind: 'nobody-seated' };
    }
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

/** True for the round that examines a plan from outside. */
function isOfGivenPlan({ given, previous }: RoundInput): boolean {
  return given !== null && previous?.synthesis.round === 1;
}

/** Records the limits and seats of a round, so that later flags never change a past round. */
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
  // A given plan is examined once, and a second time only if the user asks for it.
  const most = given === null ? settings.max_rounds : 2;
  return recordStep({ ...step, step: judgement(input), shape: NextMove }, async () => {
    const move = moveAfterRound({
      synthesis,
      maxRounds: Math.max(most, atLeastRounds),
      requireConvergence: settings.require_convergence && given === null,
      models: synthesis.receipts.filter(
        ({ agent }) => step.tools.agents.get(agent)?.kind === 'model',
      ).length,
    });
    return isEnded(input, step.tools) && move !== 'converged' ? 'best-options' : move;
  });
}

const judgement = ({ number }: RoundInput) => steps.round(number).next;

/** True if a person wants to decide now: the calls of this round were ended for that. */
function isEnded({ number }: RoundInput, { skips }: Tools): boolean {
  return skips.signalFor(steps.round(number).group).aborted;
}

/**
 * The loop ends on convergence, on the last round, when a round left nothing for another one, or after one
 * vendor alone, because no agreement can come of it. Without convergence the best options are shown, unless the
 * user asked to stop then.
 */
export function moveAfterRound(after: {
  readonly synthesis: Synthesis;
  readonly maxRounds: number;
  readonly requireConvergence: boolean;
  /** Models that may speak again; built-in analysts have no second round. */
  readonly models: number;
}): NextMove {
  const { synthesis, maxRounds, requireConvergence, models } = after;
  const { recommendation, vendors } = synthesis.convergence;
  if (recommendation === 'converged') return 'converged';
  const end = requireConvergence ? 'not-converged' : 'best-options';
  if (synthesis.round >= maxRounds || models === 0) {
    return end === 'best-options' && isAsking(synthesis) ? 'ask-at-end' : end;
  }
  if (recommendation === 'user_input_needed') return 'ask-user';
  if (vendors.length < fewestVendors) return end;
  return isRoundDue(synthesis) ? 'another-round' : end;
}

/**
 * True if another round has something to do: the second one always has, a later one only if a solution is new
 * or revised and thus not examined yet, or if an objection with found evidence to a solution that some agent
 * would build was not answered.
 */
export function isRoundDue({ round, convergence, solutions, remarks }: Synthesis): boolean {
  if (round === 1) return true;
  if (!convergence.new_insights) return false;
  const wanted = solutions.filter(({ preferred_by: by = [] }) => by.length > 0);
  const isUnanswered = ({ kind, state, solution, agents, replies = [], ...remark }: Remark) =>
    kind === 'objection' &&
    state === 'open' &&
    hasFoundEvidence(remark) &&
    wanted.some(({ id }) => id === solution) &&
    replies.every(({ agent }) => agents.includes(agent));
  const isFresh = ({ id, revised_in: revised }: Solution) =>
    revised === round || id.startsWith(`S${round}.`);
  return solutions.some(isFresh) || remarks.some(isUnanswered);
}

/** True if agents ask something new besides the dispute that the options show. */
function isAsking({
  clarification_questions: questions,
  agents_questions: own,
}: Synthesis): boolean {
  return questions.some((question) => own.includes(question));
}

/** Checks and joins the answers of a round into `rounds/N/synthesis.json`. */
async function joinAnswers(join: {
  readonly round: SeatedRound;
  readonly results: readonly SeatOutcome[];
  readonly comparison: Comparison;
  readonly tools: Tools;
  readonly signal: AbortSignal;
}): Promise<Synthesis> {
  const { round, results, comparison, tools, signal } = join;
  const path = `rounds/${round.number}/synthesis.json`;
  const previous = round.previous?.synthesis ?? null;
  const input = { answered: results.map((result) => result.answer?.receipt.agent ?? null) };
  const { synthesis: step } = steps.round(round.number);
  const joined = await recordStep({ tools, signal, step, input, shape: Synthesis }, async () => {
    const synthesis = synthesize({
      sessionId: tools.folder.id,
      round: round.number,
      answers: await Promise.all(results.flatMap(({ answer }) => answer?.checked() ?? [])),
      previous,
      compared: comparison.pairs,
      receipts: results.flatMap(({ answer }) => answer?.receipt ?? []),
      unanswered: tellingFirst(
        results.flatMap(({ failed }) => failed.map(({ failure }) => failure)),
      ).map(({ agent, category, detail }) => ({ agent, category, reason: detail })),
      notes: [...notesOf(results), ...comparison.notes],
    });
    await tools.folder.writeJson(path, synthesis);
    return synthesis;
  });
  tools.emit({
    type: 'round.finished',
    round: round.number,
    score: joined.convergence.score,
    recommendation: joined.convergence.recommendation,
    solutions: joined.solutions.length,
    agreements: joined.cross_verification.agreements.length,
    disagreements: joined.cross_verification.disagreements.length,
    failed_references: failedReferences(joined),
    reasons: joined.convergence.reasons,
    agreed: joined.cross_verification.agreements,
    disagreed: joined.cross_verification.disagreements,
    names: joined.solutions.map(({ name }) => name),
    ...findChangedSolutions(previous, joined),
    synthesis: `${tools.folder.relative}/${path}`,
  });
  return joined;
}

function notesOf(results: readonly SeatOutcome[]): readonly string[] {
  return results.flatMap(({ answer, tree }) => [
    ...(tree.length > 0 ? [`The work tree changed during the round: ${tree.join(', ')}`] : []),
    ...(answer?.receipt.fallback_for
      ? [`${answer.receipt.agent} replaced ${answer.receipt.fallback_for}`]
      : []),
  ]);
}

function failedReferences(synthesis: Synthesis): number {
  return synthesis.solutions
    .flatMap((solution) => [...solution.claims, ...solution.affected_files])
    .filter(({ status }) => status === 'failed').length;
}

/** Names of solutions, each list in the order of its round. */
interface ChangedSolutions {
  readonly new_solutions: string[];
  readonly revised_solutions: string[];
  readonly dropped_solutions: string[];
}

/** Names the solutions that changed since the previous round; in a first round nothing is new. */
export function findChangedSolutions(
  before: Pick<Synthesis, 'solutions'> | null,
  { round, solutions }: Pick<Synthesis, 'round' | 'solutions'>,
): ChangedSolutions {
  const earlier = before?.solutions ?? solutions;
  return {
    new_solutions: namesOf(missingFrom(earlier, solutions)),
    revised_solutions: namesOf(solutions.filter((one) => one.revised_in === round)),
    dropped_solutions: namesOf(missingFrom(solutions, earlier)),
  };
}

/** The solutions in `those` that are not in `these`. */
function missingFrom(these: readonly Solution[], those: readonly Solution[]): readonly Solution[] {
  return those.filter((one) => these.every(({ id }) => id !== one.id));
}

function namesOf(solutions: readonly Solution[]): string[] {
  return solutions.map(({ name }) => name);
}
