import type { Receipt } from '../../model/receipt.ts';
import type { Solution, Synthesis } from '../../model/synthesis.ts';
import { oneLine } from '../../model/wording.ts';

/**
 * A synthesis with what readers of such sessions take besides: its title and time, the calls, why
 * it converged or not in one text, and who says what where agents disagree. All of it is told by
 * the other fields, too.
 */
export function forOtherReaders(
  synthesis: Synthesis,
  { task, at }: { readonly task: string; readonly at: Date },
): Synthesis {
  const { convergence, receipts, unanswered } = synthesis;
  return {
    ...synthesis,
    title: oneLine(task).slice(0, 200),
    timestamp: at.toISOString(),
    convergence: { ...convergence, rationale: convergence.reasons.join(' ') },
    cli_executions: {
      ...Object.fromEntries(unanswered.map(({ agent, reason }) => [agent, failedCall(reason)])),
      ...Object.fromEntries(receipts.map((receipt) => [receipt.agent, call(receipt)])),
    },
    disagreements: [...synthesis.solutions.flatMap(dispute), ...choice(synthesis)],
  };
}

type Call = NonNullable<Synthesis['cli_executions']>[string];

function failedCall(error: string): Call {
  return { status: 'failed', duration_ms: 0, model: '', error };
}

function call({ duration_ms, model }: Receipt): Call {
  return { status: 'success', duration_ms, model: model ?? '' };
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

/** Where agents would build different solutions: who would build which. */
function choice({ solutions }: Synthesis): readonly Disagreement[] {
  const wanted = solutions.flatMap(({ name, preferred_by: agents = [] }) =>
    agents.map((agent) => [agent, name]),
  );
  if (new Set(wanted.map(([, name]) => name)).size < 2) return [];
  return [{ topic: 'Which solution to build', ...Object.fromEntries(wanted) }];
}
