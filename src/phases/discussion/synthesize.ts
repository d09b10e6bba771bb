// Joins the answers of a round under letters that hide author and rank.
import { isFound } from '../../model/found-evidence.ts';
import type { Receipt } from '../../model/receipt.ts';
import type {
  ComparedPair,
  HeldStance,
  MissingAnswer,
  Solution,
  Synthesis,
} from '../../model/synthesis.ts';
import { compareTexts, distinct } from '../../model/wording.ts';
import {
  type Candidate,
  copiedFrom,
  jointEstimate,
  newCandidates,
  reviseCandidates,
} from './candidate.ts';
import { askersOf, disputeQuestions, mostQuestions, openQuestions } from './clarify.ts';
import { type RankedCandidate, converge, findTie, rankCandidates } from './converge.ts';
import { crossVerify } from './cross-verification.ts';
import { namer, neutralLabels } from './labels.ts';
import { whyNotCounting } from './reasons.ts';
import { bringAlong, citesRemark, collectAssumptions, collectRemarks } from './remarks.ts';
import { type RoundAnswer, voicesOf } from './votes.ts';

/** Everything that one round produced; the order of the answers makes no difference. */
export interface SynthesisInput {
  readonly sessionId: string;
  readonly round: number;
  readonly answers: readonly RoundAnswer[];
  readonly previous: Synthesis | null;
  /** The relations of the solutions that round 1 recommends; empty later. */
  readonly compared: readonly ComparedPair[];
  readonly receipts: readonly Receipt[];
  readonly unanswered: readonly MissingAnswer[];
  readonly notes: readonly string[];
}

/** The most solutions that a synthesis offers, not counting those that some agent would build. */
const mostSolutions = 3;

/**
 * Joins the checked answers of a round. In round 1, recommended solutions that were found to be the same become
 * one; later, the solutions continue with the new stances and revisions. All numbers and counts come from the
 * structured answers.
 */
export function synthesize(input: SynthesisInput): Synthesis {
  const { previous, round, compared } = input;
  const examined = previous?.solutions ?? [];
  const inNames = namer(examined);
  const answers = input.answers
    .toSorted((a, b) => compareTexts(a.agent, b.agent))
    .map((answer) => ({ ...answer, questions: answer.questions.map(inNames) }));
  const voices = voicesOf(round, answers);
  const revisions = answers.flatMap(({ candidates, revises = null }) =>
    candidates.map((candidate) => ({ candidate, revises })),
  );
  const proposed = revisions.map(({ candidate }) => candidate);
  const candidates =
    previous === null
      ? newCandidates(proposed, sameIn(compared))
      : reviseCandidates(examined, revisions, round);
  const after = candidates.map((candidate) => withOpinions(candidate, { ...input, answers }));
  const said = collectRemarks({
    round,
    before: previous?.remarks ?? [],
    answers,
    idOf: (label) => examined.find((one) => one.label === label)?.id,
    inNames,
    solutions: after,
  });
  const tie = findTie(after, voices, said);
  const remarks = tie === null ? said : bringAlong(said, tie, round);
  const ranked = rankCandidates(after, voices, remarks);
  const best = withIds(ranked.filter(isOffered), round);
  const { verification, disputed } = crossVerify(
    best.map(({ candidate }) => candidate),
    { voices, remarks, compared, tie: tie?.record ?? null },
  );
  const open = openQuestions(answers, previous?.clarification_questions ?? []);
  const askedBefore = previous?.asked_by ?? [];
  const disputes = disputeQuestions(disputed, askedBefore);
  const questions = [...open, ...disputes].slice(0, mostQuestions);
  const convergence = converge({
    round,
    voices: answers,
    solutions: ranked.map(({ candidate }) => candidate),
    remarks,
    // An open question of the agents also counts as new: the answer, or its absence, may settle it.
    newInsights: open.length > 0 || bringsInsight(examined, after, round),
    isStuck: disputes.length > 0 && !after.some((one) => isFresh(one, round)),
    questions: open,
  });
  const asked = convergence.recommendation === 'user_input_needed' ? questions : open;
  return {
    session_id: input.sessionId,
    round,
    solutions: finishSolutions(best, input),
    convergence,
    cross_verification: verification,
    clarification_questions: questions,
    agents_questions: [...(previous?.agents_questions ?? []), ...open],
    asked_by: [
      ...askedBefore,
      ...asked.map((question) => ({ question, agents: askersOf(question, answers) })),
    ],
    receipts: [...input.receipts],
    unanswered: [...input.unanswered],
    absent: absentAfter(input),
    compared: [...(previous?.compared ?? compared)],
    remarks,
    assumptions: collectAssumptions(previous?.assumptions ?? [], answers),
    replies: answers.flatMap(({ agent, reply = '' }) =>
      reply.trim() === '' ? [] : { agent, text: inNames(reply) },
    ),
    search_terms: newTerms(answers, previous?.search_terms ?? []),
    notes: [
      ...input.notes,
      ...answers.flatMap(({ notes }) => notes),
      ...proposed.flatMap((revision) => copyNote(revision, examined)),
      ...after.flatMap((candidate) => uncountedNotes(candidate, round)),
      ...ranked
        .filter((one, at) => !isOffered(one, at))
        .map(
          ({ candidate: { name, source_cli: authors } }) =>
            `Not among the best ${mostSolutions}: “${name}”, proposed by ${authors.join(', ')}.`,
        ),
      ...unknownVendorNote(answers),
    ],
  };
}

