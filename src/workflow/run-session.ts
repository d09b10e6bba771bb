// Runs the chart to its end, and gives each end its words, its exit code and the place to resume from.
import { createActor, fromPromise, toPromise } from 'xstate';
import { type Failure, Stopped, exitCodeOf, failureText } from '../model/failure.ts';
import type { ExecutionResult, TaskOutcome } from '../model/execution.ts';
import { applyCommand, applyWords, outcomeText } from '../model/execution-summary.ts';
import { formatVersion } from '../model/id-patterns.ts';
import { isDraftPlan } from '../model/plan.ts';
import { describeAppliedResult } from '../phases/execution/apply-result.ts';
import { billOf } from '../phases/asking/fold-bill.ts';
import { titlesOf } from '../phases/planning/generate-plan.ts';
import { handOverCommand } from '../phases/planning/hand-over.ts';
import type { Tools } from '../phases/phase-tools.ts';
import type { Journal } from '../store/journal.ts';
import { wireWorkflow } from './actors.ts';
import { type WorkflowContext, type WorkflowEnd, reviewSteps } from './chart-context.ts';
import { type PhaseRun, requireValue } from './phase-run.ts';
import { tryConfinement } from './prove.ts';
import { reopenForRetry } from './recorded-retry.ts';
import { RecordedEnd, type SessionEnd, type SessionStart } from './recorded.ts';
import { stateSaver } from './derive-state.ts';
import { verdictWords } from '../model/wording.ts';
import { steps } from '../model/steps.ts';

interface SessionRun extends Pick<PhaseRun, 'tools' | 'view' | 'settings' | 'planner'> {
  readonly journal: Journal;
  readonly start: SessionStart;
  /** Aborted by Ctrl-C: interrupts the session and saves it; the interruption is not recorded. */
  readonly interrupt: AbortSignal;
}

/**
 * Runs the chart to its end, going through recorded results first. An interruption ends the chart, which aborts
 * the signal of the running phase. Bugs reject.
 */
export async function runSession(run: SessionRun): Promise<SessionEnd> {
  const { tools, journal, interrupt } = run;
  const saver = stateSaver(tools.folder, journal);
  const ended = new AbortController();
  const confinement = tryConfinement(run, ended.signal);
  const begun: Promise<unknown>[] = [confinement];
  const runs = <T>(phase: (run: PhaseRun) => Promise<T>) =>
    fromPromise<T, WorkflowContext>(({ input: context, signal }) => {
      const work = phase({ ...run, confinement, context, signal });
      begun.push(work);
      return work;
    });
  const chart = createActor(wireWorkflow(runs), { input: run.start });
  const cancel = () => chart.send({ type: 'CANCEL' });
  interrupt.addEventListener('abort', cancel, { once: true });
  chart.subscribe({ next: () => saver.save() });
  chart.start();
  if (interrupt.aborted) cancel();
  const context = await toPromise(chart);
  ended.abort();
  interrupt.removeEventListener('abort', cancel);
  // An interrupted phase is over only when the processes it started have ended.
  await Promise.allSettled(begun);
  const end = endOf(tools, context);
  if (end.record === null) await recordStop(journal);
  else await recordEnd(tools, end.record);
  await saver.last(end);
  if (end.again === undefined) announceEnd(run, context, end);
  return end;
}

