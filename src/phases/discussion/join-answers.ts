import { Synthesis } from '../../model/synthesis.ts';
import type { Tools } from '../tools.ts';
import type { Asked, SeatOutcome } from './ask-round.ts';
import { changedSolutions } from './changed-solutions.ts';
import { synthesize } from './synthesize.ts';

/** Checks and joins the answers of a round into `rounds/N/synthesis.json`. */
export async function joinAnswers(join: {
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
    agreed: value.cross_verification.agreements,
    disagreed: value.cross_verification.disagreements,
    names: value.solutions.map(({ name }) => name),
    ...changedSolutions(asked.previous?.synthesis ?? null, value),
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
