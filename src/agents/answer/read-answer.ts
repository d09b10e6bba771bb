// Turns an agent's final text into a checked value, restoring what a repair lost.
import { z } from 'zod';
import type { FailureCategory } from '../../model/agent-event.ts';
import type { Result } from '../../model/failure.ts';
import { isObject } from '../../model/json.ts';
import type { SchemaName } from '../../model/published.ts';
import type { SchemaCheck } from '../../store/published-schemas.ts';
import { describeValue } from '../../model/describe-value.ts';
import type { SchemaFinding } from '../../store/user-schema.ts';
import { extractJson } from './extract.ts';
import { type Node, normalise, requiredOf, withoutOptional } from './normalise.ts';
import { type Facts, fold, isNothing } from './vocabulary.ts';

/** Why an answer cannot be used, and what to tell its agent. */
interface AnswerProblem {
  readonly category: Extract<
    FailureCategory,
    'invalid-answer' | 'wrong-answer' | 'answer-cut' | 'refused'
  >;
  readonly reason: string;
  readonly errors: readonly string[];
  /** True if it contains anything that a repair can keep. */
  readonly hasContent: boolean;
}

export interface AnswerInput<T> {
  /** The agent's final text. */
  readonly text: string;
  /** The text that this one repairs: its valid parts are kept. */
  readonly before?: string | null;
  /** The fields that name the request (session, round, phase, …) and what they must be. */
  readonly expected: Readonly<Record<string, string | number>>;
  readonly known?: Facts;
  readonly schemaName: SchemaName;
  readonly check: SchemaCheck;
  readonly shape: z.ZodType<T>;
  /** Finds faults that no schema can express. */
  faultsOf?(answer: T): readonly string[];
  /** Removes the votes that are still unclear after the repair. */
  withoutUnclear?(answer: T): T;
}

interface ReadAnswer<T> {
  readonly value: T;
  /** True if its JSON had to be repaired. */
  readonly repaired: boolean;
  /** The corrections, each in a few words. */
  readonly notes: readonly string[];
}

/**
 * Turns an agent's final text into a checked value: the JSON object in it, put into the form of the
 * published schema (with the user's extension), checked for its identity, its schema and its shape.
 */
export function readAnswer<T>(input: AnswerInput<T>): Result<ReadAnswer<T>, AnswerProblem> {
  const read = readText(input, input.text);
  if (!read.ok) return read;
  const { wrong, repaired } = read.value;
  if (wrong !== null) return problem('wrong-answer', wrong);
  const { schemaName, shape } = input;
  const whole = withFormer(input, read.value.value);
  if (whole.findings.length > 0) return misfit(schemaName, whole.findings);
  const shaped = shape.safeParse(whole.value);
  if (!shaped.success) {
    return misfit(schemaName, [{ pointer: '', message: z.prettifyError(shaped.error) }]);
  }
  const settled = settleFaults(input, shaped.data);
  const [fault] = settled.faults;
  if (fault !== undefined) return problem('invalid-answer', fault, { errors: settled.faults });
  const notes = limitLines(maxErrors, [...read.value.notes, ...whole.notes, ...settled.notes]);
  return { ok: true, value: { value: settled.value, repaired, notes } };
}

/** Drops the votes that are still unclear after the repair, so that the rest of the answer counts. */
function settleFaults<T>(input: AnswerInput<T>, value: T) {
  const faults = input.faultsOf?.(value) ?? [];
  const isLast = faults.length > 0 && (input.before ?? null) !== null;
  const rest = isLast ? input.withoutUnclear?.(value) : undefined;
  if (rest === undefined || (input.faultsOf?.(rest) ?? []).length > 0) {
    return { value, faults, notes: [] };
  }
  return { value: rest, faults: [], notes: faults.map((fault) => `${noVoteNote}${fault}`) };
}

/** The start of the note on a vote that named nothing, even after the repair. */
export const noVoteNote = 'no vote: ';

/** The most errors in a repair prompt, and notes in a receipt. */
const maxErrors = 20;

