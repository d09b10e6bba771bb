import { createHash } from 'node:crypto';
import type { Receipt } from '../../model/receipt.ts';
import type { HeldStance, Solution, Synthesis, Unanswered } from '../../model/synthesis.ts';
import { compareTexts } from '../../model/wording.ts';
import { clarificationQuestions, openQuestions } from './clarify.ts';
import { converge } from './converge.ts';
import { crossVerification } from './cross-verification.ts';
import { type Draft, draftFrom, proposedDrafts } from './draft.ts';
import { jointEstimate } from './estimates.ts';
import { rankDrafts, type Ranked } from './converge.ts';
import { newDrafts, reviseDrafts } from './revise-drafts.ts';
import { broughtInsight, wasRevised } from './round-changes.ts';
import { mergedStance, type RoundAnswer, voicesOf } from './support.ts';

/** Everything one round brought. The order of the answers makes no difference. */
export interface SynthesisInput {
  readonly sessionId: string;
  readonly round: number;
  readonly answers: readonly RoundAnswer[];
  readonly previous: Synthesis | null;
  readonly receipts: readonly Receipt[];
  readonly unanswered: readonly Unanswered[];
  readonly notes: readonly string[];
}

/** A synthesis offers no more solutions than this, but for those that somebody would build. */
const mostSolutions = 3;

/**
 * Joins the checked answers of a round. Without a round before, like solutions of different
 * agents become one; else the solutions go on with the new stances and revisions. All numbers
 * and counts come from the structured answers.
 */
export function synthesize(input: SynthesisInput): Synthesis {
  const { answers, previous, round } = input;
  const before = previous?.solutions.map(draftFrom) ?? [];
  const voices = voicesOf(round, answers);
  const { stances, notes: stanceNotes } = newStances(answers, previous);
  const revisions = answers.flatMap(proposedDrafts);
  const after =
    previous === null
      ? newDrafts(revisions)
      : reviseDrafts(before, revisions)
          .map((draft) => withStances(draft, stances))
          .map((draft) => withPreferences(draft, answers, previous));
  const ranked = rankDrafts(after, voices);
  const best = withIds(ranked.filter(isOffered), previous === null ? 1 : round);
  const drafts = best.map(({ draft }) => draft);
  const { verification, disputed, rivals } = crossVerification({ voices, drafts });
  const open = openQuestions(answers, previous?.clarification_questions ?? []);
  const convergence = converge({
    round,
    voices: answers,
    solutions: ranked.map(({ draft }) => draft),
    // What the agents ask is new as well: the answer, or that there is none, may settle it.
    newInsights: open.length > 0 || broughtInsight(before, after),
    revised: wasRevised(before, after),
    questions: open,
  });
  return {
    session_id: input.sessionId,
    round,
    solutions: finished(best, input),
    convergence,
    cross_verification: verification,
    clarification_questions: clarificationQuestions({ open, disputed, rivals }),
    agents_questions: [...(previous?.agents_questions ?? []), ...open],
    receipts: [...input.receipts],
    unanswered: [...input.unanswered],
    search_terms: newTerms(answers, previous?.search_terms ?? []),
    notes: [
      ...input.notes,
      ...answers.flatMap(({ notes }) => notes).toSorted(compareTexts),
      ...stanceNotes,
      ...ranked.filter((one, at) => !isOffered(one, at)).map(({ draft }) => droppedNote(draft)),
      ...unknownVendorNote(answers),
    ],
  };
}

function isOffered({ draft }: Ranked, index: number): boolean {
  return index < mostSolutions || draft.preferred_by.length > 0;
}

