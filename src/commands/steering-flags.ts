// Reads the flags of `conclave execute`, and refuses combinations that make no sense.
import { z } from 'zod';
import { Flag, Text, Texts } from '../model/plain-shapes.ts';
import type { executionAnswers } from '../app/flag-answers.ts';
import type { ExecutionResult, Retry } from '../model/execution.ts';
import { isForPerson } from '../model/execution-summary.ts';
import { wrongUsage } from '../model/failure.ts';
import { byHand } from '../model/team.ts';
import { listed } from '../model/wording.ts';
import type { NamedTeam } from '../workflow/recorded-team.ts';

const flag = Flag.default(false);
/** The flags of `conclave execute` alone. */
export const ExecuteFlags = z.object({
  apply: z.union([Flag, Text]).default(false),
  againstReview: flag,
  resolveWith: Text.optional(),
  accept: Texts.default([]),
  because: Text.optional(),
  retry: Texts.default([]),
  note: Text.optional(),
  unconfined: Texts.default([]),
  discard: flag,
  force: flag,
  replan: flag,
  dryRun: flag,
  takeSetup: flag,
  at: z.unknown().optional(),
  jobs: z.unknown().optional(),
  json: flag,
});
export type ExecuteFlags = z.infer<typeof ExecuteFlags>;

/** A fault that some flags may have, and the sentence for it. */
type Rule = readonly [isBroken: boolean, why: string];

/** Throws `usage` with the sentence of the first rule that is broken. */
function refuse(...rules: readonly Rule[]): void {
  for (const [isBroken, why] of rules) if (isBroken) throw wrongUsage(why);
}

/** The names of what is true, as a list for people; empty if nothing is. */
function namesOf(given: Readonly<Record<string, boolean>>): string {
  return listed(Object.keys(given).filter((name) => given[name] === true));
}

/** Throws `usage` for flags that make no sense together. */
export function checkSteering(flags: ExecuteFlags): void {
  const { accept, because = '', retry, note, apply, resolveWith } = flags;
  const isGiven = because.trim() !== '';
  const others = namesOf({
    '--accept': accept.length > 0,
    '--discard': flags.discard,
    '--replan': flags.replan,
    '--dry-run': flags.dryRun,
    '--unconfined': flags.unconfined.length > 0,
  });
  refuse(
    [
      accept.length > 0 && !isGiven,
      '--accept needs a reason: --because "what you saw that shows it is done".',
    ],
    [accept.length === 0 && isGiven, '--because needs --accept TASK.'],
    [
      apply === false && resolveWith !== undefined,
      '--resolve-with needs --apply: it resolves a conflict there.',
    ],
    [retry.length === 0 && note !== undefined, '--note needs --retry TASK.'],
    [
      retry.length > 0 && others !== '',
      `--retry and ${others} exclude each other; use one of them.`,
    ],
  );
}

/** Throws `usage` for flags without effect, because tasks have already begun or will not be executed. */
export function checkBeginning(
  flags: ExecuteFlags,
  { how, isUnderWay: isBegun }: { readonly how: string; readonly isUnderWay: boolean },
): void {
  const { discard, replan } = flags;
  const does = discard ? 'discard' : replan ? 'replan' : how;
  const isAt = flags.at !== undefined;
  const given = namesOf({
    '--at': isAt,
    '--jobs': flags.jobs !== undefined,
    '--force': flags.force,
    '--take-setup': flags.takeSetup && (discard || replan),
    '--unconfined': flags.unconfined.length > 0,
  });
  refuse(
    [
      does !== 'again' && does !== 'retry' && given !== '',
      `--${does} carries no task out, so leave out ${given}.`,
    ],
    [
      does === 'retry' && flags.force,
      '--retry keeps to the plan that the work began with, so leave out --force.',
    ],
    [
      isAt && (does === 'retry' || isBegun),
      '--at: the work has begun already and goes on from there. To start over: --discard, then execute again.',
    ],
  );
}

/** The tasks to redo, with the note; null if the flags name none. */
export function retryOf(
  { retry, note = '' }: ExecuteFlags,
  { execution }: Pick<NamedTeam, 'execution'>,
): Retry | null {
  if (retry.length === 0) return null;
  const common = { tasks: [...new Set(retry)], note: note.trim() };
  return execution === null ? common : { ...common, execution_method: execution };
}

/** Throws `usage` for a choice of agents if no work is done. */
export function checkNamed(
  { execution, review }: NamedTeam,
  { discard, replan, retry }: Pick<ExecuteFlags, 'discard' | 'replan' | 'retry'>,
  result: { readonly only: 'apply' | 'accept' | null },
): void {
  const named = namesOf({ '--execution': execution !== null, '--review': review !== null });
  const isRetried = retry.length > 0;
  refuse(
    [
      (discard || replan) && named !== '',
      `${discard ? '--discard' : '--replan'} carries nothing out, so leave out ${named}.`,
    ],
    [
      execution === byHand && !isRetried,
      '--execution hand needs --retry TASK: it takes what you changed in its work tree.',
    ],
    [
      execution !== null && !isRetried && result.only !== null,
      `--execution: the plan was carried out, and --${result.only} does no task again. To have one done by another agent: --retry TASK --execution NAME`,
    ],
  );
}

export type Acceptance = NonNullable<Parameters<typeof executionAnswers>[0]['accepted']>;

/**
 * Collects the accepted tasks, together with earlier ones. Throws `usage` for a task that a person cannot
 * accept.
 */
export function acceptanceOf(
  { accept, because = '', apply }: ExecuteFlags,
  result: ExecutionResult | null,
): Acceptance {
  const open = (result?.tasks ?? []).filter(isForPerson);
  const known = open.map(({ task }) => task);
  const other = accept.find((id) => !known.includes(id));
  if (other !== undefined) {
    const which = known.length === 0 ? 'no task is' : `these are: ${known.join(', ')}`;
    throw wrongUsage(
      `--accept ${other}: only an unproven task, or one with a manual check, can be accepted (${which}).`,
    );
  }
  const added = Object.fromEntries(accept.map((id) => [id, because.trim()]));
  // If a result is applied now, the application itself records how.
  const applied = apply === false ? (result?.applied ?? null) : null;
  return { accepted: { ...result?.accepted, ...added }, applied };
}
