// Joins the answers of a round under letters that hide author and rank.
import { createHash } from 'node:crypto';
import type { Receipt } from '../../model/receipt.ts';
import type {
  ComparedPair,
  HeldStance,
  Solution,
  Synthesis,
  MissingAnswer,
} from '../../model/synthesis.ts';
import { compareTexts } from '../../model/wording.ts';
import { askersOf, clarificationQuestions, openQuestions } from './clarify.ts';
import { converge, rankCandidates, type RankedCandidate } from './converge.ts';
import { crossVerify } from './cross-verification.ts';
import { type Candidate, candidateFrom, jointEstimate } from './candidate.ts';
import { namer } from './label-names.ts';
import { newCandidates, type RevisedCandidates, reviseCandidates } from './group-candidates.ts';
import { withCitedRemarks } from './cited-remarks.ts';
import { hasCountingReason } from './reasons.ts';
import { collectAssumptions, collectRemarks } from './collect-remarks.ts';
import { bringsInsight, wasRevised } from './round-changes.ts';
import { distinct, type RoundAnswer, voicesOf } from './support.ts';

/** Everything one round brought. The order of the answers makes no difference. */
export interface SynthesisInput {
  readonly sessionId: string;
  readonly round: number;
  readonly answers: readonly RoundAnswer[];
  readonly previous: Synthesis | null;
  /** In round 1: how the recommended solutions relate. */
  readonly compared: readonly ComparedPair[];
  readonly receipts: readonly Receipt[];
  readonly unanswered: readonly MissingAnswer[];
  readonly notes: readonly string[];
}

/** A synthesis offers no more solutions than this, but for those that somebody would build. */
const mostSolutions = 3;

/**
 * Joins the checked answers of a round. Without a round before, recommended solutions that were
 * found the same become one; else the solutions go on with the new stances and revisions. All numbers
 * and counts come from the structured answers.
 */
export function synthesize(input: SynthesisInput): Synthesis {
  const { previous, round } = input;
  const inNames = namer(previous?.solutions ?? []);
  const answers = input.answers
    .toSorted((a, b) => compareTexts(a.agent, b.agent))
    .map((answer) => ({ ...answer, questions: answer.questions.map(inNames) }));
  const before = previous?.solutions.map(candidateFrom) ?? [];
  const voices = voicesOf(round, answers);
  const proposed = answers.flatMap(({ candidates }) => candidates);
  const examined = previous?.solutions ?? [];
  const revised =
    previous === null
      ? { candidates: newCandidates(proposed, sameIn(input.compared)), copies: [] }
      : reviseCandidates(before, proposed, round);
  const after = revised.candidates.map((candidate) =>
    withOpinions(candidate, examined, { answers, round, remarks: previous?.remarks ?? [] }),
  );
  const ranked = rankCandidates(after, voices);
  const best = withIds(ranked.filter(isOffered), round);
  const candidates = best.map(({ candidate }) => candidate);
  const remarks = collectRemarks({
    round,
    before: previous?.remarks ?? [],
    answers,
    idOf: (label) => examined.find((one) => one.label === label)?.id,
    inNames,
    solutions: after.flatMap(({ id, ...one }) => (id === null ? [] : { id, ...one })),
  });
  const { verification, disputed, rivals } = crossVerify(candidates, {
    voices,
    remarks,
    compared: input.compared,
  });
  const open = openQuestions(answers, previous?.clarification_questions ?? []);
  const convergence = converge({
    round,
    voices: answers,
    solutions: ranked.map(({ candidate }) => candidate),
    // A question of the agents is new as well: the answer, or that there is none, may settle it.
    newInsights: open.length > 0 || bringsInsight(before, after),
    revised: wasRevised(before, after),
    questions: open,
  });
  return {
    session_id: input.sessionId,
    round,
    solutions: finishSolutions(best, input),
    convergence,
    cross_verification: verification,
    clarification_questions: clarificationQuestions({ open, disputed, rivals }),
    agents_questions: [...(previous?.agents_questions ?? []), ...open],
    asked_by: [
      ...(previous?.asked_by ?? []),
      ...open.map((question) => ({ question, agents: askersOf(question, answers) })),
    ],
    receipts: [...input.receipts],
    unanswered: [...input.unanswered],
    absent: absentAfter(input),
    compared: [...(previous?.compared ?? input.compared)],
    remarks,
    assumptions: collectAssumptions(previous?.assumptions ?? [], answers),
    replies: answers.flatMap(({ agent, reply = '' }) =>
      reply.trim() === '' ? [] : { agent, text: inNames(reply) },
    ),
    search_terms: newTerms(answers, previous?.search_terms ?? []),
    notes: [
      ...input.notes,
      ...answers.flatMap(({ notes }) => notes),
      ...revised.copies.map(copyNote),
      ...after.flatMap((candidate) => uncountedNotes(candidate, round)),
      ...ranked
        .filter((one, at) => !isOffered(one, at))
        .map(({ candidate }) => droppedNote(candidate)),
      ...unknownVendorNote(answers),
    ],
  };
}

/** Those who fell silent in an earlier round stay named until they are heard again. */
function absentAfter({ previous, answers, unanswered }: SynthesisInput): Synthesis['absent'] {
  const before = previous?.unanswered.map((one) => ({ ...one, round: previous.round })) ?? [];
  const heard = [...answers, ...unanswered].map(({ agent }) => agent);
  return [...(previous?.absent ?? []), ...before].filter(({ agent }) => !heard.includes(agent));
}

