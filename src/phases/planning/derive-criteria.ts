import { isTest } from '../../context/file-kinds.ts';
import { isRunTest } from '../../context/run-tests.ts';
import type { Check } from '../../model/task.ts';
import { oneLine, sentence } from '../../model/wording.ts';
import type { PlannedPath } from './derive-files.ts';

/** A criterion in words with the check that decides it. */
export interface Criterion {
  readonly text: string;
  readonly check: Check;
}

/**
 * What must hold when a derived task is done. Every criterion comes from a file, a name or a
 * sentence of the solution; `goal` is its key point, or its name where it has none.
 */
export function criteriaOf({
  purpose,
  goal,
  files,
  tests,
}: {
  /** The user’s task text, quoted. */
  readonly purpose: string;
  readonly goal: string;
  readonly files: readonly PlannedPath[];
  readonly tests: readonly string[];
}): readonly Criterion[] {
  const stated = files.flatMap((file) => presence(file));
  const named = namesIn(goal, files);
  const passing = [...files.filter(livingTest).map(({ path }) => path), ...tests].map(passes);
  return [...stated, ...named, ...passing, seenByReader({ purpose, goal, files })];
}

function presence({ path, action }: PlannedPath): readonly Criterion[] {
  if (action === 'delete') {
    return [
      criterion({ kind: 'file', path, exists: false }, `The file \`${path}\` no longer exists.`),
    ];
  }
  const text =
    action === 'create' ? `The file \`${path}\` exists.` : `The file \`${path}\` still exists.`;
  return [criterion({ kind: 'file', path, exists: true }, text)];
}

const added =
  /\b(?:add|create|introduce|define|export|implement|write)(?:s|ing)?\s+(?:(?:an?|the|new|async|exported|public|function|class|type|interface|method|constant|helper)\s+)*`([\p{L}_$][\p{L}\p{N}_$]*)(?:\(\))?`/giu;

/** Only where one file alone can be meant: a name that is to be added, in backticks. */
function namesIn(goal: string, files: readonly PlannedPath[]): readonly Criterion[] {
  const [file, second] = files.filter(({ path, action }) => action !== 'delete' && !isTest(path));
  if (file === undefined || second !== undefined) return [];
  const names = new Set([...goal.matchAll(added)].flatMap(([, name]) => name ?? []));
  return [...names].map((symbol) =>
    criterion(
      { kind: 'symbol', path: file.path, symbol },
      `\`${file.path}\` defines \`${symbol}\`.`,
    ),
  );
}

function livingTest({ path, action }: PlannedPath): boolean {
  return action !== 'delete' && isRunTest(path);
}

function passes(path: string): Criterion {
  return criterion({ kind: 'test', path }, `The tests in \`${path}\` pass.`);
}

function seenByReader({
  purpose,
  goal,
  files,
}: {
  readonly purpose: string;
  readonly goal: string;
  readonly files: readonly PlannedPath[];
}): Criterion {
  const where = files.map(({ path }) => `\`${path}\``).join(', ');
  const read = where === '' ? 'what the task’s result says' : `the change in ${where}`;
  const text = `Reading ${read} confirms that it does its part of ${purpose}: ${sentence(goal)}`;
  return { text, check: { kind: 'manual', describes: oneLine(text) } };
}

function criterion(check: Exclude<Check, { kind: 'manual' }>, text: string): Criterion {
  return { text, check: { ...check, describes: text } };
}
