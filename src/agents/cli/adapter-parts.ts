// Holds what adapters share: fields of outside objects, tools, errors, session ids.
import type {
  AgentEvent,
  AgentEventOf,
  CallState,
  FailureCategory,
} from '../../model/agent-event.ts';
import { createHash } from 'node:crypto';
import { errorOf, usageOf, windowOf } from '../../model/make-events.ts';
import { parse } from 'jsonc-parser';
import { isObject, jsonIn } from '../../model/json.ts';
import type { AgentRequest, UserSide } from '../agent.ts';
import { failureIn } from '../phrases.ts';

/** The fields of a JSON object from outside, not yet checked. */
export type Fields = Readonly<Record<string, unknown>>;

export type Events = AgentEvent | readonly AgentEvent[];

/** Reads lines that are JSON objects; `eventsOf` returns null for an event it does not know. */
export function jsonLines(eventsOf: (line: Fields) => Events | null): (line: string) => Events {
  return (line) => {
    const told = jsonIn(line);
    return (isObject(told) ? eventsOf(told) : null) ?? { type: 'unknown', line };
  };
}

/** The folder of its sessions: the usual one, or the one given to a separate home. */
export function sessionsIn(
  { isolation, ownSessions }: Pick<AgentRequest, 'isolation' | 'ownSessions'>,
  usual: string,
): string {
  return isolation === 'home' ? (ownSessions ?? usual) : usual;
}

/** The fields of an object; empty for anything else. */
export function fieldsIn(value: unknown): Fields {
  return isObject(value) ? value : {};
}

/** The objects in a list; empty for anything else. */
export function objectsIn(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function isString(value: unknown): value is string {
  return typeof value === 'string';
}

export function textOr(value: unknown, otherwise: string): string {
  return isString(value) ? value : otherwise;
}

/** The text; empty for anything else. */
export function textOf(value: unknown): string {
  return textOr(value, '');
}

export function textOrNull(value: unknown): string | null {
  return isString(value) ? value : null;
}

/** A non-negative integer, or else the other value. */
export function countOr<T extends number | null>(value: unknown, otherwise: T): number | T {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : otherwise;
}

/** A non-negative integer; 0 for anything else. */
export function countOf(value: unknown): number {
  return countOr(value, 0);
}

/** Reads the tokens of a turn; each program has its own name for those that came from a cache. */
export function usageIn(usage: unknown, cached: string): AgentEvent[] {
  if (!isObject(usage)) return [];
  const tokens = {
    input: countOf(usage['input_tokens']),
    output: countOf(usage['output_tokens']),
    cached: countOf(usage[cached]),
  };
  return [usageOf(tokens, null)];
}

/** Says that a program started a sub-agent whose tokens it leaves out. */
export const subAgentWarning: AgentEvent = {
  type: 'warning',
  message: 'it started a sub-agent, whose tokens it does not tell',
};

/** Makes the event of a plan’s window; nothing if its share is not told. It resets in s since 1970. */
export function windowEvent(told: {
  readonly minutes: unknown;
  /** The share, 1 for all. */
  readonly used: unknown;
  readonly resetsAt: unknown;
}): AgentEvent[] {
  const [minutes, used] = [amountOr(told.minutes, 0), amountOr(told.used, null)];
  const name = minutes < 1440 ? `${minutes / 60}-hour window` : `${minutes / 1440}-day window`;
  const resets_at = amountOr(told.resetsAt, 0) * 1000;
  return minutes === 0 || used === null ? [] : [windowOf({ name, used, resets_at })];
}

/** A non-negative number, or else the other value. */
export function amountOr<T extends number | null>(value: unknown, otherwise: T): number | T {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : otherwise;
}

/** Marks the events of one tool call with its id, if the CLI has one, and its state. */
export function markCall(
  id: unknown,
  state: CallState,
  events: readonly AgentEvent[],
): AgentEvent[] {
  const named = isString(id) && id !== '' ? { id } : {};
  return events.map((event) => {
    switch (event.type) {
      case 'tool_call':
      case 'file_read':
      case 'file_change':
      case 'command':
        return { ...event, ...named, state };
      case 'approval_needed':
      case 'cancelled':
      case 'warning':
        return { ...event, ...named };
      case 'started':
      case 'message':
      case 'thinking':
      case 'usage':
      case 'retrying':
      case 'error':
      case 'completed':
      case 'unknown':
        return event;
    }
  });
}

/** A tool call, with the most informative part of its input. */
export function callOf(name: unknown, input: unknown): AgentEventOf<'tool_call'> {
  const given = fieldsIn(input);
  const told = telling
    .map((field) => given[field])
    .find((value) => isString(value) && value !== '');
  const detail = textOf(told);
  const hasMore = Object.values(given).some((value) => value !== detail);
  return {
    type: 'tool_call',
    name: textOf(name),
    detail,
    input: hasMore ? given : detail,
  };
}

// The most informative fields of a tool’s input, as the CLIs name them.
const telling =
  'command pattern file_path filePath url query path dir_path description prompt CommandLine Query TargetFile AbsolutePath'.split(
    ' ',
  );

/** The start of a run, as far as its program reports its session, its model and its version. */
export function startEvent(
  session: unknown,
  model: unknown = null,
  version: unknown = null,
): AgentEventOf<'started'> {
  const known = { model: textOrNull(model), version: textOrNull(version) };
  return { type: 'started', agentSession: textOrNull(session), ...known };
}

/** An error that its program has tried to overcome itself. */
export function afterRetries(reason: string, error: AgentEvent): AgentEvent[] {
  return [{ type: 'retrying', reason, delay: null }, error];
}

/** A flag with a value, as one word if it ends with "="; nothing without a value. */
export function flag(name: string, value: string | null | undefined): readonly string[] {
  if (!value) return [];
  return name.endsWith('=') ? [name + value] : [name, value];
}

/** The prompt after the role, for a program that takes no role of its own. */
export function promptWithRole({ role, prompt }: Pick<AgentRequest, 'role' | 'prompt'>): string {
  return [role ?? [], prompt].flat().join('\n\n');
}

/** The output of a tool whose call was reported before; no event without any. */
export function outputOf(text: unknown): AgentEvent[] {
  return isString(text) && text.trim() !== '' ? [{ ...callOf('', null), output: text }] : [];
}

/** A finished command; `command` is empty if only the earlier call named it. */
export function commandEvent(
  command: string,
  exitCode: number | null,
  output: unknown,
): AgentEvent {
  const isEmpty = textOf(output).trim() === '';
  return { type: 'command', command, exitCode, ...(isEmpty ? {} : { output: textOf(output) }) };
}

/** A tool call that was denied, or that failed. */
export function notDone(text: unknown, isDenied = false, tool: string | null = null): AgentEvent {
  return isDenied
    ? denialEvent(textOf(text), { tool })
    : { type: 'warning', message: textOf(text) || 'one of its tools failed' };
}

/** A tool call that was denied. */
export function denialEvent(
  description: string,
  call: { readonly tool: string | null; readonly id?: string | null },
): AgentEvent {
  return { type: 'approval_needed', ...call, description, options: ['allow', 'deny'] };
}

/** A changed file: `how` is the CLI’s own word, and the diff loses its header. */
export function changeOf(path: string, how: unknown, diff?: unknown): AgentEvent {
  const change = kindsOfChange.find(([words]) => words.some((word) => word === how))?.[1];
  const lines = textOf(diff).replace(/^[^]*?(?:^|\n)(?=@@ )/, '');
  return {
    type: 'file_change',
    path,
    ...(change === undefined ? {} : { change }),
    ...(lines === '' ? {} : { diff: lines }),
  };
}

const kindsOfChange = [
  [['add', 'create'], 'add'],
  [['update', 'edit'], 'change'],
  [['delete'], 'delete'],
] as const;

/** A diff without context lines; empty if neither side is known. */
export function diffOf(before: unknown, after: unknown): string {
  return [...prefixLines('-', before), ...prefixLines('+', after)].join('\n');
}

function prefixLines(mark: string, text: unknown): readonly string[] {
  const lines = textOf(text).replace(/\n$/, '');
  return lines === '' ? [] : lines.split('\n').map((line) => mark + line);
}

/** The settings in a user’s file, which may contain comments; empty if it does not exist. */
export function settingsIn(path: string, user: UserSide): Fields {
  return fieldsIn(parse(user.read(path) ?? ''));
}

/** The hidden folders below `cwd`, as relative paths. */
export function hiddenPathsIn({ cwd, hidden }: AgentRequest): readonly string[] {
  const inside = hidden.filter((folder) => folder.startsWith(`${cwd}/`));
  return inside.map((folder) => folder.slice(cwd.length + 1));
}

/** The session id that we choose for a run, derived from its mark. */
export function sessionIdOf(mark: string): string {
  const hex = createHash('sha256').update(mark).digest('hex');
  const groups = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
  ];
  return [...groups, hex.slice(20, 32)].join('-');
}

