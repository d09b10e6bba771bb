// Checks and joins a round's answers, and writes its synthesis, with the fields that other readers take.
import { tellingFirst } from '../../model/agent-failure.ts';
import { type Solution, Synthesis } from '../../model/synthesis.ts';
import { oneLine } from '../../model/wording.ts';
import { type Tools, recordStep } from '../phase-tools.ts';
import type { SeatOutcome } from './ask-round.ts';
import type { Comparison } from './compare-solutions.ts';
import type { SeatedRound } from './round-questions.ts';
import { findChangedSolutions } from './round-changes.ts';
import { synthesize } from './synthesize.ts';
import { steps } from '../../model/steps.ts';

/** Checks and joins the answers of a round into `rounds/N/synthesis.json`. */
export async function joinAnswers(join: {
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
    const joint = synthesize({
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

/**
 * A synthesis with what readers of such sessions take besides: its title and time, the calls, why
 * it converged or not in one text, and who says what where agents disagree. All of it is told by
 * the other fields, too.
 */
function forOtherReaders(
  synthesis: Synthesis,
  { task, at }: { readonly task: string; readonly at: Date },
): Synthesis {
  const { convergence, receipts, unanswered } = synthesis;
  return {
    ...synthesis,
    title: oneLine(task).slice(0, 200),
    timestamp: at.toISOString(),
    convergence: { ...convergence, rationale: convergence.reasons.join(' ') },
    cli_executions: Object.fromEntries([
      ...unanswered.map(({ agent, reason: error }) => {
        return [agent, { status: 'failed', duration_ms: 0, model: '', error }] as const;
      }),
      ...receipts.map(({ agent, duration_ms, model }) => {
        return [agent, { status: 'success', duration_ms, model: model ?? '' }] as const;
      }),
    ]),
    disagreements: [...synthesis.solutions.flatMap(dispute), ...choice(synthesis)],
  };
}

type Disagreement = NonNullable<Synthesis['disagreements']>[number];

/** On a solution that some oppose: what each agent says of it. */
function dispute({ name, stances, source_cli: authors }: Solution): readonly Disagreement[] {
  if (!stances.some(({ stance }) => stance === 'oppose')) return [];
  const said = stances.map(({ agent, stance, reasons }) => [
    agent,
    [stance, ...reasons.slice(0, 1).map(oneLine)].join(': '),
  ]);
  const silent = authors.map((agent) => [agent, 'proposed it']);
  return [{ topic: name, ...Object.fromEntries([...silent, ...said]) }];
}

/** Says who would build which solution, if agents would build different ones. */
function choice({ solutions }: Synthesis): readonly Disagreement[] {
  const wanted = solutions.flatMap(({ name, preferred_by: agents = [] }) =>
    agents.map((agent) => [agent, name]),
  );
  if (new Set(wanted.map(([, name]) => name)).size < 2) return [];
  return [{ topic: 'Which solution to build', ...Object.fromEntries(wanted) }];
}
