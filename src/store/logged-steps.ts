// Runs steps over the journal: replay, divergence, spending.
import { Stopped } from '../model/failure.ts';
import { formatVersion } from '../model/id-patterns.ts';
import type { Step } from '../model/step.ts';
import { flowOf } from '../model/steps.ts';
import { canonicalJson, digestOf } from './digest.ts';
import type { JournalRecord } from './journal-record.ts';
import type { Journal } from './journal.ts';
import {
  withFollowers,
  keyHistories,
  foldSteps,
  findKilledRun,
  unknownKey,
  type FinishedStep,
  type KeyHistory,
  type RecordedStep,
} from './recorded-steps.ts';
import { firstMisfit } from './schema-findings.ts';
import type { Steps, RunningStep, Spending, StepOutcome, StepRequest } from './steps-port.ts';

/** Records steps: a journal, or in tests a list in memory. */
interface StepLog {
  readonly session: string;
  readonly records: readonly JournalRecord[];
  append(record: JournalRecord, options?: { readonly apart: boolean }): Promise<void>;
}

/** A watcher that is told what is recorded. */
interface StepWatcher {
  finished(step: { readonly key: string; readonly replayed: boolean }): void;
  spent(): void;
}
const nobody: StepWatcher = { finished: () => undefined, spent: () => undefined };

type StepFunction<T> = (step: RunningStep) => Promise<T>;
type RecordBody = JournalRecord extends infer R
  ? R extends JournalRecord
    ? Omit<R, 'v' | 'at'>
    : never
  : never;

/** Steps over any log. It reads the log once, at the start of the run. */
class LoggedSteps implements Steps {
  readonly #log: StepLog;
  readonly #watcher: StepWatcher;
  readonly #recorded: Map<string, RecordedStep>;
  readonly #histories: ReadonlyMap<string, KeyHistory>;
  readonly #asked = new Set<string>();
  #replaying = true;

  constructor(log: StepLog, watcher: StepWatcher) {
    this.#log = log;
    this.#watcher = watcher;
    this.#recorded = foldSteps(log.records);
    this.#histories = keyHistories(log.records);
  }

  get replaying(): boolean {
    return this.#replaying;
  }

  async run<T>(request: StepRequest<T>, fn: StepFunction<T>): Promise<StepOutcome<T>> {
    const { key, kind, signal } = request;
    if (this.#asked.has(key)) throw new Error(`step "${key}" was run twice in one run`);
    this.#asked.add(key);
    signal.throwIfAborted();
    const input = digestOf(request.input);
    const finished = this.#recorded.get(key)?.finished ?? null;
    const changed = finished !== null && finished.input !== input;
    if (finished === null || (kind === 'question' && changed))
      return await this.#start(request, { input, fn });
    return this.#replay(request, { finished, inputChanged: changed });
  }

  #replay<T>(
    { key, shape }: StepRequest<T>,
    { finished, inputChanged }: { finished: FinishedStep; inputChanged: boolean },
  ): StepOutcome<T> {
    const parsed = shape.safeParse(finished.result);
    if (!parsed.success) {
      const why = firstMisfit(finished.result, shape);
      const { session } = this.#log;
      const message = `the recorded result of step "${key}" does not fit this version (${why}); start a new session with the same task.`;
      throw new Stopped({ reason: 'session-unreadable', session, message });
    }
    this.#watcher.finished({ key, replayed: true });
    return { value: parsed.data, replayed: true, inputChanged };
  }

