import { Clarification, Decision } from '../model/decision.ts';
import type { Tools } from '../phases/tools.ts';
import { modelNeeded } from '../phases/discussion/seats.ts';
import type { WorkflowContext } from './chart-context.ts';
import type { View } from './view.ts';

/** A question to the user, asked as a step: an answer that was given is never asked for again. */
export interface Asking {
  readonly context: WorkflowContext;
  readonly tools: Tools;
  readonly view: View;
  readonly signal: AbortSignal;
}

/** `user_input_needed`: the agents ask, or disagree on what the user wants. */
export async function askUser({ context, tools, view, signal }: Asking): Promise<Clarification> {
  const questions = context.last?.synthesis.clarification_questions ?? [];
  const key = `round-${context.round}/clarify`;
  tools.emit({ type: 'question.asked', questions });
  const { value } = await tools.steps.run(
    { key, group: key, kind: 'question', input: { questions }, shape: Clarification, signal },
    () => view.clarify({ round: context.round, questions }, signal),
  );
  const { skipped, by } = value;
  tools.emit({ type: 'question.answered', skipped, by });
  return value;
}

/** Which option: a solution, more analysis, or cancel. */
export async function decide({
  context,
  tools,
  view,
  signal,
  uncertainty,
  canDiscuss,
}: Asking & {
  readonly uncertainty: string | null;
  /** Whether more analysis has somebody to ask. */
  readonly canDiscuss: () => Promise<boolean>;
}): Promise<Decision> {
  const synthesis = context.last?.synthesis;
  if (synthesis === undefined) throw new Error('a decision needs a finished round');
  const key = `decision-${context.decisions}`;
  tools.emit({ type: 'phase.entered', phase: 'decision', round: context.round });
  const solutions = synthesis.solutions.map(({ id, name }) => ({ id, name }));
  const { value } = await tools.steps.run(
    {
      key,
      group: key,
      kind: 'question',
      input: { round: context.round, solutions },
      shape: Decision,
      signal,
    },
    async () => {
      const question = { number: context.decisions, synthesis, uncertainty };
      return await view.decide({ ...question, canDiscuss: await canDiscuss() }, signal);
    },
  );
  if (value.kind === 'approve' && value.feedback !== undefined) {
    const text = `${modelNeeded} The feedback is given to the plan instead.`;
    tools.emit({ type: 'warning.raised', text });
  }
  tools.emit({ type: 'decision.made', decision: decisionText(value), by: value.by });
  return value;
}

function decisionText(decision: Decision): string {
  switch (decision.kind) {
    case 'approve':
      return `option ${decision.solution}, execution ${decision.execution_method}, code review ${decision.code_review_tool}`;
    case 'more-analysis':
      return 'need more analysis';
    case 'cancel':
      return 'cancel';
  }
}
