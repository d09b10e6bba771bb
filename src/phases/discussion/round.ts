import { z } from 'zod';
import type { CodebaseContext } from '../../model/context.ts';
import type { Receipt } from '../../model/receipt.ts';
import { RunSettings } from '../../model/session.ts';
import { Synthesis } from '../../model/synthesis.ts';
import type { Tools } from '../tools.ts';
import { type SeatAnswer, type SeatResult, askSeat } from '../asking/ask-seat.ts';
import { examineQuestion, proposeQuestion } from './questions.ts';
import { NextMove, nextMove } from './next.ts';
import { type RoundAnswer, synthesize } from './synthesize.ts';
import { examinationAnswer, proposalAnswer } from './round-answer.ts';
import { searchAgain } from './search-again.ts';
import { seatsFor } from './seats.ts';
import { warmRound } from './warm.ts';

export interface RoundInput {
  readonly number: number;
  readonly task: string;
  readonly context: CodebaseContext;
  /** The settings as they are now; what a round used is recorded. */
  readonly settings: RunSettings;
  /** A "need more analysis" of the user allows at least this many rounds. */
  readonly atLeastRounds: number;
  readonly previous: { readonly synthesis: Synthesis; readonly settings: RunSettings } | null;
  readonly feedback: readonly string[];
  readonly answers: readonly { readonly question: string; readonly answer: string }[];
}

export type RoundOutput =
  | {
      readonly kind: 'synthesized';
      readonly synthesis: Synthesis;
      readonly settings: RunSettings;
      readonly context: CodebaseContext;
      readonly next: NextMove;
    }
  | {
      readonly kind: 'nobody-answered';
      readonly failures: readonly { agent: string; reason: string }[];
    };

const Opened = z.object({
  seats: z.array(z.string()),
  chain: z.array(z.string()),
  settings: RunSettings,
});

/** One round of the discussion: ask every seat, check what was claimed, join, judge. */
export async function discussRound(
  input: RoundInput,
  tools: Tools,
  signal: AbortSignal,
): Promise<RoundOutput> {
  const group = `round-${input.number}`;
  const opened = await openRound({ input, tools, signal, group });
  const { seats, chain, settings } = opened;
  tools.emit({
    type: 'round.started',
    round: input.number,
    max_rounds: Math.max(settings.max_rounds, input.atLeastRounds),
    seats,
  });
  if (!tools.steps.replaying) warmUp(tools, input.context);
  const asked = { ...input, settings, group, seats, chain };
  const results =
    input.number === 1 ? await propose(asked, tools, signal) : await examine(asked, tools, signal);
  const failures = results.flatMap((result) => result.failed);
  if (results.every((result) => result.answer === null)) {
    return {
      kind: 'nobody-answered',
      failures: failures.map(({ failure }) => ({ agent: failure.agent, reason: failure.detail })),
    };
  }
  const synthesis = await joinAnswers({ asked, results, tools, signal });
  const next = await judgeRound({ input, settings, synthesis, tools, signal, group });
  const context =
    next === 'another-round' || next === 'ask-user'
      ? await searchAgain({ context: input.context, synthesis, tools, signal, group })
      : input.context;
  return { kind: 'synthesized', synthesis, settings, context, next };
}

function warmUp(tools: Tools, context: CodebaseContext): void {
  warmRound(tools, context).catch(() => {
    // Whatever it is will come again with the first real answer, where it is reported.
  });
}

interface Asked extends RoundInput {
  readonly group: string;
  readonly seats: readonly string[];
  readonly chain: readonly string[];
}

/** Limits and seats of a round are recorded, so that later flags never change a past round. */
async function openRound(open: {
  input: RoundInput;
  tools: Tools;
  signal: AbortSignal;
  group: string;
}): Promise<z.infer<typeof Opened>> {
  const { input, tools, signal, group } = open;
  const { value } = await tools.steps.run(
    { key: `${group}/open`, group, kind: 'calculation', input: {}, shape: Opened, signal },
    async () => {
      const { previous, settings } = input;
      const before =
        previous === null
          ? null
          : {
              tools: previous.settings.tools,
              answered: previous.synthesis.receipts.map((r) => r.agent),
            };
      const { seats, chain } = seatsFor({
        number: input.number,
        settings,
        agents: tools.agents,
        before,
      });
      return { seats: [...seats], chain: [...chain], settings };
    },
  );
  return value;
}

function propose(asked: Asked, tools: Tools, signal: AbortSignal) {
  const question = proposeQuestion(asked, tools);
  return askSeats(asked, async (seat, taken) => {
    const result = await askSeat({ ...asked, tools, question, seat, taken, signal });
    return outcomeOf(result, (answer) => proposalAnswer(answer, tools));
  });
}

