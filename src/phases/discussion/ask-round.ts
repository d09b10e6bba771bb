// Asks all seats of a round, at once or in turns, and has their answers checked.
import type { Agent } from '../../agents/agent.ts';
import type {
  Claim,
  Examination,
  Proposal,
  ProposedSolution,
  Revision,
} from '../../model/proposal.ts';
import type { Receipt } from '../../model/receipt.ts';
import type { Synthesis } from '../../model/synthesis.ts';
import type { Question } from '../asking/question.ts';
import { askEach } from '../asking/ask-each.ts';
import { type SeatAnswer, type SeatResult, askSeat } from '../asking/ask-seat.ts';
import { noVoteNote } from '../../agents/answer/read-answer.ts';
import type { Tools } from '../phase-tools.ts';
import { checkClaims, checkProposal, plannedFiles } from './check-references.ts';
import { examineQuestion, proposeQuestion, type SeatedRound } from './round-questions.ts';
import { solutionNamed } from './vote-faults.ts';
import { type RoundAnswer, type Voice, emptyAnswer } from './votes.ts';

/** The outcome of a seat. New answers are checked at once, replayed ones only if the next step asks for it. */
export interface SeatOutcome extends Pick<SeatResult<unknown>, 'failed' | 'tree'> {
  readonly answer: {
    readonly checked: () => Promise<RoundAnswer>;
    readonly receipt: Receipt;
    /** The solution that a model would build, in round 1. */
    readonly recommended: ProposedSolution | null;
  } | null;
}

/**
 * Asks every seat the round’s question: to propose in round 1, to examine in later rounds. Prompts and answers
 * move into the session folder after the last seat has ended.
 */
export async function askRound(
  round: SeatedRound,
  tools: Tools,
  signal: AbortSignal,
): Promise<readonly SeatOutcome[]> {
  const results = await askAll(round, blind(tools), signal);
  await tools.apart?.moveIn();
  return results;
}

/** Stages files and records, so that no agent reads the answer of another one. */
function blind(tools: Tools): Tools {
  const { apart, steps } = tools;
  if (apart === null) return tools;
  return {
    ...tools,
    folder: apart.folder,
    steps: {
      run: (request, fn) => steps.run({ ...request, apart: true }, fn),
      get replaying() {
        return steps.replaying;
      },
    },
  };
}

function askAll(
  round: SeatedRound,
  tools: Tools,
  signal: AbortSignal,
): Promise<readonly SeatOutcome[]> {
  const { number, previous } = round;
  const ask = { round, tools, signal };
  if (number === 1) {
    const question = proposeQuestion(round, tools);
    return askSeats({
      ...ask,
      question,
      check: (answer) => proposalAnswer(answer, tools),
      recommends: ({ agent, value }) => (agent.kind === 'model' ? recommendedIn(value) : null),
    });
  }
  if (previous === null) throw new Error('an examination needs the round before it');
  const { synthesis } = previous;
  const question = examineQuestion(round, synthesis, tools);
  const check = (answer: SeatAnswer<Examination>) => examinationAnswer(answer, tools, synthesis);
  return askSeats({ ...ask, question, check, recommends: () => null });
}

/** Asks all seats at once, or one after the other. */
async function askSeats<T>({
  round,
  signal,
  check,
  recommends,
  ...common
}: {
  readonly round: SeatedRound;
  readonly tools: Tools;
  readonly signal: AbortSignal;
  readonly question: Question<T>;
  readonly check: (answer: SeatAnswer<T>) => Promise<RoundAnswer>;
  readonly recommends: (answer: SeatAnswer<T>) => ProposedSolution | null;
}): Promise<readonly SeatOutcome[]> {
  const { seats, chain, settings } = round;
  const taken = new Set(seats);
  const ask = async (seat: string, own: AbortSignal): Promise<SeatOutcome> => {
    const ended = await askSeat({ ...common, names: [seat, ...chain], taken, signal: own });
    const { answer, failed, tree } = ended;
    if (answer === null) return { failed, tree, answer: null };
    const { receipt } = answer;
    const recommended = recommends(answer);
    // Checks early, while other seats are still running; a replayed answer may never need the check.
    const early = common.tools.steps.replaying ? null : check(answer);
    early?.catch(() => undefined);
    const checked = () => early ?? check(answer);
    return { failed, tree, answer: { checked, receipt, recommended } };
  };
  return await askEach(seats, ask, { mode: settings.mode, signal });
}

function recommendedIn({ recommended, solutions }: Proposal): ProposedSolution | null {
  return recommended === null ? null : solutionNamed(recommended, solutions);
}

async function proposalAnswer(
  { agent, receipt, value }: SeatAnswer<Proposal>,
  { repository }: Tools,
): Promise<RoundAnswer> {
  const author = voiceOf(agent, receipt);
  const choice = recommendedIn(value);
  const candidates = await Promise.all(
    value.solutions.map(async (solution) => {
      const candidate = await checkProposal({ repository, author, solution });
      const isRecommended = agent.kind === 'model' && solution === choice;
      return isRecommended ? { ...candidate, preferred_by: [agent.name] } : candidate;
    }),
  );
  const { questions, assumptions = [] } = value;
  return { ...emptyAnswer, ...author, candidates, questions, assumptions };
}

/** Checks an examination; its evidence may cite files that its revision or an earlier solution would create. */
async function examinationAnswer(
  { agent, receipt, value }: SeatAnswer<Examination>,
  { repository }: Tools,
  previous: Synthesis,
): Promise<RoundAnswer> {
  const author = voiceOf(agent, receipt);
  const planned = plannedFiles(value, previous);
  const checked = (claims: readonly Claim[]) =>
    checkClaims({ repository, agent: agent.name, claims, planned });
  return {
    ...author,
    ...(value.revision === null
      ? { candidates: [] }
      : await revisionIn(value.revision, author, repository)),
    preferred: value.preferred,
    stances: await Promise.all(
      value.stances.map(async ({ solution: label, evidence, ...stance }) => {
        return { ...stance, label, evidence: await checked(evidence) };
      }),
    ),
    adopted: await Promise.all(
      (value.adopt ?? []).map(async ({ solution: label, part, evidence }) => {
        return { label, part, evidence: await checked(evidence) };
      }),
    ),
    verdicts: value.remarks ?? [],
    questions: value.questions,
    reply: value.reply,
    assumptions: value.assumptions ?? [],
    searchTerms: value.search_terms,
    notes: receipt.notes
      .filter((note) => note.startsWith(noVoteNote))
      .map((note) => `Left out of what ${agent.name} said: ${note.slice(noVoteNote.length)}.`),
  };
}

async function revisionIn(
  { revises, ...solution }: Revision,
  author: Voice,
  repository: Tools['repository'],
): Promise<Pick<RoundAnswer, 'candidates' | 'revises'>> {
  return { revises, candidates: [await checkProposal({ repository, author, solution })] };
}

function voiceOf(agent: Agent, { vendor }: Receipt): Voice {
  return { agent: agent.name, kind: agent.kind, vendor };
}
