// Reads the flags of `plan` and `resume` that belong to one run only, as values of the domain.
import { CodeReviewTool, ExecutionMethod } from '../model/decision.ts';
import { wrongUsage } from '../model/failure.ts';
import { settingsTable } from '../model/settings.ts';
import { workingFolder } from '../app/folders.ts';
import { mergeLeaves, reader } from '../app/settings/leaf.ts';
import { flagLeaves } from '../app/settings/text-leaves.ts';

/** The flags of `conclave plan` and `conclave resume`, as values of the domain; `cwd` is absolute. */
export type SessionFlags = Awaited<ReturnType<typeof sessionFlags>>;

/** Checks what commander read. Throws `usage`, naming the flag, for a value that cannot be. */
export async function sessionFlags(values: object) {
  const given = new Map(Object.entries(values));
  const settings = flagLeaves(values);
  return {
    /** For `loadSettings`; the others belong to one run only. */
    settings,
    constraint: reader(mergeLeaves(settings))(settingsTable.constraints) ?? [],
    taskFile: textOf('--task-file', given.get('taskFile')),
    conversation: textOf('--session', given.get('session')),
    feedback: textOf('--feedback', given.get('feedback')),
    solution: wholeNumber('--solution', given.get('solution'), { least: 1, most: 1000 }),
    execution: choiceOf('--execution', given.get('execution'), ExecutionMethod.options),
    review: choiceOf('--review', given.get('review'), CodeReviewTool.options),
    cwd: await workingFolder(textOf('-C', given.get('cwd'))),
  };
}

function textOf(flag: string, value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (value.trim() === '') throw wrongUsage(`${flag} needs a value.`);
  return value.trim();
}

/** Throws `usage` for what is not a whole number in the range. */
export function wholeNumber(
  flag: string,
  value: unknown,
  { least, most }: { readonly least: number; readonly most: number },
): number | undefined {
  if (typeof value !== 'string') return undefined;
  const found = /^\d{1,9}$/.test(value) ? Number(value) : -1;
  if (found >= least && found <= most) return found;
  const range = `a whole number from ${least} to ${most}`;
  throw wrongUsage(`${flag} takes ${range}, not ${JSON.stringify(value)}.`);
}

/** One of some values, typed as its first word in lower case: `codex` for `Codex Review`. */
function choiceOf<const T extends string>(
  flag: string,
  value: unknown,
  values: readonly T[],
): T | undefined {
  if (typeof value !== 'string') return undefined;
  const byWord = new Map(values.map((one) => [one.toLowerCase().replace(/ .*/, ''), one]));
  const found = byWord.get(value);
  if (found !== undefined) return found;
  const words = [...byWord.keys()].join(', ');
  throw wrongUsage(`${flag} takes one of ${words}, not ${JSON.stringify(value)}.`);
}