interface Reading {
  readonly value: Record<string, unknown>;
  readonly repaired: boolean;
  readonly notes: readonly string[];
  /** The reason why it answers another request, or null. */
  readonly wrong: string | null;
}

function readText<T>(input: AnswerInput<T>, text: string): Result<Reading, AnswerProblem> {
  const { check, schemaName, known, expected } = input;
  const schema = check.schema(schemaName);
  const found = extractJson(text, requiredOf(schema));
  if (!found.ok) {
    const { reason, fault } = found.failure;
    if (fault === 'cut') return problem('answer-cut', reason);
    if (isRefusal(text)) return problem('refused', `it refused: ${text.trim()}`);
    return problem('invalid-answer', reason, { hasContent: fault === 'several' });
  }
  const { value: given, repaired, wrapper } = found.value;
  const { value, notes } = normalise(given, schema, known);
  const fields = isObject(value) ? value : {};
  const isLast = (input.before ?? null) !== null;
  const lost = isLast ? ballots.filter((name) => isUnsaid(fields, name, schema)) : [];
  const none = Object.fromEntries(lost.map((name) => [name, null]));
  return {
    ok: true,
    value: {
      value: { ...fields, ...none, ...expected },
      repaired,
      notes: [
        ...(wrapper === undefined ? [] : [`answer: taken out of ${wrapper}`]),
        ...notes,
        ...lost.map((name) => `${name}: still missing, taken as none`),
      ],
      wrong: findWrongName(fields, expected),
    },
  };
}

/** The votes that are never guessed. */
const ballots = ['recommended', 'preferred'];

function isUnsaid(fields: Node, name: string, schema: Node): boolean {
  return fields[name] === undefined && requiredOf(schema).includes(name);
}

function isRefusal(text: string): boolean {
  return text.length < 2_000 && !text.includes('{') && refusal.test(text);
}