/** The new stances by solution id; a label that nobody was asked about becomes a note. */
function newStances(answers: readonly RoundAnswer[], previous: Synthesis | null) {
  const ids = new Map(previous?.solutions.map(({ label, id }) => [label, id]));
  const byId = new Map<string, Map<string, HeldStance>>();
  const notes = new Set<string>();
  for (const { agent, stances } of answers.toSorted((a, b) => compareTexts(a.agent, b.agent))) {
    for (const { label, stance, reasons, evidence } of stances) {
      const id = ids.get(label);
      if (id === undefined) {
        notes.add(`${agent} took a stance on “${label}”, which names no solution; it was ignored.`);
        continue;
      }
      const byAgent = byId.get(id) ?? new Map<string, HeldStance>();
      const one = { agent, stance, reasons: [...reasons], evidence: [...evidence] };
      const known = byAgent.get(agent);
      byAgent.set(agent, known === undefined ? one : mergedStance(known, one));
      byId.set(id, byAgent);
    }
  }
  return { stances: byId, notes: [...notes] };
}

/** A new stance takes the place of the same agent’s earlier one; the others’ stay. */
function withStances(
  draft: Draft,
  newOnes: ReadonlyMap<string, ReadonlyMap<string, HeldStance>>,
): Draft {
  const own = newOnes.get(draft.id ?? '');
  if (own === undefined) return draft;
  const stances = [...draft.stances.filter(({ agent }) => !own.has(agent)), ...own.values()];
  return { ...draft, stances: stances.toSorted((a, b) => compareTexts(a.agent, b.agent)) };
}

function withPreferences(
  draft: Draft,
  answers: readonly RoundAnswer[],
  { solutions }: Synthesis,
): Draft {
  const asked = solutions.find(({ id }) => id === draft.id);
  const preferring = answers.filter(
    ({ kind, preferred }) => kind === 'model' && preferred !== null && preferred === asked?.label,
  );
  return { ...draft, preferred_by: preferring.map(({ agent }) => agent).toSorted(compareTexts) };
}

/** S1, S2… in round 1, later S2.1, S2.2…: an id is never given twice in a session. */
function withIds(ranked: readonly Ranked[], round: number): readonly Ranked[] {
  let count = 0;
  return ranked.map(({ draft, score }) => {
    if (draft.id !== null) return { draft, score };
    count += 1;
    return { draft: { ...draft, id: round === 1 ? `S${count}` : `S${round}.${count}` }, score };
  });
}

function finished(best: readonly Ranked[], { sessionId, round }: SynthesisInput): Solution[] {
  const ids = best.map(({ draft }) => draft.id ?? '');
  const labels = neutralLabels({ sessionId, round, ids });
  return best.map(({ draft, score }) => {
    const id = draft.id ?? '';
    const values = jointEstimate(draft.estimates);
    return { ...draft, ...values, id, label: labels.get(id) ?? '', rank_score: score };
  });
}

/** Terms that no earlier round searched, those that most agents name first. */
function newTerms(answers: readonly RoundAnswer[], known: readonly string[]): string[] {
  const asked = new Set(known.map((term) => term.toLowerCase()));
  const named = answers
    .flatMap(({ agent, searchTerms }) => searchTerms.map((text) => ({ agent, term: text.trim() })))
    .filter(({ term }) => term !== '' && !asked.has(term.toLowerCase()));
  return [...Map.groupBy(named, ({ term }) => term.toLowerCase()).values()]
    .map((group) => ({
      // Of two spellings the one that sorts first, whoever answered first.
      term: group.map(({ term }) => term).toSorted(compareTexts)[0] ?? '',
      count: new Set(group.map(({ agent }) => agent)).size,
    }))
    .toSorted((a, b) => b.count - a.count || compareTexts(a.term, b.term))
    .map(({ term }) => term);
}

function droppedNote({ name, source_cli: authors, stances }: Draft): string {
  const supporters = stances
    .filter(({ agent, stance }) => stance === 'support' && !authors.includes(agent))
    .map(({ agent }) => agent);
  const support = supporters.length === 0 ? '' : `, supported by ${supporters.join(', ')}`;
  return `Not among the best ${mostSolutions}: “${name}”, proposed by ${authors.join(', ')}${support}.`;
}

function unknownVendorNote(answers: readonly RoundAnswer[]): readonly string[] {
  const unknown = answers
    .filter(({ kind, vendor }) => kind === 'model' && vendor === null)
    .map(({ agent }) => agent)
    .toSorted(compareTexts);
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