/** Keeps naming the agents that fell silent in an earlier round until they answer again. */
function absentAfter({ previous, answers, unanswered }: SynthesisInput): Synthesis['absent'] {
  const before = previous?.unanswered.map((one) => ({ ...one, round: previous.round })) ?? [];
  const heard = [...answers, ...unanswered].map(({ agent }) => agent);
  return [...(previous?.absent ?? []), ...before].filter(({ agent }) => !heard.includes(agent));
}

/** Makes a function that says if two solutions were found to be the same by the agents that compared them. */
function sameIn(compared: readonly ComparedPair[]): (a: Candidate, b: Candidate) => boolean {
  const same = compared.filter(({ relation }) => relation === 'same');
  return (a, b) =>
    same.some(
      (pair) => (isOf(pair, 0, a) && isOf(pair, 1, b)) || (isOf(pair, 0, b) && isOf(pair, 1, a)),
    );
}

function isOf({ agents, names }: ComparedPair, at: 0 | 1, { source_cli, name }: Candidate) {
  return source_cli.includes(agents[at]) && names[at] === name;
}

function isOffered({ candidate }: RankedCandidate, index: number): boolean {
  return index < mostSolutions || candidate.preferred_by.length > 0;
}

/**
 * A solution with the agents’ current opinions of it. A new stance replaces the same agent’s earlier one; the
 * stances of the others stay. Of several stances of one agent, the most negative counts. The stances were taken
 * on the examined text, so its words decide which reasons count.
 */
function withOpinions(
  candidate: Candidate,
  { answers, round, previous }: Pick<SynthesisInput, 'answers' | 'round' | 'previous'>,
): Candidate {
  const text = previous?.solutions.find(({ id }) => id === candidate.id);
  if (previous === null || text === undefined) return candidate;
  const others = previous.solutions.filter((other) => other !== text);
  const inNames = namer(previous.solutions);
  const taken = answers.flatMap(({ agent, stances }): readonly HeldStance[] => {
    const own = stances.filter(({ label }) => label === text.label);
    const stance = (['oppose', 'unsure', 'support'] as const).find((one) =>
      own.some((held) => held.stance === one),
    );
    if (stance === undefined) return [];
    const changes = own.flatMap((one) => one.changes ?? []);
    const relation = own.find((one) => one.relation !== undefined)?.relation;
    const evidence = own.flatMap((one) => one.evidence);
    const said = { stance, reasons: own.flatMap(({ reasons }) => reasons), changes, evidence };
    // Replacing the label by a name first would make it count as a name that the agent gave.
    const counts = citesRemark(said, text.id, previous.remarks);
    return [
      {
        agent,
        stance,
        reasons: said.reasons.map(inNames),
        evidence,
        ...(changes.length !== 0 && { changes: changes.map(inNames) }),
        ...(relation !== undefined && { relation }),
        reason: counts ? null : whyNotCounting(said, text, others),
        round,
      },
    ];
  });
  const kept = candidate.stances.filter(({ agent }) => !taken.some((one) => one.agent === agent));
  return {
    ...candidate,
    stances: [...kept, ...taken].toSorted((a, b) => compareTexts(a.agent, b.agent)),
    preferred_by: preferrersOf(text, answers),
  };
}

