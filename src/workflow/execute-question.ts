// Asks if an approved plan is to be executed, and if its result is to be brought home.
import { ExecuteAnswer, type ExecutionResult, ResultAnswer } from '../model/execution.ts';
import { choiceFor, chosenFirst } from '../model/phase-choice.ts';
import { isStep, steps } from '../model/steps.ts';
import { filesOf, type Task } from '../model/task.ts';
import { listed } from '../model/wording.ts';
import { findReadyModels } from '../phases/asking/ask-seat.ts';
import { takeAccepted } from '../phases/execution/apply-result.ts';
import { beginningTexts, conditionTexts } from '../phases/execution/beginning.ts';
import { commandsOf } from '../phases/execution/checks.ts';
import { offerCommitStyle } from '../phases/execution/choose-commit-style.ts';
import { limitTexts } from '../phases/execution/limits.ts';
import { unnamedCommands } from '../phases/execution/may-run.ts';
import { type ProposedSetUp, proposeSetUp } from '../phases/execution/propose-set-up.ts';
import { writeResult } from '../phases/execution/result.ts';
import { findUnconfined } from '../phases/execution/retries.ts';
import { readChanges } from '../phases/execution/show-changes.ts';
import {
  type WrittenComment,
  keepComment,
  readComments,
  sendWithRetry,
  taskOfChange,
  unsentIn,
} from '../phases/planning/comments.ts';
import { planHash } from '../phases/planning/plan-hash.ts';
import { plannerNames } from '../phases/planning/ask-planner.ts';
import { handOff, handOverCommand } from '../phases/planning/hand-over.ts';
import { filesChangedSince, readPackageFor } from '../phases/planning/read-plan.ts';
import { isOtherVendor, reviewersFor } from '../phases/reviewing/choose-reviewer.ts';
import { recordStep, type Tools } from '../phases/phase-tools.ts';
import type { JournalRecord } from '../store/journal.ts';
import { hasNoChanges, withAnswer } from './chart-context.ts';
import {
  approvalIn,
  candidatesOf,
  handOverOf,
  jobOf,
  type PhaseRun,
  requireValue,
} from './phase-run.ts';
import { executionNumber, findApproval } from './recorded.ts';
import { askForUnconfined } from './unconfined-question.ts';
import type { ApplyConflict, ReadyTeam } from './view-port.ts';

/** Hands the approved plan over, and asks if it is to be executed now. */
export async function askToExecute(
  run: PhaseRun,
): Promise<{ readonly number: number; readonly answer: ExecuteAnswer }> {
  const { context, tools, view, signal } = run;
  tools.emit({ type: 'phase.entered', phase: 'execution', round: null });
  await handOff({ ...handOverOf(context), number: context.decisions }, tools, signal);
  const number = executionNumber(tools.execution.records);
  const { plan, tasks } = requireValue(context.plan);
  const input = { plan: planHash(plan, tasks) };
  const step = { tools, signal, step: steps.execute(number), input, shape: ExecuteAnswer };
  const answer = await recordStep(step, async () => {
    const { execution_method, code_review_tool: said } = approvalIn(context);
    const { agent: chosen } = choiceFor(tools.phases, 'code-review');
    const code_review_tool = said ?? (chosen === null ? null : 'Agent Review');
    const changed = await filesChangedSince(tasks, tools.repository, signal);
    const question = {
      number,
      tasks: tasks.map(({ id, title }) => ({ id, title })),
      preset: { execution_method, code_review_tool },
      files: filesOf(tasks),
      commands: commandsOf(tasks, (await readPackageFor(tasks, tools)).build_facts),
      setup: tools.execution.settings.setup,
      obstacle: changed.length === 0 ? null : `${listed(changed)} changed since the session began`,
      byHand: handOverCommand(tools, plannerNames(candidatesOf(run))),
      lookUp: async () => ({
        who: await readyTeam(run),
        limits: await limitsOf(run, tasks, findUnconfined(tools.execution.records, input.plan)),
        setUp: await usableSetUp(tools),
        commits: await offerCommitStyle(tools.repository.root, tools.execution.settings, signal),
      }),
    };
    const given = await view.execute(question, signal);
    await rememberTaken(given, tools);
    return withCommands(given, tools.execution.records);
  });
  const isUnseen = answer.kind === 'now' && answer.commands === 'named';
  if (isUnseen && tools.execution.confinement === null) await tellUnnamed(tasks, tools);
  return { number, answer };
}

/** What a person answered about a result, and the result with what was accepted. */
export interface AnsweredResult {
  readonly answer: ResultAnswer;
  readonly result: ExecutionResult;
}

/** Asks if the result is to be brought home, and which unproven tasks are accepted. */
export async function askToApply(run: PhaseRun): Promise<AnsweredResult> {
  const { context, tools, view, signal } = run;
  const { executions, review } = context;
  const result = requireValue(context.result);
  const retry = await askForUnconfined(run, result);
  if (retry !== null) return { answer: { apply: false, accepted: {}, retry }, result };
  if (hasNoChanges(context) && view.steers !== true) return { answer: false, result };
  const input = { commit: result.commit };
  const step = steps.apply(executions).question;
  const question = { tools, signal, step, input, shape: ResultAnswer };
  const unsent = async () => unsentIn(await readComments(tools.folder), 'result');
  const answer = await recordStep(question, async () => {
    const before = findAccepted(tools.execution.records, executions);
    let comments = await unsent();
    const asked = {
      result: withAnswer(result, { apply: false, accepted: before }),
      review,
      lookUp: async () => ({
        conflict: await conflictAtHome(run, result),
        executors: await executorsAgain(run, result),
      }),
      readChanges: (task: string | null) => readChanges({ tools, signal, result }, task),
      comments: () => comments,
      async comment(comment: WrittenComment) {
        const task = comment.task ?? taskOfChange(comment.anchor, result.tasks);
        const place = { on: 'result', version: executions } as const;
        await keepComment(tools.folder, { ...comment, task }, place);
        comments = await unsent();
        return comments;
      },
    };
    const given = withEarlierAccepted(await view.apply(asked, signal), before);
    if (typeof given !== 'object' || given.retry === undefined) return given;
    return { ...given, retry: await sendWithRetry(tools.folder, given.retry, executions) };
  });
  const { tasks } = requireValue(context.plan);
  const accepted = withAnswer(result, answer);
  const whole = await takeAccepted({ ...(await jobOf(run)), tasks }, accepted);
  if (whole !== result) await writeResult(tools, whole);
  return { answer, result: whole };
}

