// Makes the end of a run of a program: its answer or failure, and whether another model answered.
import type { AgentFailure } from '../../model/agent-event.ts';
import { cleanText } from '../../model/clean-text.ts';
import { isObject } from '../../model/json.ts';
import type { AgentEnd, AgentRequest } from '../agent.ts';
import type { Dialogue } from '../dialogue.ts';
import { extractJson } from '../answer/extract.ts';
import { classifyEnd } from '../classify.ts';
import { secretFilter } from '../process/environment.ts';
import type { ProcessEnd } from '../process/start-program.ts';
import { type CliSetup, userSide } from './cli-setup.ts';
import type { RunSum } from './run-tally.ts';

/** The request of one run, and the program that receives it. */
export interface RunOrder {
  readonly setup: CliSetup;
  readonly request: AgentRequest;
  readonly version: () => string | null;
}

export type Reason = Pick<AgentFailure, 'category' | 'detail'>;

/** Collects the program’s own variables, and those that it may not have. */
export function secretsOf({ environment, settings }: CliSetup): NodeJS.ProcessEnv {
  return { ...environment, ...settings.env };
}

/** A run whose program has ended. */
export interface EndedRun {
  readonly order: RunOrder;
  readonly startedAt: string;
  readonly sum: RunSum;
  readonly process: ProcessEnd;
  /** The dialogue; null if the program was told nothing. */
  readonly talk: Pick<Dialogue, 'owed' | 'notes'> | null;
}

/**
 * Makes the end of a run. An answer needs an event that says it is complete, and a text. The exit code
 * decides nothing: some CLIs end with 0 after an error, some with 1 after a good answer. An answer that
 * was complete before a limit or a cancellation is paid for and kept.
 */
export function endOf(ended: EndedRun): AgentEnd {
  const { sum, process, talk } = ended;
  const { setup, request } = ended.order;
  const other = otherSession(request, sum);
  if (other !== null) {
    const detail = `it does not know the session it was to continue; it began another, ${other}`;
    return failedEnd(ended, { category: 'session-lost', detail });
  }
  const { adapter } = setup;
  const safe = secretFilter(secretsOf(setup));
  const answer = answerIn(sum, request);
  if (answer !== null) {
    const notes = [...answer.notes, ...afterAnswer(setup, process)];
    // The whole is filtered again, because a secret may have come in pieces.
    return { ok: true, text: safe(answer.text), facts: factsOf(ended, notes) };
  }
  const failure = classifyEnd({ ...sum, adapter, limits: request.limits, process });
  const owed = talk?.owed?.() ?? null;
  const debt = owed === null || sum.error !== null ? '' : `; it has not answered "${owed}"`;
  const detail = withLogin(setup, failure.detail);
  return failedEnd(ended, { ...failure, detail: safe(detail) + debt });
}

/** The words of a failure, with the remedy for a login that is no longer served. */
function withLogin(setup: CliSetup, detail: string): string {
  const { adapter } = setup;
  const { login, unserved } = adapter;
  if (unserved === undefined) return detail;
  const found = adapter.loginState?.(userSide(setup));
  const isKnown = found?.state === 'logged-out' && found.why === unserved.why;
  return isKnown || unserved.words.test(detail)
    ? detail.replace(`to log in: ${login}`, `${unserved.why}. ${unserved.remedy}`)
    : detail;
}

/** Finds the answer of a complete run; one that came only as reasoning counts if it fits the schema. */
export function answerIn(
  { completed, text, reasoning }: RunSum,
  { schema }: Pick<AgentRequest, 'schema'>,
): { readonly text: string; readonly notes: readonly string[] } | null {
  if (!completed) return null;
  if (text.trim() !== '') return { text, notes: [] };
  const required: unknown = schema?.['required'];
  const wanted = Array.isArray(required) ? required.filter((one) => typeof one === 'string') : [];
  const found = schema === null ? null : extractJson(reasoning, wanted);
  if (found?.ok !== true) return null;
  const { value } = found.value;
  if (!isObject(value) || !wanted.every((name) => name in value)) return null;
  return { text: reasoning, notes: ['its answer came only as reasoning'] };
}

