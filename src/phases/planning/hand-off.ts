import type { CodeReviewTool, ExecutionMethod } from '../../model/decision.ts';
import { ExecutionContext } from '../../model/execution-context.ts';
import type { Plan } from '../../model/plan.ts';
import type { Tools } from '../tools.ts';
import { buildExecutionContext } from './execution-context.ts';

/** Writes `execution-context.json`, with which execution starts. */
export async function handOff(
  input: {
    readonly number: number;
    readonly task: string;
    readonly plan: Plan;
    readonly executionMethod: ExecutionMethod;
    readonly codeReviewTool: CodeReviewTool;
    readonly rounds: number;
    readonly constraints: readonly string[];
    readonly feedback: readonly string[];
    readonly answers: readonly { readonly question: string; readonly answer: string }[];
  },
  tools: Tools,
  signal: AbortSignal,
): Promise<ExecutionContext> {
  const group = `hand-off-${input.number}`;
  const { value } = await tools.steps.run(
    { key: group, group, kind: 'calculation', input: {}, shape: ExecutionContext, signal },
    async () => {
      const context = buildExecutionContext({
        ...input,
        sessionId: tools.folder.id,
        folder: tools.folder.relative,
      });
      await tools.folder.writeJson('execution-context.json', context);
      return context;
    },
  );
  return value;
}