/** True of two solutions that whoever was asked found the same. */
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
 * A solution with what the agents now think of it. A new stance takes the place of the same agent’s
 * earlier one; the others’ stay. Of several stances of one agent the most negative counts. They
 * were taken on the text that was examined, so its words decide which reasons count.
 */
function withOpinions(
  candidate: Candidate,
  examined: readonly Solution[],
  {
    answers,
    round,
    remarks,
  }: Pick<SynthesisInput, 'answers' | 'round'> & Pick<Synthesis, 'remarks'>,
): Candidate {
  const text = examined.find(({ id }) => id === candidate.id);
  if (text === undefined) return candidate;
  const others = examined.filter((other) => other !== text);
  const inNames = namer(examined);
  const taken = answers.flatMap(({ agent, stances }): readonly HeldStance[] => {
    const own = stances.filter(({ label }) => label === text.label);
    const worst = (['oppose', 'unsure', 'support'] as const).find((stance) =>
      own.some((one) => one.stance === stance),
    );
    if (worst === undefined) return [];
    const reasons = own.flatMap((one) => one.reasons);
    const evidence = own.flatMap((one) => one.evidence);
    const changes = own.flatMap((one) => one.changes ?? []);
    const relation = own.find((one) => one.relation !== undefined)?.relation;
    const said = {
      stance: worst,
      reasons,
      ...(changes.length === 0 ? {} : { changes }),
      ...(relation === undefined ? {} : { relation }),
      evidence,
    };
    // The letters stand for other solutions in the next round; its own words decide what counts.
    const counts = hasCountingReason(withCitedRemarks(said, text.id, remarks), text, others);
    const named = {
      reasons: reasons.map(inNames),
      ...(changes.length === 0 ? {} : { changes: changes.map(inNames) }),
    };
    return [{ agent, ...said, ...named, counts, round }];
  });
  const kept = candidate.stances.filter(({ agent }) => !taken.some((one) => one.agent === agent));
  return {
    ...candidate,
    stances: [...kept, ...taken].toSorted((a, b) => compareTexts(a.agent, b.agent)),
    preferred_by: preferrersOf(text, answers),
  };
}

/** The agents that prefer it now; who said so before and did not answer in this round stays named. */
function preferrersOf(
  { label, preferred_by: before = [] }: Solution,
  answers: readonly RoundAnswer[],
) {
  const silent = before.filter((name) => !answers.some(({ agent }) => agent === name));
  const now = answers.filter(({ preferred }) => preferred === label).map(({ agent }) => agent);
  return [...distinct([...silent, ...now])];
}

/** S1, S2… in round 1, later S2.1, S2.2…: an id is never given twice in a session. */
function withIds(ranked: readonly RankedCandidate[], round: number): readonly RankedCandidate[] {
  let count = 0;
  return ranked.map(({ candidate, score }) => {
    if (candidate.id !== null) return { candidate, score };
    count += 1;
    return {
      candidate: { ...candidate, id: round === 1 ? `S${count}` : `S${round}.${count}` },
      score,
    };
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

/** Terms that no earlier round searched for, each once, whatever its case. */
function newTerms(answers: readonly RoundAnswer[], known: readonly string[]): string[] {
  const searched = new Set(known.map((term) => term.toLowerCase()));
  const terms = answers.flatMap(({ searchTerms }) => searchTerms.map((term) => term.trim()));
  return distinct(terms).filter((term) => {
    const isNew = term !== '' && !searched.has(term.toLowerCase());
    searched.add(term.toLowerCase());
    return isNew;
  });
}

function droppedNote({ name, source_cli: authors }: Candidate): string {
  return `Not among the best ${mostSolutions}: “${name}”, proposed by ${authors.join(', ')}.`;
}

/** Stances of this round that are no vote, as none of their reasons counts. */
function uncountedNotes({ name, stances }: Candidate, round: number): readonly string[] {
  return stances
    .filter((held) => held.round === round && !held.counts && held.stance !== 'unsure')
    .map(
      ({ agent, stance }) =>
        `${agent} says “${stance}” of “${name}” without a reason that names anything of it or evidence that was found: it is no vote.`,
    );
}

function copyNote({ copy, of }: RevisedCandidates['copies'][number]): string {
  return `${copy.source_cli.join(', ')} sent “${of.name}” of others as a revision, which changes nothing.`;
}

function unknownVendorNote(answers: readonly RoundAnswer[]): readonly string[] {
  const unknown = answers
    .filter(({ kind, vendor }) => kind === 'model' && vendor === null)
    .map(({ agent }) => agent);
  return unknown.length === 0
    ? []
    : [`The vendor of ${unknown.join(', ')} is unknown, so agreement with it does not count.`];
}

/**
 * Labels A, B, C… for the next round’s questions, by solution id. They follow the order of a
 * hash of session, round and id: it says nothing about author or rank, so no agent can tell its
 * own solution or the leading one by the letter, and it is the same on every replay.
 */
export function neutralLabels({
  sessionId,
  round,
  ids,
}: {
  readonly sessionId: string;
  readonly round: number;
  readonly ids: readonly string[];
}): ReadonlyMap<string, string> {
  const hashOf = (id: string) =>
    createHash('sha256')
      .update(JSON.stringify([sessionId, round, id]))
      .digest('hex');
  const sorted = ids.toSorted((a, b) => compareTexts(hashOf(a), hashOf(b)));
  return new Map(sorted.map((id, index) => [id, String.fromCodePoint(65 + index)]));
}
