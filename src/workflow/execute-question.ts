// Proposes a set-up with the question of an execution, and makes of its answer what it means.
import { type FoundSetUp, findSetUp } from '../context/package/set-up-tools.ts';
import type { ExecuteAnswer, ExecutionResult } from '../model/execution.ts';
import type { Task } from '../model/task.ts';
import { findReadyModels } from '../phases/asking/ask-seat.ts';
import { beginningTexts } from '../phases/execution/beginning.ts';
import { limitTexts } from '../phases/execution/limits.ts';
import { unnamedCommands } from '../phases/execution/may-run.ts';
import { chosenFirst } from '../model/phase-choice.ts';
import { plannerNames } from '../phases/planning/ask-planner.ts';
import { readContextPackage } from '../phases/planning/read-plan.ts';
import { reviewersFor } from '../phases/reviewing/review-code.ts';
import type { Tools } from '../phases/tools.ts';
import type { JournalRecord } from '../store/journal.ts';
import { candidatesOf, type PhaseRun } from './phase-run.ts';
import { findApproval } from './recorded-approval.ts';
import type { ApplyConflict, ReadyTeam } from './view.ts';

/** The set-up that a file of the project proposes, where the settings have none. */
export async function proposeSetUp({ execution, repository }: Tools): Promise<FoundSetUp | null> {
  return execution.settings.setup.length > 0 ? null : await findSetUp(repository.root);
}

/** The agents that could be named for the work and for its review, own programs included. */
export async function readyTeam(run: PhaseRun): Promise<ReadyTeam> {
  const { agents, phases } = run.tools;
  const planners = plannerNames(candidatesOf(run));
  const first = chosenFirst(phases, 'execution', planners);
  const all = [...new Set([...first, ...agents.models().map(({ name }) => name)])];
  const states = await Promise.all(
    all.map(async (name) => (await agents.get(name)?.ready(run.signal))?.state),
  );
  const ready = all.filter((_, at) => states[at] === 'ready');
  const vendorOf = (name: string) => agents.get(name)?.vendorOf(run.tools.modelFor(name)) ?? null;
  const names = [...planners, ...ready].filter((name) => ready.includes(name));
  const reviewerOf = (executor: string) =>
    reviewersFor({ tool: 'Agent Review', names, outcomes: [{ executor }], vendorOf, phases })[0];
  return {
    executors: ready
      .filter((name) => agents.get(name)?.traits.edits === true)
      .map((name) => ({ name, reviewer: reviewerOf(name) ?? null })),
    reviewers: ready,
  };
}

/** The files that conflict with what is checked out, and who could resolve that; null where none do. */
export async function conflictAtHome(
  run: PhaseRun,
  { commit, start, carried, branch }: ExecutionResult,
): Promise<ApplyConflict | null> {
  const trees = await run.tools.execution.worktrees(run.signal);
  const { conflicts: files } = (await trees.onto(commit, { commit: start, carried })) ?? {};
  if (files === undefined || files.length === 0) return null;
  const { executors } = carried.length > 0 ? { executors: [] } : await readyTeam(run);
  const resolvers = executors.map(({ name }) => name);
  return { files, resolvers, byHand: `git merge ${branch ?? commit}` };
}

/** Sentences on where the work begins, on the checks, and on all who may be asked to carry tasks out. */
export async function limitsOf(run: PhaseRun, tasks: readonly Task[]): Promise<readonly string[]> {
  const { agents, execution, phases } = run.tools;
  const wanted = tasks.flatMap(({ meta }) => meta?.execution_config?.cli_tool ?? []);
  const others = chosenFirst(phases, 'execution', plannerNames(candidatesOf(run)));
  const names = [...new Set([...wanted, ...others])];
  const ready = await findReadyModels(names, agents, run.signal);
  const executors = ready.flatMap((name) => agents.get(name) ?? []);
  const begins = await beginningTexts(run.tools.repository, execution.settings, run.signal);
  return [...begins, ...limitTexts({ confinement: execution.confinement, executors })];
}

/** A set-up or a form of commits that was taken is the user’s own setting from now on. */
export async function rememberTaken(
  answer: ExecuteAnswer,
  { execution, emit }: Tools,
): Promise<void> {
  if (answer.kind !== 'now') return;
  const { setup, commit_style } = answer;
  const why = await execution.remember({ setup, commit_style });
  if (why !== null) emit({ type: 'warning.raised', text: why });
}

/** An approval by hand is one of the commands, too. */
export function withCommands(
  answer: ExecuteAnswer,
  records: readonly JournalRecord[],
): ExecuteAnswer {
  if (answer.kind !== 'now' || answer.commands !== 'named') return answer;
  const isSeen = findApproval(records)?.approved_by !== 'auto';
  return isSeen ? { ...answer, commands: 'all' } : answer;
}

/** Said before anything is carried out: what will not be run. */
export async function tellUnnamed(tasks: readonly Task[], tools: Tools): Promise<void> {
  const { build_facts: buildFacts = [] } = await readContextPackage(tools);
  const { mayRun } = tools.execution.settings;
  const left = unnamedCommands(tasks, { buildFacts, mayRun });
  if (left.length === 0) return;
  const text = `Nobody has looked at these check commands, so they do not run: ${left.join('; ')}. Name them in execution.may_run of your own settings, or approve the plan yourself.`;
  tools.emit({ type: 'warning.raised', text });
}
