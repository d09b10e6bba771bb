import type { FailureCategory } from '../model/agent-failure.ts';
import { createHash } from 'node:crypto';
import type { AgentEvent } from '../model/agent-event.ts';
import { isObject, jsonIn } from '../model/json.ts';
import type { LoginState, UserSide } from './agent.ts';

/** The fields of an outside JSON object; what stands in them is not known yet. */
export type Fields = Readonly<Record<string, unknown>>;

export type Events = AgentEvent | readonly AgentEvent[];

/** Reads lines that are JSON objects; `eventsOf` gives null for what is no event that it knows. */
export function jsonLines(eventsOf: (line: Fields) => Events | null): (line: string) => Events {
  return (line) => {
    const told = jsonIn(line);
    return (isObject(told) ? eventsOf(told) : null) ?? { kind: 'unknown', line };
  };
}

export function isString(value: unknown): value is string {
  return typeof value === 'string';
}

export function textOr<T extends string | null>(value: unknown, otherwise: T): string | T {
  return isString(value) ? value : otherwise;
}

/** A whole number from zero on. */
export function countOr<T extends number | null>(value: unknown, otherwise: T): number | T {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : otherwise;
}

/** A number from zero on. */
export function amountOr<T extends number | null>(value: unknown, otherwise: T): number | T {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : otherwise;
}

type ToolCall = Extract<AgentEvent, { kind: 'tool-call' }>;

/** The call of a tool, with what of its input tells most. */
export function callOf(name: unknown, input: unknown): ToolCall {
  const given = isObject(input) ? input : {};
  const told = telling
    .map((field) => given[field])
    .find((value) => isString(value) && value !== '');
  const detail = textOr(told, '');
  const hasMore = Object.values(given).some((value) => value !== detail);
  return {
    kind: 'tool-call',
    name: textOr(name, ''),
    detail,
    ...(hasMore ? { input: JSON.stringify(given) } : {}),
  };
}

// In the dialects of all CLIs.
const telling =
  'command pattern file_path filePath url query path dir_path description prompt'.split(' ');

/** What a tool put out; nothing where that is no text or empty. */
export function outputOf(text: unknown): AgentEvent[] {
  return isString(text) && text.trim() !== '' ? [{ kind: 'tool-output', output: text }] : [];
}

/** A command that has ended; `command` is empty where only its call told it. */
export function endedCommand(
  command: string,
  { exitCode, output }: { readonly exitCode: number | null; readonly output: unknown },
): AgentEvent {
  const isEmpty = !isString(output) || output.trim() === '';
  return { kind: 'command', command, exit_code: exitCode, ...(isEmpty ? {} : { output }) };
}

/** A tool that was not allowed, or failed in its own words. */
export function notDone(
  text: unknown,
  { tool = null, isDenied }: { readonly tool?: string | null; readonly isDenied: boolean },
): AgentEvent {
  return isDenied
    ? { kind: 'approval-needed', tool, what: textOr(text, ''), answer: 'denied' }
    : { kind: 'warning', text: textOr(text, '') || 'one of its tools failed' };
}

/** A file that was changed: how in the word of the CLI, and its diff without what stands above it. */
export function changeOf(path: string, how: unknown, diff?: unknown): AgentEvent {
  const change = kindsOfChange.find(([words]) => words.some((word) => word === how))?.[1];
  const lines = textOr(diff, '').replace(/^[^]*?(?:^|\n)(?=@@ )/, '');
  return {
    kind: 'file-change',
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

/** A diff of what is known without the lines around it; empty where nothing is. */
export function diffOf(before: unknown, after: unknown): string {
  return [...marked('-', before), ...marked('+', after)].join('\n');
}

function marked(mark: string, text: unknown): readonly string[] {
  const lines = textOr(text, '').replace(/\n$/, '');
  return lines === '' ? [] : lines.split('\n').map((line) => mark + line);
}

/** The id that a CLI is given for the session of one run: the same for the same mark. */
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

/** Who makes a model, by its name, for CLIs that carry the models of many; null if unknown. */
export function makerOf(model: string | null): string | null {
  return makers.find(([, name]) => name.test(model ?? ''))?.[0] ?? null;
}

const makers = [
  ['anthropic', /\bclaude\b/i],
  ['openai', /\b(?:gpt|codex|o\d)\b/i],
  ['google', /\bgem(?:ini|ma)\b/i],
  ['xai', /\bgrok\b/i],
] as const;

/** Where a CLI writes when its login ends, and what it renews it with. */
interface LoginFields {
  /** In ms since 1970. */
  readonly expiresAt: unknown;
  readonly refreshToken: unknown;
}

/**
 * What a file that holds a login tells without a use of it: that it is there, cannot be read, or is
 * over and cannot renew itself. Nothing else in it is looked at.
 */
export function storedLogin(
  path: string,
  user: UserSide,
  fieldsOf: (login: Readonly<Record<string, unknown>>) => LoginFields | null,
): LoginState {
  const login = jsonIn(user.read(path) ?? '');
  if (!isObject(login)) {
    return { state: 'logged-out', why: `the login stored in ${path} cannot be read` };
  }
  const fields = fieldsOf(login);
  if (fields === null) return { state: 'stored' };
  const { expiresAt, refreshToken } = fields;
  const isOver = typeof expiresAt === 'number' && expiresAt < user.now && !refreshToken;
  if (!isOver) return { state: 'stored' };
  const day = new Date(expiresAt).toISOString().slice(0, 10);
  return { state: 'logged-out', why: `its stored login expired on ${day}` };
}

/** What the words of an error mean; the first that fit count. */
export type Causes = readonly (readonly [FailureCategory, RegExp])[];

/** The error that a CLI tells: by its words where they are known, else by the provider’s HTTP status. */
export function errorEvent(
  text: string,
  { causes, status = null }: { readonly causes: Causes; readonly status?: number | null },
): Extract<AgentEvent, { kind: 'error' }> {
  const told = causes.find(([, words]) => words.test(text))?.[0];
  return { kind: 'error', category: told ?? causeOf(status), text, retry_after_ms: null };
}

function causeOf(status: number | null): FailureCategory {
  switch (status) {
    case null:
      return 'unknown';
    case 401:
    case 403:
      return 'not-logged-in';
    case 429:
    case 529:
      return 'rate-limited';
    default:
      return status >= 500 || status === 408 ? 'network' : 'request-refused';
  }
}
