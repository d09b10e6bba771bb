import { isAbsolute } from 'node:path';
import type { CodeReviewTool, ExecutionMethod, UserAnswer } from '../../model/decision.ts';
import { ExecutionContext } from '../../model/execution-context.ts';
import { taskFile } from '../../model/plan-rules.ts';
import type { Plan } from '../../model/plan.ts';
import type { Tools } from '../tools.ts';

/** Writes `execution-context.json`, with which execution starts. */
export async function handOff(
  input: HandedOver & { readonly number: number },
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

/** What a decision and its approved plan hand over. */
export interface HandedOver {
  readonly task: string;
  readonly plan: Plan;
  readonly executionMethod: ExecutionMethod;
  readonly codeReviewTool: CodeReviewTool;
  readonly rounds: number;
  readonly constraints: readonly string[];
  readonly feedback: readonly string[];
  readonly answers: readonly UserAnswer[];
}

/**
 * What is handed to execution. `folder` is the session folder relative to the repository, and
 * so are all paths in the result; `rounds` is how many rounds have a synthesis.
 */
export function buildExecutionContext({
  sessionId,
  folder,
  task,
  plan,
  executionMethod,
  codeReviewTool,
  rounds,
  constraints,
  feedback,
  answers,
}: HandedOver & { readonly sessionId: string; readonly folder: string }): ExecutionContext {
  if (isAbsolute(folder)) throw new Error('the session folder must be relative to the repository');
  const base = folder.replace(/\/+$/, '');
  return {
    planObject: plan,
    taskFiles: plan.task_ids.map((id) => `${base}/${taskFile(id)}`),
    explorationsContext: null,
    explorationAngles: [],
    explorationManifest: null,
    clarificationContext: clarificationOf(feedback, answers),
    executionMethod,
    codeReviewTool,
    originalUserInput: task,
    executorAssignments: null,
    userConstraints: [...constraints],
    session: {
      id: sessionId,
      folder: base,
      artifacts: {
        explorations: [],
        explorations_manifest: null,
        plan: `${base}/plan.json`,
        task_dir: `${base}/.task/`,
        synthesis_rounds: Array.from(
          { length: rounds },
          (_, index) => `${base}/rounds/${index + 1}/synthesis.json`,
        ),
        context_package: `${base}/context-package.json`,
      },
    },
  };
}

/** Null where the user said nothing, so that nobody reads an empty answer as an answer. */
function clarificationOf(
  feedback: readonly string[],
  answers: readonly UserAnswer[],
): ExecutionContext['clarificationContext'] {
  const said = feedback.filter((text) => text.trim() !== '');
  const answered = answers.filter(({ answer }) => answer.trim() !== '');
  return said.length === 0 && answered.length === 0
    ? null
    : { feedback: said, answers: answered.map(({ question, answer }) => ({ question, answer })) };
}
