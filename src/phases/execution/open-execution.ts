// Opens an execution: the agents that work on it, the commit it begins from, and the uncommitted files in it.
import { Stopped } from '../../model/failure.ts';
import { steps } from '../../model/steps.ts';
import { type Task, checksOf } from '../../model/task.ts';
import { listed } from '../../model/wording.ts';
import { recordStep } from '../phase-tools.ts';
import { beginningTexts, conditionTexts } from './beginning.ts';
import { keepEarlier } from './retries.ts';
import { assignExecutors, type Execution, ExecutionStart } from './execution-team.ts';
import { isNamed } from './belonging.ts';

/** Opens an execution, as a step. Throws `Stopped` if no agent is ready or uncommitted files are in the way. */
export function openExecution(execution: Execution): Promise<ExecutionStart> {
  const { tools, trees, number, signal } = execution;
  const step = { tools, signal, step: steps.execution(number).open, shape: ExecutionStart };
  return recordStep(step, async () => {
    const { agents, folder, repository } = tools;
    const { at, isDestructive } = tools.execution.settings;
    const [assigned, ...texts] = await Promise.all([
      assignExecutors({ ...execution, agents }),
      beginningTexts(repository, { at }, signal),
      conditionTexts(repository, { isDestructive }, signal),
    ]);
    if (assigned === null) {
      const failures = await whyNobody(execution);
      throw new Stopped({ reason: 'nobody-executes', session: folder.id, failures });
    }
    await keepEarlier(execution);
    await trees.reclaim();
    const isWanted = (path: string) => execution.tasks.some((task) => namesPath(task, path));
    for (const text of texts.flat()) tools.emit({ type: 'warning.raised', text });
    const base = at === 'head' && repository.git ? await trees.baseNow() : repository.base;
    const { commit: start, carried } = await trees.start(isWanted, base);
    tellUncommitted(Object.keys(base.dirty), carried, tools);
    return { start, carried: [...carried], ...assigned };
  });
}

/** The reason for each agent; one that is ready and was not chosen cannot edit. */
async function whyNobody({ names, tools: { agents }, signal }: Execution) {
  return await Promise.all(
    names.map(async (agent) => {
      const found = await agents.get(agent)?.ready(signal);
      const isReady = found === undefined || found.state === 'ready';
      return { agent, reason: isReady ? 'it edits no file' : found.why };
    }),
  );
}

/** True for a file that a task names as its own or in a check. */
function namesPath(task: Task, path: string): boolean {
  return (
    isNamed(task, path) || checksOf(task).some((check) => 'path' in check && check.path === path)
  );
}

/** Reports which uncommitted files the work begins with, and which stay at home. */
function tellUncommitted(
  all: readonly string[],
  carried: readonly string[],
  { emit }: Pick<Execution['tools'], 'emit'>,
): void {
  const warn = (text: string) => emit({ type: 'warning.raised', text });
  if (carried.length > 0) {
    warn(
      `The work begins with your uncommitted changes of ${shortList(carried)}, which are not part of its branch.`,
    );
  }
  const left = all.filter((path) => !carried.includes(path));
  if (left.length > 0) {
    warn(`Not carried over, as neither git nor the plan knows it: ${shortList(left)}.`);
  }
}

function shortList(paths: readonly string[]): string {
  const more = paths.length - 5;
  return listed(more > 0 ? [...paths.slice(0, 5), `${more} more`] : paths);
}