/** Gives an end of the chart its words, its exit code and the place to resume from. */
function endOf(tools: Tools, context: WorkflowContext): SessionEnd {
  const session = tools.folder.id;
  const { end } = context;
  if (end === null) throw new Error('the chart stopped without an end');
  switch (end.kind) {
    case 'done':
      return context.result === null
        ? doneEnd(`The ${planWord(context)} is approved.`)
        : executedEnd(tools, context, context.result);
    case 'left':
      return leftEnd(end, context);
    case 'judged':
      return judgedEnd(context);
    case 'cancelled': {
      const message = `Cancelled and saved. To continue: conclave resume ${session}`;
      const reopen = steps.decision(context.decisions).key;
      return recordedEnd('cancelled', { kind: 'cancelled', message, exit_code: 0, reopen });
    }
    case 'nobody-answered':
      return failedEnd(
        end.nothingFound
          ? { reason: 'nothing-found', closest: closestFiles(context) }
          : { reason: 'no-agent-answered', failures: end.failures },
        steps.round(context.round).open.key,
      );
    case 'not-converged': {
      const score = context.last?.synthesis.convergence.score ?? 0;
      const failure = { reason: 'not-converged', score, rounds: context.round } as const;
      return failedEnd(failure, steps.round(context.round).next.key);
    }
    case 'interrupted':
      return passingEnd({ reason: 'cancelled', session }, 'interrupted');
    case 'again': {
      const { retries } = end;
      const { tasks } = requireValue(context.plan);
      const again = async (journal: Journal) => {
        for (const retry of retries) await reopenForRetry(journal, retry, { tasks, review: null });
      };
      return { ...passingEnd({ reason: 'cancelled', session }, 'interrupted'), again };
    }
    case 'error':
      if (end.error instanceof Stopped) return passingEnd(end.error.failure, 'failed');
      throw end.error;
  }
}

/** The end for an examined plan: objections to it are a result, not a failure. */
function judgedEnd({ critique, afterVerdict }: WorkflowContext): SessionEnd {
  const { verdict, reason, revised } = requireValue(critique);
  const none = verdict === 'revise' ? ' No agent revised it.' : ' Nothing had to be revised.';
  const unrevised = afterVerdict?.revise === true ? none : '';
  const where = revised === null ? unrevised : ` A revised plan is in ${revised}.`;
  const message = `The plan is ${verdictWords[verdict]}: ${reason}${where}`;
  const exit_code = verdict === 'revise' ? 4 : 0;
  return recordedEnd('done', { kind: 'done', message, exit_code, reopen: null });
}

const mostClosest = 2;

/** The files that the task may have meant. */
function closestFiles({ codebase }: WorkflowContext): readonly string[] {
  return (codebase?.relevant_files ?? []).slice(0, mostClosest).map(({ path }) => path);
}

function doneEnd(message: string): SessionEnd {
  return recordedEnd('done', { kind: 'done', message, exit_code: 0, reopen: null });
}

/** The end of an execution: failed tasks can be tried again, and completed ones stay completed. */
function executedEnd(tools: Tools, context: WorkflowContext, result: ExecutionResult): SessionEnd {
  const session = tools.folder.id;
  const { executions, applied } = context;
  const { tasks, status, branch, accepted = {}, applied: earlier, objections = [] } = result;
  const summary = outcomeText(result);
  const kept = branch === null ? 'nothing was changed' : `the result is on branch ${branch}`;
  const where = applied === null ? (earlier ?? kept) : describeAppliedResult(applied);
  const reopen = steps.execution(executions).group;
  if (status !== 'completed') {
    const bad = tasks.filter((task) => task.status === 'failed');
    const [worst] = bad;
    const first = worst === undefined ? '' : `; ${worst.task} failed: ${worst.why}`;
    const again = bad.map(({ task }) => ({ task, tree: result.kept?.[task] ?? null }));
    const facts = { session, summary: `${summary}; ${where}${first}`, again };
    return failedEnd({ reason: 'execution-failed', ...facts }, reopen);
  }
  const [first] = objections;
  // A user who applied it anyway has overruled the review.
  if (first !== undefined && applied === null && earlier === null) {
    const apply = `${applyWords(session, tools.execution.settings.apply)} --against-review`;
    return failedEnd(
      result.reviewed_by === undefined
        ? { reason: 'review-missing', session, summary: `${summary}; ${where}`, first, apply }
        : { reason: 'review-blocks', session, findings: objections.length, first, apply },
      reopen,
    );
  }
  const open = tasks.filter((task) => task.status === 'unproven' && !(task.task in accepted));
  const unproven = unprovenText(open);
  if (unproven !== null) {
    const task = open.map((one) => one.task).join(' ');
    const facts = { session, summary: `${summary}; ${where}`, first: unproven, task };
    return failedEnd({ reason: 'execution-unproven', ...facts }, reopen);
  }
  const seen = Object.entries(accepted).map(([task, because]) => `${task} (${because})`);
  return doneEnd(
    `${summary}${seen.length === 0 ? '' : `, accepted: ${seen.join(', ')}`}; ${where}${first === undefined ? '' : ', against the code review'}.`,
  );
}

