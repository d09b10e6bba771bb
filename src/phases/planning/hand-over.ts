// Writes the input of execution.
import type { CodeReviewTool, ExecutionMethod, UserAnswer } from '../../model/decision.ts';
import { ExecutionContext } from '../../model/execution-context.ts';
import type { ExecutorAssignment } from '../../model/execution.ts';
import { jsonIn } from '../../model/json.ts';
import { taskFile } from '../../model/plan-rules.ts';
import type { Plan } from '../../model/plan.ts';
import type { Tools } from '../phase-tools.ts';
import { steps } from '../../model/steps.ts';

/** Writes `execution-context.json`, from which execution starts. */
export async function handOff(
  { number, ...input }: HandOffInput & { readonly number: number },
  tools: Tools,
  signal: AbortSignal,
): Promise<ExecutionContext> {
  const { value } = await tools.steps.run(
    { ...steps.handOff(number), input: {}, shape: ExecutionContext, signal },
    async () => {
      const context = buildExecutionContext(input, tools.folder);
      await tools.folder.writeJson(fileName, context);
      return context;
    },
  );
  // The file follows from the plan, so a damaged one is written again.
  const onDisk = jsonIn((await tools.folder.read(fileName)) ?? '');
  if (!ExecutionContext.safeParse(onDisk).success) await tools.folder.writeJson(fileName, value);
  return value;
}

const fileName = 'execution-context.json';

/** Adds to `execution-context.json` which agent executes which task. */
export async function noteAssignments(
  { folder }: Pick<Tools, 'folder'>,
  executorAssignments: Readonly<Record<string, ExecutorAssignment>>,
): Promise<void> {
  const read = ExecutionContext.safeParse(jsonIn((await folder.read(fileName)) ?? ''));
  if (!read.success) return;
  await folder.writeJson(fileName, { ...read.data, executorAssignments });
}

/** The instruction for a coding agent to execute a plan. */
export function handOverText(sessionFolder: string): string {
  return `Carry out the plan in ${sessionFolder}/plan.md, task by task`;
}

/** The command that hands the plan to an agent now: the first one that is installed and can be started this way. */
export function handOverCommand(
  {
    agents,
    folder,
  }: {
    readonly agents: Pick<Tools['agents'], 'models' | 'get'>;
    readonly folder: Pick<Tools['folder'], 'relative'>;
  },
  names: readonly string[],
): string | null {
  const all = [...names, ...agents.models().map(({ name }) => name)];
  for (const name of all) {
    const words = agents.get(name)?.traits.startCommand(handOverText(folder.relative)) ?? null;
    if (words === null) continue;
    const [command, ...rest] = words;
    const shown = rest.map((word) => (word.includes(' ') ? JSON.stringify(word) : word));
    return [command, ...shown].join(' ');
  }
  return null;
}

/** The parts of a decision and its approved plan that are handed to execution. */
export interface HandOffInput {
  readonly task: string;
  readonly plan: Plan;
  readonly executionMethod: ExecutionMethod;
  readonly codeReviewTool: CodeReviewTool;
  /** The number of rounds with a synthesis. */
  readonly rounds: number;
  readonly constraints: readonly string[];
  readonly feedback: readonly string[];
  readonly answers: readonly UserAnswer[];
}

/** Builds what is handed to execution; its paths are relative to the repository, like that of the session folder. */
export function buildExecutionContext(
  { plan, ...given }: HandOffInput,
  { id, relative: folder }: Pick<Tools['folder'], 'id' | 'relative'>,
): ExecutionContext {
  const feedback = given.feedback.filter((text) => text.trim() !== '');
  const answers = given.answers.filter(({ answer }) => answer.trim() !== '');
  const numbers = Array.from({ length: given.rounds }, (_, index) => index + 1);
  return {
    planObject: plan,
    taskFiles: plan.task_ids.map((task) => `${folder}/${taskFile(task)}`),
    explorationsContext: null,
    explorationAngles: [],
    explorationManifest: null,
    // An empty answer must not be mistaken for an answer.
    clarificationContext: feedback.length + answers.length === 0 ? null : { feedback, answers },
    executionMethod: given.executionMethod,
    codeReviewTool: given.codeReviewTool,
    originalUserInput: given.task,
    executorAssignments: null,
    userConstraints: [...given.constraints],
    session: {
      id,
      folder,
      artifacts: {
        explorations: [],
        explorations_manifest: null,
        plan: `${folder}/plan.json`,
        task_dir: `${folder}/.task/`,
        synthesis_rounds: numbers.map((round) => `${folder}/rounds/${round}/synthesis.json`),
        context_package: `${folder}/context-package.json`,
      },
    },
  };
}
