import { createActor, toPromise } from 'xstate';
import type { RunSettings } from '../model/session.ts';
import { titlesOf } from '../phases/planning/generate-plan.ts';
import { handOverCommand } from '../phases/planning/hand-off.ts';
import type { Tools } from '../phases/tools.ts';
import type { Journal } from '../store/journal.ts';
import { voidFrom } from '../store/logged-steps.ts';
import { finishedSteps } from '../store/recorded-steps.ts';
import { wiredWorkflow } from './actors.ts';
import type { WorkflowContext } from './chart-context.ts';
import { RecordedEnd, endOf, type SessionEnd } from './end.ts';
import { rejectedIn, type SessionStart } from './recorded.ts';
import { spentIn, type StateSaver } from './state.ts';
import type { View } from './view.ts';

interface SessionRun {
  readonly tools: Tools;
  readonly view: View;
  readonly saver: StateSaver;
  readonly journal: Pick<Journal, 'records'>;
  readonly start: SessionStart;
  /** The settings as they are now. */
  readonly settings: RunSettings;
  readonly planner: string | null;
  /** Aborted by Ctrl-C: interrupts, saves, and is not recorded. */
  readonly interrupt: AbortSignal;
}

/** Runs the chart to its end, through recorded results first. Bugs reject. */
export async function runSession(run: SessionRun): Promise<SessionEnd> {
  const startedAt = performance.now();
  const { tools, saver, journal, interrupt } = run;
  const work: Promise<unknown>[] = [];
  const track = (promise: Promise<unknown>) => work.push(promise);
  const rejected = () => rejectedIn(journal.records);
  const chart = createActor(wiredWorkflow({ ...run, rejected, track }), {
    input: { task: run.start.task },
  });
  const cancel = () => chart.send({ type: 'CANCEL' });
  interrupt.addEventListener('abort', cancel, { once: true });
  chart.subscribe({ next: () => saver.save('running') });
  chart.start();
  if (interrupt.aborted) cancel();
  const context = await toPromise(chart);
  interrupt.removeEventListener('abort', cancel);
  // An interrupted phase is over only when the processes it started are gone.
  await Promise.allSettled(work);
  const end = endOf(tools.folder.id, context);
  if (end.record !== null) await recordEnd(tools, end.record);
  await saver.last(end);
  announceEnd(run, context, { end, startedAt });
  return end;
}

/** How the session ended, if it did: what `resume` finds in its journal. */
export function recordedEnd(journal: Pick<Journal, 'records'>): RecordedEnd | null {
  const parsed = RecordedEnd.safeParse(finishedSteps(journal.records).get('end')?.result);
  return parsed.success ? parsed.data : null;
}

/** Makes an ended session go on: voids what it ended with and everything after. */
export async function reopen(journal: Journal, end: RecordedEnd): Promise<void> {
  if (end.reopen !== null) await voidFrom(journal, [end.reopen], `resumed after: ${end.message}`);
}

async function recordEnd({ steps }: Tools, record: RecordedEnd): Promise<void> {
  const { signal } = new AbortController();
  const step = { key: 'end', group: 'end', kind: 'calculation', input: {}, signal } as const;
  await steps.run({ ...step, shape: RecordedEnd }, async () => record);
}

function announceEnd(
  { tools, journal, planner }: SessionRun,
  { plan, decision, last }: WorkflowContext,
  { end, startedAt }: { readonly end: SessionEnd; readonly startedAt: number },
): void {
  const approved = end.record?.kind === 'done';
  const { input_tokens, output_tokens, cost_usd, agent_runs } = spentIn(journal.records);
  const executors = [
    decision?.execution_method.toLowerCase() ?? [],
    planner ?? [],
    last?.synthesis.receipts.map(({ agent }) => agent) ?? [],
  ].flat();
  tools.emit({
    type: 'session.finished',
    session: tools.folder.id,
    end: end.end,
    exit_code: end.exitCode,
    message: end.message,
    plan: plan === null ? null : `${tools.folder.relative}/plan.json`,
    tasks: plan?.tasks.length ?? null,
    summary: plan?.plan.summary ?? null,
    // What an interruption or an error left in the middle of a review is not known here.
    titles: plan === null || end.record === null ? [] : titlesOf(plan.tasks),
    approved,
    next: approved ? handOverCommand(tools, executors) : null,
    spent: {
      agent_runs,
      tokens: input_tokens + output_tokens,
      cost_usd,
      ms: Math.round(performance.now() - startedAt),
    },
  });
}