/** Makes the end of a run without an answer. */
export function failedEnd(ended: EndedRun, reason: Reason & Partial<AgentFailure>): AgentEnd {
  const agent = ended.order.setup.adapter.name;
  const failure = { agent, retry_after_ms: null, ...reason, detail: cleanText(reason.detail) };
  return { ok: false, failure, facts: factsOf(ended, []) };
}

/** Finds the id of the session that the CLI started instead of the requested one. */
export function otherSession({ resume }: AgentRequest, { facts: { agentSession } }: RunSum) {
  return resume !== null && agentSession !== resume.agentSession ? agentSession : null;
}

function afterAnswer(
  { dialogue }: CliSetup,
  { cancelled, timedOut, exitCode, signal }: ProcessEnd,
): string[] {
  if (cancelled) return ['it was cancelled after its answer'];
  if (timedOut !== null)
    return [`it did not end after its answer and was stopped (${timedOut} limit)`];
  // It only waits for the next request, so it is ended.
  if (dialogue !== undefined) return [];
  if (signal !== null) return [`it ended with signal ${signal} after its answer`];
  return exitCode === 0
    ? []
    : [`it ended with exit code ${exitCode ?? 'unknown'} after its answer`];
}

// Not every CLI reports its version and model while it runs.
function factsOf({ order, startedAt, sum, process, talk }: EndedRun, notes: readonly string[]) {
  const { facts: told } = sum;
  const { adapter } = order.setup;
  const ofSession =
    told.agentSession === null
      ? null
      : (adapter.modelIn?.(told.agentSession, order.request, userSide(order.setup)) ?? null);
  const answered = told.model ?? ofSession;
  const { model: asked } = order.request;
  return {
    ...told,
    version: told.version ?? order.version(),
    // A program with a dialogue names its model itself; any other is assumed to have used the
    // requested one.
    model: answered ?? (order.setup.dialogue === undefined ? asked : null),
    askedModel: isOtherModel(asked, answered) ? asked : null,
    exitCode: process.exitCode,
    signal: process.signal,
    startedAt,
    durationMs: process.durationMs,
    outputBytes: process.outputBytes,
    notes: [...told.notes, ...(talk?.notes?.() ?? []), ...process.notes, ...notes],
  };
}

/**
 * True if both are known and they differ: short names ("sonnet"), the provider before a name, its
 * date and the like after it make no difference. Names for the best available model match any.
 */
export function isOtherModel(asked: string | null, answered: string | null): boolean {
  if (asked === null || answered === null) return false;
  const [wanted, given] = [plainName(asked), plainName(answered)];
  if (anyModel.test(wanted) || wanted === given) return false;
  if (!/\d/.test(wanted)) {
    const words = wordsIn(given);
    return !wordsIn(wanted.replace(/[-:]latest$/, '')).every((word) => words.includes(word));
  }
  return ![
    [wanted, given],
    [given, wanted],
  ].some(
    ([short = '', long = '']) => long.startsWith(short) && variant.test(long.slice(short.length)),
  );
}

function wordsIn(name: string): readonly string[] {
  return name.split(/[^a-z]+/).filter((word) => word !== '');
}

const anyModel = /^(?:default|auto|best|opusplan)\b/;

/** Matches a version of the same model: a date, a build number, or its maturity. */
const variant = /^(?:[-@:.](?:\d{3,}(?:-\d{2}){0,2}|v\d+|preview|latest|exp|stable))+$/;

function plainName(name: string): string {
  return name
    .toLowerCase()
    .replace(/^.*\//, '')
    .replace(/\[[^\]]*\]$/, '');
}