type Accepted = Exclude<ResultAnswer, boolean>['accepted'];

/** Adds earlier acceptances to the answer, except for tasks that were redone since. */
function withEarlierAccepted(answer: ResultAnswer, earlier: Accepted): ResultAnswer {
  if (Object.keys(earlier).length === 0) return answer;
  if (typeof answer === 'boolean') return { apply: answer, accepted: earlier };
  return { ...answer, accepted: { ...earlier, ...answer.accepted } };
}

/** The reasons given for accepting tasks in their current state, by the id of the task. */
function findAccepted(records: readonly JournalRecord[], number: number): Accepted {
  const { question } = steps.apply(number);
  const accepted = new Map<string, string>();
  for (const record of records) {
    if (record.type === 'voided') {
      for (const id of accepted.keys()) {
        if (record.keys.includes(steps.task(number, id).finish.key)) accepted.delete(id);
      }
    }
    if (record.type !== 'finished' || !isStep(record.key, question)) continue;
    const { data } = ResultAnswer.safeParse(record.result);
    if (data === undefined || typeof data === 'boolean') continue;
    for (const [id, because] of Object.entries(data.accepted)) accepted.set(id, because);
  }
  return Object.fromEntries(accepted);
}

/** The set-up that the project proposes, if its programs are installed. */
async function usableSetUp({ execution, repository }: Tools): Promise<ProposedSetUp | null> {
  const proposed = await proposeSetUp({ root: repository.root, ...execution });
  return proposed?.missing === null ? proposed : null;
}

/** The agents that could be named for the work and for its review, including the user’s own programs. */
async function readyTeam(run: PhaseRun): Promise<ReadyTeam> {
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
  const reviewOf = (executor: string) => {
    const choice = { names, outcomes: [{ executor }], vendorOf, phases };
    const [reviewer = null] = reviewersFor({ ...choice, tool: 'Agent Review' }).filter((name) =>
      ready.includes(name),
    );
    const isProposed = reviewer !== null && isOtherVendor(reviewer, choice);
    return { name: executor, reviewer, isProposed };
  };
  return {
    executors: ready.filter((name) => agents.get(name)?.traits.edits === true).map(reviewOf),
    reviewers: ready,
  };
}

/** The agents that could do a failed task again; none where no task failed. */
async function executorsAgain(
  run: PhaseRun,
  { tasks }: ExecutionResult,
): Promise<readonly string[]> {
  if (!tasks.some(({ status }) => status === 'failed')) return [];
  return (await readyTeam(run)).executors.map(({ name }) => name);
}

/** The files that conflict with the checked-out commit, and who could resolve that; null without a conflict. */
async function conflictAtHome(
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

/** Sentences about where the work begins, the checks, and all agents that may be asked to execute tasks. */
async function limitsOf(
  run: PhaseRun,
  tasks: readonly Task[],
  unconfined: readonly string[],
): Promise<readonly string[]> {
  const { agents, execution, phases } = run.tools;
  const wanted = tasks.flatMap(({ meta }) => meta?.execution_config?.cli_tool ?? []);
  const others = chosenFirst(phases, 'execution', plannerNames(candidatesOf(run)));
  const names = [...new Set([...wanted, ...others])];
  const ready = await findReadyModels(names, agents, run.signal);
  const executors = ready.flatMap((name) => agents.get(name) ?? []);
  const begins = await beginningTexts(run.tools.repository, execution.settings, run.signal);
  const more = await conditionTexts(run.tools.repository, execution.settings, run.signal);
  return [
    ...begins,
    ...more,
    ...limitTexts({ confinement: execution.confinement, unconfined, executors }),
  ];
}

/** Saves an accepted set-up or commit style as the user’s own setting. */
async function rememberTaken(answer: ExecuteAnswer, { execution, emit }: Tools): Promise<void> {
  if (answer.kind !== 'now') return;
  const { setup, copy, commit_style } = answer;
  const why = await execution.remember({ setup, copy, commit_style });
  if (why !== null) emit({ type: 'warning.raised', text: why });
}

/** Includes the commands if a person approved the plan. */
function withCommands(answer: ExecuteAnswer, records: readonly JournalRecord[]): ExecuteAnswer {
  if (answer.kind !== 'now' || answer.commands !== 'named') return answer;
  const isSeen = findApproval(records)?.approved_by !== 'auto';
  return isSeen ? { ...answer, commands: 'all' as const } : answer;
}

/** Reports which commands will not run, before anything is executed. */
async function tellUnnamed(tasks: readonly Task[], tools: Tools): Promise<void> {
  const { build_facts: buildFacts = [] } = await readPackageFor(tasks, tools);
  const { mayRun } = tools.execution.settings;
  const left = unnamedCommands(tasks, { buildFacts, mayRun });
  if (left.length === 0) return;
  const text = `Nobody has looked at these check commands, so they do not run: ${left.join('; ')}. Name them in execution.may_run of your own settings, or approve the plan yourself.`;
  tools.emit({ type: 'warning.raised', text });
}
