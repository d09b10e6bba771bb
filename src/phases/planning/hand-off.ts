import { programPath } from '../../agents/cli-setup.ts';
import type { CodeReviewTool, ExecutionMethod, UserAnswer } from '../../model/decision.ts';
import { ExecutionContext } from '../../model/execution-context.ts';
import { jsonIn } from '../../model/json.ts';
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
      await tools.folder.writeJson(fileName, context);
      return context;
    },
  );
  // It follows from the plan: one that was damaged since is made again.
  const onDisk = jsonIn((await tools.folder.read(fileName)) ?? '');
  if (!ExecutionContext.safeParse(onDisk).success) await tools.folder.writeJson(fileName, value);
  return value;
}

const fileName = 'execution-context.json';

/** What a coding agent is told to carry a plan out. */
export function handOverText(sessionFolder: string): string {
  return `Carry out the plan in ${sessionFolder}/plan.md, task by task`;
}

/** How a person hands the plan to an agent now: the first of these that is installed and can be started so. */
export function handOverCommand(
  {
    agents,
    folder,
  }: {
    readonly agents: Pick<Tools['agents'], 'models' | 'setupOf'>;
    readonly folder: Pick<Tools['folder'], 'relative'>;
  },
  names: readonly string[],
): string | null {
  const all = [...names, ...agents.models().map(({ name }) => name)];
  for (const name of all) {
    const setup = agents.setupOf(name);
    const words = setup?.adapter.begin?.(handOverText(folder.relative));
    if (setup === undefined || words === undefined || programPath(setup) === null) continue;
    const shown = words.map((word) => (word.includes(' ') ? JSON.stringify(word) : word));
    return [setup.settings.path ?? setup.adapter.command, ...shown].join(' ');
  }
  return null;
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
 * What is handed to execution, its paths relative to the repository as `folder` is; `rounds` is how
 * many rounds have a synthesis.
 */
export function buildExecutionContext(
  given: HandedOver & { readonly sessionId: string; readonly folder: string },
): ExecutionContext {
  const { sessionId, folder, plan, rounds } = given;
  const numbers = Array.from({ length: rounds }, (_, index) => index + 1);
  return {
    planObject: plan,
    taskFiles: plan.task_ids.map((id) => `${folder}/${taskFile(id)}`),
    explorationsContext: null,
    explorationAngles: [],
    explorationManifest: null,
    clarificationContext: clarificationOf(given),
    executionMethod: given.executionMethod,
    codeReviewTool: given.codeReviewTool,
    originalUserInput: given.task,
    executorAssignments: null,
    userConstraints: [...given.constraints],
    session: {
      id: sessionId,
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

/** Null where the user said nothing, so that nobody reads an empty answer as an answer. */
function clarificationOf(said: HandedOver): ExecutionContext['clarificationContext'] {
  const feedback = said.feedback.filter((text) => text.trim() !== '');
  const answers = said.answers
    .filter(({ answer }) => answer.trim() !== '')
    .map(({ question, answer }) => ({ question, answer }));
  return feedback.length === 0 && answers.length === 0 ? null : { feedback, answers };
}