/** The maker of a model, by its name, for CLIs that offer models of many makers; null if unknown. */
export function makerOf(model: string | null): string | null {
  return makers.find(([, name]) => name.test(model ?? ''))?.[0] ?? null;
}

const makers = [
  ['anthropic', /\bclaude/i],
  ['openai', /\b(?:(?:chat)?gpt|codex|o\d)/i],
  ['google', /\bgem(?:ini|ma)/i],
  ['xai', /\bgrok/i],
] as const;

/**
 * The error that a CLI reports, by its words and the provider’s HTTP status. Words can only make
 * the status more precise: a refused request is not sent again because its text mentions a network.
 */
export function errorEvent(text: string, status: number | null = null): AgentEventOf<'error'> {
  const told = failureIn(text)?.category ?? null;
  const known = status ?? statusIn(text);
  const category = told !== null && mayMean(known, told, text) ? told : causeOf(known);
  return errorOf(category, text);
}

function statusIn(text: string): number | null {
  const [, status] = /\b(?:status(?: code)?:?|API Error:) ([45]\d\d)\b/i.exec(text) ?? [];
  return status === undefined ? null : Number(status);
}

function mayMean(status: number | null, told: FailureCategory, text: string): boolean {
  const cause = causeOf(status);
  if (cause === 'quota-used-up') return false;
  if (cause === 'network') return told === 'quota-used-up' || told === 'request-refused';
  if (cause !== 'request-refused' && cause !== 'not-logged-in') return true;
  if (told === 'rate-limited') return status === 403;
  // Gemini answers a bad key with 400.
  if (told === 'not-logged-in') return cause === told || /api[ _-]?key/i.test(text);
  return told !== 'network' && told !== 'timed-out';
}

function causeOf(status: number | null): FailureCategory {
  switch (status) {
    case null:
      return 'unknown';
    case 401:
    case 403:
      return 'not-logged-in';
    case 402:
      return 'quota-used-up';
    case 429:
    case 529:
      return 'rate-limited';
    default:
      return status >= 500 || status === 408 ? 'network' : 'request-refused';
  }
}
