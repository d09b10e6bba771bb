// Describes what another user's session would run, for the person who adopts it.
import { agreementLines } from '../model/agreement.ts';
import { checkName } from '../model/check.ts';
import { jsonIn } from '../model/json.ts';
import { checksOf, Task } from '../model/task.ts';
import type { JournalRecord } from '../store/journal.ts';
import type { SessionFolder } from '../store/session-folder.ts';
import { foldFinishedSteps } from '../store/recorded-steps.ts';
import { findTask } from '../workflow/recorded.ts';
import type { LoadedSession } from './load-session.ts';

/** Everything that a session could run, whether its journal or its files say so. */
export interface WouldRun {
  /** The task; empty if the session has none. */
  readonly task: string;
  readonly agents: readonly string[];
  /** The commands of checks, each once, as they would be typed. */
  readonly checks: readonly string[];
  readonly setup: readonly string[];
}

/** Reads what a session would run, without running any of it. */
export async function wouldRun({ folder, records, settings }: LoadedSession): Promise<WouldRun> {
  const { run, execution } = settings;
  const recorded = tasksAmong(records.map(resultOf));
  const tasks = [...recorded, ...tasksAmong(await taskFiles(folder))];
  return {
    task: findTask(foldFinishedSteps(records))?.task ?? '',
    agents: [...new Set([...run.tools, ...run.fallback_chain])],
    checks: [...new Set(tasks.flatMap(checksOf).flatMap(runs))],
    setup: execution.setup,
  };
}

/** The lines for the person who decides. */
export function wouldRunLines({ task, agents, checks, setup }: WouldRun): readonly string[] {
  const agreement = { task, agents: agents.join(', '), checks, 'set-up': setup.join(' ') };
  return ['Once it is yours, it may run:', ...agreementLines(agreement).map((line) => `  ${line}`)];
}

function resultOf(record: JournalRecord): unknown {
  return record.type === 'finished' ? record.result : null;
}

/** Names what a check runs; a check that only looks at files runs nothing. */
function runs(check: ReturnType<typeof checksOf>[number]): readonly string[] {
  return check.kind === 'command' || check.kind === 'test' ? [checkName(check)] : [];
}

async function taskFiles(folder: SessionFolder): Promise<readonly unknown[]> {
  const names = await folder.list('.task');
  const texts = await Promise.all(names.map((name) => folder.read(`.task/${name}`)));
  return texts.map((text) => jsonIn(text ?? ''));
}

/** The parts of a value that name checks, at any depth, because a plan is recorded in several places. */
function tasksAmong(value: unknown): readonly Pick<Task, 'checks' | 'test'>[] {
  if (typeof value !== 'object' || value === null) return [];
  const { data } = Commands.safeParse(value);
  return [...(data === undefined ? [] : [data]), ...Object.values(value).flatMap(tasksAmong)];
}

const Commands = Task.pick({ checks: true, test: true }).partial();