const refusal =
  /\b(?:can(?:['’]t|not)|won['’]t|unable to|not able to|must decline to) (?:help|assist|comply|fulfil)\b/i;

interface Candidate {
  readonly value: unknown;
  readonly notes: readonly string[];
  /** The faults that it still has. */
  readonly findings: readonly SchemaFinding[];
}

/** Completes an answer with what the repair lost of the previous one, unless that brings back a fault. */
function withFormer<T>(input: AnswerInput<T>, value: Node): Candidate {
  const { before = null } = input;
  const own = withoutMisfits(input, value);
  const former = before === null ? null : readText(input, before);
  if (former === null || !former.ok || former.value.wrong !== null) return own;
  const notes: string[] = [];
  const all = putBack(former.value.value, value, (text) => notes.push(text));
  const more = withoutMisfits(input, all);
  const isWorse = more.findings.length > own.findings.length;
  return isWorse ? own : { ...more, notes: [...notes, ...more.notes] };
}

/** Leaves out optional parts that do not fit, if that makes the answer fit. */
function withoutMisfits<T>({ check, schemaName }: AnswerInput<T>, value: unknown): Candidate {
  const findings = check.check(schemaName, value);
  const notes: string[] = [];
  let rest = value;
  for (let [next] = findings; next !== undefined; [next] = check.check(schemaName, rest)) {
    const fewer = withoutOptional(rest, check.schema(schemaName), next.pointer);
    if (fewer === rest) return { value, notes: [], findings };
    notes.push(`${leftOut}${lineOf(next)}`);
    rest = fewer;
  }
  return { value: rest, notes, findings: [] };
}

const leftOut = 'left out: ';

/** A part of an answer that did not fit its schema. */
export interface LeftOut {
  /** The JSON pointer to what did not fit, at that time. */
  readonly pointer: string;
  readonly message: string;
}

/** Finds the parts that were left out of an answer, in the notes that came with it. */
export function leftOutIn(notes: readonly string[]): readonly LeftOut[] {
  return notes.flatMap((note) => {
    const [, pointer, message] = /^(\/\S+) (.+)$/s.exec(note.slice(leftOut.length)) ?? [];
    const isOne = note.startsWith(leftOut) && pointer !== undefined && message !== undefined;
    return isOne ? [{ pointer, message }] : [];
  });
}

/** Says that an answer names another session or round, or null. */
function findWrongName(
  value: Readonly<Record<string, unknown>>,
  expected: AnswerInput<unknown>['expected'],
): string | null {
  const others = Object.entries(expected).flatMap(([field, wanted]) => {
    const given = value[field];
    const isNamed =
      field === 'round' ? typeof given === 'number' : field === 'session' && isName(given);
    if (!isNamed || sameName(given, wanted)) return [];
    return [`${field} ${describeValue(given)} instead of ${describeValue(wanted)}`];
  });
  return others.length === 0 ? null : `the answer is for another question: ${others.join(', ')}`;
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && /^[\w-]*\d[\w-]*$|^MCP-/.test(value.trim());
}

function sameName(one: unknown, other: unknown): boolean {
  return String(one).trim().toLowerCase() === String(other).toLowerCase();
}

function lineOf({ pointer, message }: SchemaFinding): string {
  return `${pointer || '(whole answer)'} ${message}`;
}

function limitLines(most: number, lines: readonly string[]): readonly string[] {
  const more = lines.length - most;
  return more > 0 ? [...lines.slice(0, most), `… and ${more} more`] : lines;
}

function misfit(schemaName: SchemaName, findings: readonly SchemaFinding[]) {
  const lines = findings.map(lineOf);
  const more = lines.length > 1 ? ` (and ${lines.length - 1} more)` : '';
  const reason = `the answer does not fit the ${schemaName} schema: ${lines[0] ?? ''}${more}`;
  return problem('invalid-answer', reason, { errors: limitLines(maxErrors, lines) });
}

function problem(
  category: AnswerProblem['category'],
  reason: string,
  { errors = [reason], hasContent = true }: Partial<AnswerProblem> = {},
): { readonly ok: false; readonly failure: AnswerProblem } {
  return { ok: false, failure: { category, reason, errors, hasContent } };
}

type Note = (text: string) => void;

/** Completes a repaired answer with what it lost: fields, and entries of lists that have become shorter. */
function putBack(before: unknown, after: unknown, note: Note): unknown {
  if (isObject(before) && isObject(after)) {
    const isLost = (name: string) =>
      isNothing(after[name]) && after[name] !== false && !isNothing(before[name]);
    const lost = Object.keys(before).filter(isLost);
    for (const name of lost) note(`${name}: ${lostNote}`);
    const entries = [
      ...Object.keys(after).map((name) => [name, putBack(before[name], after[name], note)]),
      ...lost.map((name) => [name, before[name]]),
    ];
    return Object.fromEntries(entries);
  }
  return Array.isArray(before) && Array.isArray(after)
    ? putEntriesBack(before, after, note)
    : after;
}

const lostNote = 'lost in the repair, put back';

function putEntriesBack(before: readonly unknown[], after: readonly unknown[], note: Note) {
  const result = after.map((now) =>
    putBack(
      before.find((old) => isSame(old, now)),
      now,
      note,
    ),
  );
  for (const [place, old] of before.entries()) {
    if (result.length >= before.length) break;
    if (after.some((now) => isSame(old, now))) continue;
    result.splice(place, 0, old);
    note(`${nameOf(old)}: ${lostNote}`);
  }
  return result;
}

/** The fields that identify an entry. */
const naming = ['id', 'solution', 'name', 'title', 'statement', 'path', 'file', 'describes'];

function isSame(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return JSON.stringify(one) === JSON.stringify(other);
  const name = naming.find((field) => field in one && field in other);
  return name !== undefined && fold(String(one[name])) === fold(String(other[name]));
}

function nameOf(value: unknown): string {
  const fields = isObject(value) ? value : { id: value };
  const name = naming.map((field) => fields[field]).find((one) => typeof one === 'string');
  return (name ?? 'an entry').slice(0, 80);
}
