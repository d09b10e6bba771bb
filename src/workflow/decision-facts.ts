// Tells of a decision, in words and as fields.
import type { Decision } from '../model/decision.ts';

/** The facts of a decision between these solutions, for its event. */
export function decisionFacts(decision: Decision, solutions: readonly { readonly name: string }[]) {
  const { kind, by } = decision;
  const number = kind === 'approve' ? decision.solution : 0;
  const name = solutions[number - 1]?.name;
  return {
    decision: decisionText(decision),
    kind,
    option: name === undefined ? null : { number, name },
    constraints: kind === 'approve' ? decision.constraints : [],
    feedback: kind === 'cancel' ? null : (decision.feedback ?? null),
    by,
  };
}

function decisionText(decision: Decision): string {
  switch (decision.kind) {
    case 'approve':
      return `option ${decision.solution}`;
    case 'more-analysis':
      return 'need more analysis';
    case 'cancel':
      return 'cancel';
  }
}
