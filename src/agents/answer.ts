import type { z } from 'zod';
import type { Result } from '../model/failure.ts';
import type { SchemaName } from '../model/published.ts';
import type { SchemaCheck, SchemaFinding } from '../store/published-schemas.ts';
import { received } from '../store/schema-findings.ts';
import { extractJson } from './answer/extract.ts';
import { normalise } from './answer/normalise.ts';

export { extractJson } from './answer/extract.ts';

/** `invalid` may be repaired by asking again; `wrong` answers another question and may not. */
export type AnswerProblem =
  | { readonly kind: 'invalid'; readonly reason: string; readonly errors: readonly string[] }
  | { readonly kind: 'wrong'; readonly reason: string };

export interface AnswerQuestion<T> {
  /** The agent's final text. */
  readonly text: string;
  /** The fields that name the question (session, round, phase, …) and what they must be. */
  readonly expected: Readonly<Record<string, string | number>>;
  readonly schemaName: SchemaName;
  readonly check: SchemaCheck;
  readonly shape: z.ZodType<T>;
}

/**
 * From an agent's final text to a checked value: the JSON object in it, its identity, small slips
 * put right, the published schema (with the user's extension), then the shape.
 */
export function readAnswer<T>(
  question: AnswerQuestion<T>,
): Result<{ readonly value: T; readonly repaired: boolean }, AnswerProblem> {
  const extracted = extractJson(question.text, Object.keys(question.expected));
  if (!extracted.ok) return invalid(extracted.failure.reason, [extracted.failure.reason]);
  const { value, repaired } = extracted.value;
  const identity = identify(value, question.expected);
  if (identity.wrong !== null) {
    return { ok: false, failure: { kind: 'wrong', reason: identity.wrong } };
  }
  const answer = normalise(
    { ...value, ...identity.echoed },
    question.check.schema(question.schemaName),
  );
  const findings = [
    ...identity.findings,
    ...question.check.check(question.schemaName, answer).filter(unlessIn(identity.findings)),
  ];
  if (findings.length > 0) return misfit(question.schemaName, findings);
  const shaped = question.shape.safeParse(answer);
  if (!shaped.success) return misfit(question.schemaName, shaped.error.issues.map(issueFinding));
  return { ok: true, value: { value: shaped.data, repaired } };
}

/** At most so many errors go into a repair prompt. */
const maxErrors = 20;

interface Identity {
  readonly wrong: string | null;
  readonly findings: readonly SchemaFinding[];
  /** The expected values of the fields that were echoed, e.g. 2 for "2". */
  readonly echoed: Record<string, string | number>;
}

function identify(
  value: Readonly<Record<string, unknown>>,
  expected: AnswerQuestion<unknown>['expected'],
): Identity {
  const findings: SchemaFinding[] = [];
  const echoed: Record<string, string | number> = {};
  const wrong: string[] = [];
  for (const [field, wanted] of Object.entries(expected)) {
    const given = Object.hasOwn(value, field) ? value[field] : undefined;
    if (typeof given !== 'string' && typeof given !== 'number') {
      const message = `is missing, expected ${received(wanted)}`;
      findings.push({ pointer: `/${field}`, message });
    } else if (String(given).trim() === String(wanted)) echoed[field] = wanted;
    else wrong.push(`${field} ${received(given)} instead of ${received(wanted)}`);
  }
  return {
    wrong: wrong.length === 0 ? null : `the answer is for another question: ${wrong.join(', ')}`,
    findings,
    echoed,
  };
}

function unlessIn(known: readonly SchemaFinding[]): (finding: SchemaFinding) => boolean {
  return ({ pointer }) => !known.some((finding) => finding.pointer === pointer);
}

function issueFinding(issue: z.core.$ZodIssue): SchemaFinding {
  const pointer = issue.path
    .map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
  return { pointer, message: issue.message };
}

function misfit(
  schemaName: SchemaName,
  findings: readonly SchemaFinding[],
): ReturnType<typeof invalid> {
  const lines = findings.map(({ pointer, message }) => `${pointer || '(whole answer)'} ${message}`);
  const more = lines.length > 1 ? ` (and ${lines.length - 1} more)` : '';
  return invalid(`the answer does not fit the ${schemaName} schema: ${lines[0] ?? ''}${more}`, [
    ...lines.slice(0, maxErrors),
    ...(lines.length > maxErrors ? [`… and ${lines.length - maxErrors} more`] : []),
  ]);
}

function invalid(
  reason: string,
  errors: readonly string[],
): { readonly ok: false; readonly failure: AnswerProblem } {
  return { ok: false, failure: { kind: 'invalid', reason, errors } };
}
