import type { Receipt } from '../../model/receipt.ts';
import { type SeatAnswer, type SeatResult, askSeat } from '../asking/ask-seat.ts';
import type { Tools } from '../tools.ts';
import type { RoundAnswer } from './answers.ts';
import { examineQuestion, proposeQuestion } from './questions.ts';
import type { RoundInput } from './round.ts';
import { examinationAnswer, proposalAnswer } from './round-answer.ts';

/** A round whose seats are known. */
export interface Asked extends RoundInput {
  readonly group: string;
  readonly seats: readonly string[];
  readonly chain: readonly string[];
}

/** Asks every seat the round’s question: to propose in round 1, to examine from then on. */
export function askRound(
  asked: Asked,
  tools: Tools,
  signal: AbortSignal,
): Promise<readonly SeatOutcome[]> {
  return asked.number === 1 ? propose(asked, tools, signal) : examine(asked, tools, signal);
}

function propose(asked: Asked, tools: Tools, signal: AbortSignal) {
  const question = proposeQuestion(asked, tools);
  return askSeats(asked, signal, async (ask) =>
    outcomeOf(await askSeat({ ...asked, tools, question, ...ask }), (answer) =>
      proposalAnswer(answer, tools),
    ),
  );
}

function examine(asked: Asked, tools: Tools, signal: AbortSignal) {
  const { previous } = asked;
  if (previous === null) throw new Error('an examination needs the round before it');
  const question = examineQuestion({ ...asked, previous: previous.synthesis }, tools);
  return askSeats(asked, signal, async (ask) =>
    outcomeOf(await askSeat({ ...asked, tools, question, ...ask }), (answer) =>
      examinationAnswer(answer, tools, previous.synthesis),
    ),
  );
}

/** How a seat ended; its references are checked only inside the step that needs it. */
export interface SeatOutcome extends Pick<SeatResult<unknown>, 'failed' | 'tree'> {
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

type AskOneSeat = (ask: {
  readonly seat: string;
  readonly taken: Set<string>;
  readonly signal: AbortSignal;
}) => Promise<SeatOutcome>;

/** All seats at once, or one after the other. */
async function askSeats(
  { seats, settings }: Asked,
  signal: AbortSignal,
  ask: AskOneSeat,
): Promise<readonly SeatOutcome[]> {
  const taken = new Set(seats);
  if (settings.mode === 'parallel') {
    return allOrNone(signal, (own) => seats.map((seat) => ask({ seat, taken, signal: own })));
  }
  const results: SeatOutcome[] = [];
  for (const seat of seats) results.push(await ask({ seat, taken, signal }));
  return results;
}

/** Where one cannot go on (the disk is full), the others are stopped and waited for. */
async function allOrNone<T>(
  signal: AbortSignal,
  start: (signal: AbortSignal) => readonly Promise<T>[],
): Promise<readonly T[]> {
  const stop = new AbortController();
  const running = start(AbortSignal.any([signal, stop.signal]));
  try {
    return await Promise.all(running);
  } catch (error) {
    stop.abort(error);
    await Promise.allSettled(running);
    throw error;
  }
}