/** The agents that prefer it now, and those that said so before and did not answer in this round. */
function preferrersOf(
  { label, preferred_by: before = [] }: Solution,
  answers: readonly RoundAnswer[],
) {
  const silent = before.filter((name) => !answers.some(({ agent }) => agent === name));
  const now = answers.filter(({ preferred }) => preferred === label).map(({ agent }) => agent);
  return distinct([...silent, ...now]);
}

/** True if the text of a solution is new in a round, so that no agent has examined it yet. */
function isFresh({ id, revised_in: revised }: Candidate, round: number): boolean {
  return id === null || revised === round;
}

/**
 * True if a round produced something that another round could build on: a new or revised solution, a reference
 * that holds and is new, a changed stance, or another solution that an agent would now build. A first
 * opposition counts as a change, because the author has not answered it; a first support or doubt without
 * evidence leaves nothing to answer.
 */
function bringsInsight(
  before: readonly Solution[],
  after: readonly Candidate[],
  round: number,
): boolean {
  const known = new Set(before.flatMap(soundPlaces));
  return after.some(
    (candidate) =>
      isFresh(candidate, round) ||
      soundPlaces(candidate).some((place) => !known.has(place)) ||
      hasMoved(
        before.find(({ id }) => id === candidate.id),
        candidate,
      ),
  );
}

function soundPlaces({ claims, stances }: Pick<Solution, 'claims' | 'stances'>): readonly string[] {
  return [...claims, ...stances.flatMap(({ evidence }) => evidence)]
    .filter(isFound)
    .map(({ path, found_line }) => `${path}:${found_line}`);
}

function hasMoved(before: Solution | undefined, after: Candidate): boolean {
  const known = new Map(before?.stances.map(({ agent, stance }) => [agent, stance]));
  const isNew = ({ agent, stance }: HeldStance) =>
    (known.get(agent) ?? (stance === 'oppose' ? null : stance)) !== stance;
  return (
    after.stances.some(isNew) ||
    after.preferred_by.some((agent) => before?.preferred_by?.includes(agent) !== true)
  );
}

/** Gives the ids S1, S2… in round 1, later S2.1, S2.2…; an id is never used twice in a session. */
function withIds(ranked: readonly RankedCandidate[], round: number): readonly RankedCandidate[] {
  let count = 0;
  return ranked.map(({ candidate, score }) => {
    if (candidate.id !== null) return { candidate, score };
    count += 1;
    const id = round === 1 ? `S${count}` : `S${round}.${count}`;
    return { candidate: { ...candidate, id }, score };
  });
}

function finishSolutions(
  best: readonly RankedCandidate[],
  { sessionId, round }: SynthesisInput,
): Solution[] {
  const ids = best.map(({ candidate }) => candidate.id ?? '');
  const labels = neutralLabels({ sessionId, round, ids });
  return best.map(({ candidate, score }) => {
    const id = candidate.id ?? '';
    const values = jointEstimate(candidate.estimates);
    return { ...candidate, ...values, id, label: labels.get(id) ?? '', rank_score: score };
  });
}

/** The terms that no earlier round searched for, each once, ignoring case. */
function newTerms(answers: readonly RoundAnswer[], known: readonly string[]): string[] {
  const searched = new Set(known.map((term) => term.toLowerCase()));
  const terms = answers.flatMap(({ searchTerms }) => searchTerms.map((term) => term.trim()));
  return distinct(terms).filter((term) => {
    const isNew = term !== '' && !searched.has(term.toLowerCase());
    searched.add(term.toLowerCase());
    return isNew;
  });
}

function copyNote(revision: Candidate, examined: readonly Solution[]): readonly string[] {
  const of = copiedFrom(revision, examined);
  if (of === undefined) return [];
  const authors = revision.source_cli.join(', ');
  return [`${authors} sent “${of.name}” of others as a revision, which changes nothing.`];
}

/** Names the stances of this round that do not count as votes, with the reasons. */
function uncountedNotes({ name, stances }: Candidate, round: number): readonly string[] {
  return stances.flatMap(({ agent, stance, reason, round: taken }) =>
    taken !== round || reason === null || stance === 'unsure'
      ? []
      : `${agent} says “${stance}” of “${name}”, which is no vote, as ${reason}.`,
  );
}

function unknownVendorNote(answers: readonly RoundAnswer[]): readonly string[] {
  const unknown = answers
    .filter(({ kind, vendor }) => kind === 'model' && vendor === null)
    .map(({ agent }) => agent);
  return unknown.length === 0
    ? []
    : [`The vendor of ${unknown.join(', ')} is unknown, so agreement with it does not count.`];
}
