import { telling } from '../../model/agent-failure.ts';
import { Synthesis } from '../../model/synthesis.ts';
import { type Tools, recorded } from '../tools.ts';
import type { SeatOutcome, SeatedRound } from './ask-round.ts';
import { forOtherReaders } from './other-readers.ts';
import { changedSolutions } from './round-changes.ts';
import { synthesize } from './synthesize.ts';

/** Checks and joins the answers of a round into `rounds/N/synthesis.json`. */
export async function joinAnswers(join: {
  readonly round: SeatedRound;
  readonly results: readonly SeatOutcome[];
  readonly tools: Tools;
  readonly signal: AbortSignal;
}): Promise<Synthesis> {
  const { round, results, tools, signal } = join;
  const path = `rounds/${round.number}/synthesis.json`;
  const previous = round.previous?.synthesis ?? null;
  const input = { answered: results.map((result) => result.answer?.receipt.agent ?? null) };
  const step = { tools, signal, group: round.group, name: 'synthesis', input, shape: Synthesis };
  const joined = await recorded(step, async () => {
    const joint = synthesize({
      sessionId: tools.folder.id,
      round: round.number,
      answers: await Promise.all(results.flatMap(({ answer }) => answer?.checked() ?? [])),
      previous,
      receipts: results.flatMap(({ answer }) => answer?.receipt ?? []),
      unanswered: telling(
        results.flatMap(({ failed }) => failed.map(({ failure }) => failure)),
      ).map(({ agent, category, detail }) => ({ agent, category, reason: detail })),
      notes: notesOf(results),
    });
    const synthesis = forOtherReaders(joint, { task: round.task, at: new Date() });
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
    agreed: joined.cross_verification.agreements,
    disagreed: joined.cross_verification.disagreements,
    names: joined.solutions.map(({ name }) => name),
    ...changedSolutions(previous, joined),
    synthesis: `${tools.folder.relative}/${path}`,
  });
  return joined;
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