function unprovenText([first, ...more]: readonly TaskOutcome[]): string | null {
  if (first === undefined) return null;
  const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
  return `${first.task} is unproven: ${first.why}${others}`;
}

function leftEnd(
  end: Extract<WorkflowEnd, { kind: 'left' }>,
  context: WorkflowContext,
): SessionEnd {
  const reopen = reviewSteps(context).check.key;
  if (end.blocking > 0) {
    const reason = end.isSound ? 'plan-open' : 'plan-invalid';
    return failedEnd({ reason, findings: end.blocking, first: end.why }, reopen);
  }
  const message = `The ${planWord(context)} is saved but not approved: ${end.why}`;
  return recordedEnd('done', { kind: 'left', message, exit_code: 0, reopen });
}

function planWord({ plan }: WorkflowContext): string {
  return isDraftPlan(plan?.plan ?? null) ? 'draft' : 'plan';
}

function failedEnd(failure: Failure, reopen: string): SessionEnd {
  const message = failureText(failure);
  const record = { kind: 'failed', message, exit_code: exitCodeOf(failure), reopen } as const;
  return { ...recordedEnd('failed', record), failure };
}

function recordedEnd(end: SessionEnd['end'], record: RecordedEnd): SessionEnd {
  return { end, exitCode: record.exit_code, message: record.message, failure: null, record };
}

function passingEnd(failure: Failure, end: SessionEnd['end']): SessionEnd {
  const message = failureText(failure);
  return { end, exitCode: exitCodeOf(failure), message, failure, record: null };
}

/** Records the stop, because the time until the session is resumed does not count as its own. */
async function recordStop(journal: Journal): Promise<void> {
  const record = { v: formatVersion, at: new Date().toISOString(), type: 'stopped' } as const;
  // A disk error is reported where the state is written next.
  await journal.append(record).catch(() => undefined);
}

async function recordEnd(tools: Tools, record: RecordedEnd): Promise<void> {
  const { signal } = new AbortController();
  const step = { ...steps.session.end, input: {}, shape: RecordedEnd, signal };
  await tools.steps.run(step, async () => record);
}

function announceEnd(
  { tools, journal, planner }: SessionRun,
  context: WorkflowContext,
  end: SessionEnd,
): void {
  const { plan, decision, last, result } = context;
  const isJudged = context.end?.kind === 'judged';
  const approved = (end.record?.kind === 'done' && !isJudged) || result !== null;
  const executors = [
    decision?.kind === 'approve' ? decision.execution_method.toLowerCase() : [],
    planner ?? [],
    last?.synthesis.receipts.map(({ agent }) => agent) ?? [],
  ].flat();
  // A review that was cut off by an interruption or an error is not known here.
  const tasks = plan === null || end.record === null ? [] : plan.tasks;
  tools.emit({
    type: 'session.finished',
    session: tools.folder.id,
    end: end.end,
    exit_code: end.exitCode,
    message: end.message,
    plan: plan === null ? null : `${tools.folder.relative}/plan.json`,
    tasks: plan?.tasks.length ?? null,
    summary: plan?.plan.summary ?? null,
    titles: titlesOf(tasks),
    task_list: tasks.map(({ id, title }) => ({ id, title })),
    approved,
    next: approved || isJudged ? nextCommand(tools, context, end) : null,
    by_hand: approved && result === null ? handOverCommand(tools, executors) : null,
    spent: billOf(journal.records),
  });
}

/** The command to type next, which would not refuse: to execute the plan, or to apply its result. */
function nextCommand(
  tools: Tools,
  { result, applied, end, critique }: WorkflowContext,
  { failure }: SessionEnd,
): string | null {
  const session = tools.folder.id;
  if (end?.kind === 'judged') {
    const isToRevise = critique?.verdict === 'revise' && critique.revised === null;
    return `conclave critique --session ${session} --${isToRevise ? 'revise' : 'plan'}`;
  }
  if (result === null) return `conclave execute ${session}`;
  const { objections = [] } = result;
  // The message of the failure says what is left to do.
  if (applied !== null || objections.length > 0 || failure?.reason === 'not-applied') return null;
  return applyCommand(result, { session, form: tools.execution.settings.apply });
}
