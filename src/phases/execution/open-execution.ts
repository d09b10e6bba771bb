// Opens an execution: the agents that work on it, the commit it begins from, and the uncommitted files in it.
import { Stopped } from '../../model/failure.ts';
import { steps } from '../../model/steps.ts';
import { type Task, checksOf } from '../../model/task.ts';
import { listed } from '../../model/wording.ts';
import { recordStep } from '../phase-tools.ts';
import { beginningTexts, conditionTexts } from './beginning.ts';
import { assignExecutors, type Execution, ExecutionStart } from './execution-team.ts';
import { isNamed } from './belonging.ts';

/** Opens an execution, as a step. Throws `Stopped` if no agent is ready or uncommitted files are in the way. */
export function openExecution(execution: Execution): Promise<ExecutionStart> {
  const { tools, trees, number, tasks, signal } = execution;
  const { agents, folder, repository } = tools;
  const { settings } = tools.execution;
  const step = { ...execution, step: steps.execution(number).open, shape: ExecutionStart };
  const isWanted = (path: string) => tasks.some((task) => namesPath(task, path));
  return recordStep(step, async () => {
    const [assigned, base, ...texts] = await Promise.all([
      assignExecutors({ ...execution, agents }),
      settings.at === 'head' && repository.git ? trees.baseNow() : repository.base,
      beginningTexts(repository, settings, signal),
      conditionTexts(repository, settings, signal),
    ]);
    if (assigned === null) {
      const failures = await whyNobody(execution);
      throw new Stopped({ reason: 'nobody-executes', session: folder.id, failures });
    }
    await trees.reclaim();
    const { commit: start, carried } = await trees.start(isWanted, base);
    const left = Object.keys(base.dirty).filter((path) => !carried.includes(path));
    const begins = `The work begins with your uncommitted changes of ${shortList(carried)}, which are not part of its branch.`;
    const stays = `Not carried over, as neither git nor the plan knows it: ${shortList(left)}.`;
    if (carried.length > 0) texts.push([begins]);
    if (left.length > 0) texts.push([stays]);
    for (const text of texts.flat()) tools.emit({ type: 'warning.raised', text });
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

function shortList(paths: readonly string[]): string {
  const more = paths.length - 5;
  return listed(more > 0 ? [...paths.slice(0, 5), `${more} more`] : paths);
}