function examine(asked: Asked, tools: Tools, signal: AbortSignal) {
  const { previous } = asked;
  if (previous === null) throw new Error('an examination needs the round before it');
  const question = examineQuestion({ ...asked, previous: previous.synthesis }, tools);
  return askSeats(asked, async (seat, taken) => {
    const result = await askSeat({ ...asked, tools, question, seat, taken, signal });
    return outcomeOf(result, (answer) => examinationAnswer(answer, tools, previous.synthesis));
  });
}

/** How a seat ended; its references are checked only inside the step that needs it. */
interface SeatOutcome extends Pick<SeatResult<unknown>, 'failed' | 'tree'> {
  readonly answer: {
    readonly checked: () => Promise<RoundAnswer>;
    readonly receipt: Receipt;
  } | null;
}

function outcomeOf<T>(
  { answer, failed, tree }: SeatResult<T>,
  check: (answer: SeatAnswer<T>) => Promise<RoundAnswer>,
): SeatOutcome {
  const checked =
    answer === null ? null : { checked: () => check(answer), receipt: answer.receipt };
  return { failed, tree, answer: checked };
}

/** All seats at once, or one after the other. */
async function askSeats(
  asked: Asked,
  ask: (seat: string, taken: Set<string>) => Promise<SeatOutcome>,
): Promise<readonly SeatOutcome[]> {
  const taken = new Set(asked.seats);
  if (asked.settings.mode === 'parallel') {
    return Promise.all(asked.seats.map((seat) => ask(seat, taken)));
  }
  const results: SeatOutcome[] = [];
  for (const seat of asked.seats) results.push(await ask(seat, taken));
  return results;
}

async function joinAnswers(join: {
  asked: Asked;
  results: readonly SeatOutcome[];
  tools: Tools;
  signal: AbortSignal;
}): Promise<Synthesis> {
  const { asked, results, tools, signal } = join;
  const path = `rounds/${asked.number}/synthesis.json`;
  const input = { answered: results.map((result) => result.answer?.receipt.agent ?? null) };
  const { value } = await tools.steps.run(
    {
      key: `${asked.group}/synthesis`,
      group: asked.group,
      kind: 'calculation',
      input,
      shape: Synthesis,
      signal,
    },
    async () => {
      const synthesis = synthesize({
        sessionId: tools.folder.id,
        round: asked.number,
        answers: await Promise.all(results.flatMap((result) => result.answer?.checked() ?? [])),
        previous: asked.previous?.synthesis ?? null,
        receipts: results.flatMap((result) => result.answer?.receipt ?? []),
        unanswered: results.flatMap((result) =>
          result.failed.map(({ failure }) => ({
            agent: failure.agent,
            category: failure.category,
            reason: failure.detail,
          })),
        ),
        notes: notesOf(results),
      });
      await tools.folder.writeJson(path, synthesis);
      return synthesis;
    },
  );
  tools.emit({
    type: 'round.finished',
    round: asked.number,
    score: value.convergence.score,
    recommendation: value.convergence.recommendation,
    solutions: value.solutions.length,
    agreements: value.cross_verification.agreements.length,
    disagreements: value.cross_verification.disagreements.length,
    failed_references: failedReferences(value),
    synthesis: `${tools.folder.relative}/${path}`,
  });
  return value;
}

function notesOf(results: readonly SeatOutcome[]): readonly string[] {
  return results.flatMap(({ answer, tree }) => [
    ...(tree.length > 0 ? [`The work tree changed during the round: ${tree.join(', ')}`] : []),
    ...(answer?.receipt.fallback_for
      ? [`${answer.receipt.agent} sat in for ${answer.receipt.fallback_for}`]
      : []),
  ]);
}

function failedReferences(synthesis: Synthesis): number {
  return synthesis.solutions
    .flatMap((solution) => [...solution.claims, ...solution.affected_files])
    .filter(({ status }) => status === 'failed').length;
}

async function judgeRound(judge: {
  input: RoundInput;
  settings: RunSettings;
  synthesis: Synthesis;
  tools: Tools;
  signal: AbortSignal;
  group: string;
}): Promise<NextMove> {
  const { input, synthesis, tools, signal, group } = judge;
  const { value } = await tools.steps.run(
    { key: `${group}/next`, group, kind: 'calculation', input: {}, shape: NextMove, signal },
    async () =>
      nextMove({
        synthesis,
        maxRounds: Math.max(input.settings.max_rounds, input.atLeastRounds),
        requireConvergence: input.settings.require_convergence,
        models: synthesis.receipts.filter(({ agent }) => tools.agents.get(agent)?.kind === 'model')
          .length,
      }),
  );
  return value;
}
