// Turns an agent's final text into a checked value, with what a repair lost of the one before.
import { z } from 'zod';
import type { FailureCategory } from '../../model/agent-failure.ts';
import type { Result } from '../../model/failure.ts';
import { isObject } from '../../model/json.ts';
import type { SchemaName } from '../../model/published.ts';
import type { SchemaCheck } from '../../store/published-schemas.ts';
import { describeValue } from '../../store/schema-findings.ts';
import type { SchemaFinding } from '../../store/user-schema.ts';
import { extractJson } from './extract.ts';
import { normalise } from './normalise.ts';
import { type Node, fieldsOf, requiredOf, withoutOptional } from './schema-fields.ts';
import { putBack } from './put-back.ts';
import type { Facts } from './texts.ts';

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
  /** Faults that no schema can express. */
  faultsOf?(answer: T): readonly string[];
  /** The answer without the votes that are still unclear after the repair. */
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
 * From an agent's final text to a checked value: the JSON object in it, put into the form of the
 * published schema (with the user's extension); its identity, its schema, its shape.
 */
export function readAnswer<T>(input: AnswerInput<T>): Result<ReadAnswer<T>, AnswerProblem> {
  const read = readText(input, input.text);
  if (!read.ok) return read;
  const { wrong, isCut, entries } = read.value;
  if (wrong !== null) return problem('wrong-answer', wrong, [wrong]);
  const checked = isCut ? problem('answer-cut', cut, [cut]) : checkReading(input, read.value);
  if (checked.ok || entries === null || !alternatives.has(input.schemaName)) return checked;
  const rest = checkReading(input, entries);
  return rest.ok ? rest : checked;
}

/** The answers whose lists hold alternatives, of which the whole ones are worth something alone. */
const alternatives = new Set<SchemaName>(['proposal', 'rerank-answer']);

function checkReading<T>(
  input: AnswerInput<T>,
  reading: Pick<Reading, 'value' | 'repaired' | 'notes'>,
): Result<ReadAnswer<T>, AnswerProblem> {
  const { schemaName, shape } = input;
  const left = withFormer(input, reading.value);
  const { findings } = left;
  if (findings.length > 0) return misfit(schemaName, findings);
  const shaped = shape.safeParse(left.value);
  if (!shaped.success) {
    return misfit(schemaName, [{ pointer: '', message: z.prettifyError(shaped.error) }]);
  }
  const settled = settleFaults(input, shaped.data);
  const [fault] = settled.faults;
  if (fault !== undefined) return problem('invalid-answer', fault, settled.faults);
  const notes = atMost(maxErrors, [...reading.notes, ...left.notes, ...settled.notes]);
  return { ok: true, value: { value: settled.value, repaired: reading.repaired, notes } };
}

/** After the repair, a vote that is still unclear is none, so that the rest of the answer counts. */
function settleFaults<T>(input: AnswerInput<T>, value: T) {
  const faults = input.faultsOf?.(value) ?? [];
  const isLast = faults.length > 0 && (input.before ?? null) !== null;
  const rest = isLast ? input.withoutUnclear?.(value) : undefined;
  if (rest === undefined || (input.faultsOf?.(rest) ?? []).length > 0) {
    return { value, faults, notes: [] };
  }
  return { value: rest, faults: [], notes: faults.map((fault) => `${noVoteNote}${fault}`) };
}

/** Begins the note on a vote that named nothing, also after the repair. */
export const noVoteNote = 'no vote: ';

/** The most errors in a repair prompt, and notes in a receipt. */
const maxErrors = 20;

const cut = 'the answer breaks off before its end';

interface Reading {
  readonly value: Record<string, unknown>;
  readonly repaired: boolean;
  readonly isCut: boolean;
  /** Of an answer that broke off: the same without the entry that it broke off in. */
  readonly entries: Pick<Reading, 'value' | 'repaired' | 'notes'> | null;
  readonly notes: readonly string[];
  /** Why it answers another request; null where it does not. */
  readonly wrong: string | null;
}

function readText<T>(input: AnswerInput<T>, text: string): Result<Reading, AnswerProblem> {
  const { check, schemaName, known, expected } = input;
  const schema = check.schema(schemaName);
  const extracted = extractJson(text, requiredOf(schema), [...fieldsOf(schema).keys()]);
  if (!extracted.ok) {
    const { reason } = extracted.failure;
    const category = isRefusal(text) ? 'refused' : 'invalid-answer';
    return problem(
      category,
      category === 'refused' ? `it refused: ${text.trim()}` : reason,
      [reason],
      false,
    );
  }
  const { value: given, repaired, isCut = false, isJoined, entries } = extracted.value;
  const isLast = (input.before ?? null) !== null;
  const reading = (one: Node, own: readonly string[]) => {
    const { value, notes } = normalise(one, schema, known);
    const fields = isObject(value) ? value : {};
    const lost = isLast ? ballots.filter((name) => isUnsaid(fields, name, schema)) : [];
    const none = Object.fromEntries(lost.map((name) => [name, null]));
    const untold = lost.map((name) => `${name}: still missing, taken as none`);
    return {
      value: { ...fields, ...none, ...expected },
      repaired,
      notes: [...own, ...notes, ...untold],
      wrong: findWrongName(fields, expected),
    };
  };
  return {
    ok: true,
    value: {
      ...reading(given, isJoined ? ['put together from several pieces'] : []),
      isCut,
      entries:
        entries === undefined ? null : reading(entries, ['it was cut off: the rest is left out']),
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

/** Completed with what the repair lost of the answer before, unless that brings back a fault. */
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

/** Leaves out what does not fit and is optional, if that makes the answer fit. */
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
  /** JSON pointer to what did not fit, at that moment. */
  readonly pointer: string;
  readonly message: string;
}

/** The parts that an answer had to be used without, by the notes that came with it. */
export function leftOutIn(notes: readonly string[]): readonly LeftOut[] {
  return notes.flatMap((note) => {
    const [, pointer, message] = /^(\/\S+) (.+)$/s.exec(note.slice(leftOut.length)) ?? [];
    const isOne = note.startsWith(leftOut) && pointer !== undefined && message !== undefined;
    return isOne ? [{ pointer, message }] : [];
  });
}

/** Only the name of another session or round counts. */
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

function atMost(most: number, lines: readonly string[]): readonly string[] {
  const more = lines.length - most;
  return more > 0 ? [...lines.slice(0, most), `… and ${more} more`] : lines;
}

function misfit(schemaName: SchemaName, findings: readonly SchemaFinding[]) {
  const lines = findings.map(lineOf);
  const more = lines.length > 1 ? ` (and ${lines.length - 1} more)` : '';
  return problem(
    'invalid-answer',
    `the answer does not fit the ${schemaName} schema: ${lines[0] ?? ''}${more}`,
    atMost(maxErrors, lines),
  );
}

function problem(
  category: AnswerProblem['category'],
  reason: string,
  errors: readonly string[],
  hasContent = true,
): { readonly ok: false; readonly failure: AnswerProblem } {
  return { ok: false, failure: { category, reason, errors, hasContent } };
}
