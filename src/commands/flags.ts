// Reads the flags of `plan` and `resume` that belong to one run only, as values of the domain.
import type { ExecutionMethod } from '../model/decision.ts';
import { methodOfAgent, reviewNamed } from '../model/team.ts';
import { wrongUsage } from '../model/failure.ts';
import { settingsTable } from '../model/settings.ts';
import { workingFolder } from '../app/folders.ts';
import { mergeLeaves, reader } from '../app/settings/leaf.ts';
import { flagLeaves } from '../app/settings/text-leaves.ts';

/** The flags of `conclave plan` and `conclave resume`, as values of the domain; `cwd` is absolute. */
export type SessionFlags = Awaited<ReturnType<typeof sessionFlags>>;

/** Checks what commander read. Throws `usage`, naming the flag, for an invalid value. */
export async function sessionFlags(values: object) {
  const given = new Map(Object.entries(values));
  const review = textOf('--review', given.get('review'));
  const settings = flagLeaves(values);
  return {
    /** The flags for `loadSettings`; the others belong to one run only. */
    settings,
    constraint: reader(mergeLeaves(settings))(settingsTable.workflow.constraints) ?? [],
    /** Commander gives true without `--no-proof`. */
    proves: given.get('proof') === false ? false : undefined,
    taskFile: textOf('--task-file', given.get('taskFile')),
    conversation: textOf('--session', given.get('session')),
    feedback: textOf('--feedback', given.get('feedback')),
    solution: wholeNumber('--solution', given.get('solution'), { least: 1, most: 1000 }),
    execution: executionOf(textOf('--execution', given.get('execution'))),
    review: review === undefined ? undefined : reviewNamed(review),
    cwd: await workingFolder(textOf('-C', given.get('cwd'))),
  };
}

function textOf(flag: string, value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (value.trim() === '') throw wrongUsage(`${flag} needs a value.`);
  return value.trim();
}

/** Throws `usage` for anything other than a whole number in the range. */
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

/** Reads who executes: `agent` and `auto` choose the way, and any other word names an agent, looked up later. */
function executionOf(word: string | undefined): ExecutionMethod | undefined {
  if (word === undefined) return undefined;
  const how = new Map<string, ExecutionMethod>([
    ['agent', 'Agent'],
    ['auto', 'Auto'],
  ]);
  return how.get(word) ?? methodOfAgent(word);
}