  async #start<T>(
    request: StepRequest<T>,
    { input, fn }: { input: string; fn: StepFunction<T> },
  ): Promise<StepOutcome<T>> {
    this.#replaying = false;
    this.#checkPath(request);
    const { key, group, kind, signal, apart = false } = request;
    // Only a question whose input changed is started again after it has finished.
    const answered = this.#recorded.get(key)?.finished ?? null;
    if (answered !== null) await this.#void([key], 'the question changed');
    const { starts, finishes } = this.#historyOf(key);
    const attempt = 1 + starts - finishes;
    const interrupted = attempt > 1 ? findKilledRun(this.#log.records, { key, input }) : null;
    await this.#append({ type: 'started', key, group, kind, input, attempt }, apart);
    signal.throwIfAborted();
    const since = performance.now();
    const writes: Promise<void>[] = [];
    const spend = (spending: Spending): void => {
      const write = this.#append({ type: 'spent', key, ...spending }, apart);
      writes.push(write);
      // The write is awaited below; if the step fails first, the next append fails as well.
      write.then(
        () => this.#watcher.spent(),
        () => undefined,
      );
    };
    const answer = await fn({ attempt, interrupted, earlier: finishes, spend });
    if (kind === 'question') signal.throwIfAborted();
    const { value, result } = recordable(request, answer);
    const ms = Math.round(performance.now() - since);
    await Promise.all(writes);
    if (kind === 'question') await this.#voidOtherPath(key, result);
    await this.#append({ type: 'finished', key, input, ms, result }, apart);
    this.#watcher.finished({ key, replayed: false });
    return { value, replayed: false, inputChanged: false };
  }

  /** Checks that all steps recorded before this one first began have been asked for. */
  #checkPath({ key, group }: StepRequest<unknown>): void {
    const { firstStart } = this.#historyOf(key);
    const missing = this.#notAsked().filter(
      (step) =>
        flowOf(step.group) !== flowOf(group) &&
        step.finished !== null &&
        step.finished.at < firstStart,
    );
    if (missing.length === 0) return;
    throw new Stopped({ reason: 'diverged', step: key, missing: missing.map((step) => step.key) });
  }

  /** Voids what followed the recorded answer if the new one differs from it. */
  async #voidOtherPath(key: string, result: unknown): Promise<void> {
    const { lastFinish } = this.#historyOf(key);
    if (lastFinish === null || canonicalJson(lastFinish.result) === canonicalJson(result)) return;
    const followers = this.#notAsked().filter((step) => step.startedAt > lastFinish.at);
    if (followers.length === 0) return;
    const keys = followers.map((step) => step.key);
    await this.#void(keys, `"${key}" was answered differently`);
  }

  async #void(keys: string[], why: string): Promise<void> {
    await this.#append({ type: 'voided', keys, why }, false);
    for (const key of keys) this.#recorded.delete(key);
  }

  #notAsked(): readonly RecordedStep[] {
    return [...this.#recorded.values()].filter((step) => !this.#asked.has(step.key));
  }

  #historyOf(key: string): KeyHistory {
    return this.#histories.get(key) ?? unknownKey;
  }

  async #append(body: RecordBody, apart: boolean): Promise<void> {
    const at = new Date().toISOString();
    await this.#log.append({ v: formatVersion, at, ...body }, { apart });
  }
}

/** The result in the form that JSON will hold, so that the first run sees what each replay will see. */
function recordable<T>({ key, shape }: StepRequest<T>, answer: T): { value: T; result: unknown } {
  const json: string | undefined = JSON.stringify(answer);
  if (json === undefined) throw new Error(`step "${key}" returned nothing that can be recorded`);
  const result: unknown = JSON.parse(json);
  return { value: shape.parse(JSON.parse(json)), result };
}

/** Makes steps that are recorded in a log. Void what is to be redone before calling it. */
export function journalSteps(log: StepLog, watcher: StepWatcher = nobody): Steps {
  return new LoggedSteps(log, watcher);
}

/** Records a result that somebody gave from outside of a run, as a step that each later run looks up. */
export async function recordResult(
  journal: Journal,
  { key, group, kind }: Step,
  result: unknown,
  input = digestOf({}),
): Promise<void> {
  const common = { v: formatVersion, at: new Date().toISOString(), key, input } as const;
  await journal.append({ ...common, type: 'started', group, kind, attempt: 1 });
  await journal.append({ ...common, type: 'finished', ms: 0, result });
}

/**
 * Marks steps to be run again, with every step that was started after the first of them had
 * finished (or was started, if it never finished). Returns all their keys, except those that the
 * journal does not know.
 */
export async function voidFrom(
  journal: Journal,
  keys: readonly string[],
  why: string,
): Promise<readonly string[]> {
  const all = withFollowers(journal.records, keys);
  await voidSteps(journal, all, why);
  return all;
}

/** Marks just these steps to be run again. */
export async function voidSteps(
  journal: Journal,
  keys: readonly string[],
  why: string,
): Promise<void> {
  if (keys.length === 0) return;
  const at = new Date().toISOString();
  await journal.append({ v: formatVersion, at, type: 'voided', keys: [...keys], why });
}
