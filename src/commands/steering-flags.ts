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

/** Throws `usage` for flags that make no sense together. */
export function checkSteering(flags: ExecuteFlags): void {
  const { accept, because = '', retry, note, apply, resolveWith } = flags;
  const isGiven = because.trim() !== '';
  if (accept.length > 0 && !isGiven) {
    throw wrongUsage('--accept needs a reason: --because "what you saw that shows it is done".');
  }
  if (accept.length === 0 && isGiven) throw wrongUsage('--because needs --accept TASK.');
  if (apply === false && resolveWith !== undefined) {
    throw wrongUsage('--resolve-with needs --apply: it resolves a conflict there.');
  }
  if (retry.length === 0 && note !== undefined) throw wrongUsage('--note needs --retry TASK.');
  const others = [
    ...(accept.length > 0 ? ['--accept'] : []),
    ...(flags.discard ? ['--discard'] : []),
    ...(flags.replan ? ['--replan'] : []),
    ...(flags.dryRun ? ['--dry-run'] : []),
    ...(flags.unconfined.length > 0 ? ['--unconfined'] : []),
  ];
  if (retry.length > 0 && others.length > 0) {
    throw wrongUsage(`--retry and ${listed(others)} exclude each other; use one of them.`);
  }
}

/** Throws `usage` for flags without effect, because tasks have already begun or will not be executed. */
export function checkBeginning(
  flags: ExecuteFlags,
  { how, isUnderWay: isBegun }: { readonly how: string; readonly isUnderWay: boolean },
): void {
  const { discard, replan } = flags;
  const does = discard ? 'discard' : replan ? 'replan' : how;
  const given = {
    '--at': flags.at !== undefined,
    '--jobs': flags.jobs !== undefined,
    '--force': flags.force,
    '--take-setup': flags.takeSetup && (discard || replan),
    '--unconfined': flags.unconfined.length > 0,
  };
  const named = Object.entries(given).flatMap(([name, isGiven]) => (isGiven ? [name] : []));
  if (does !== 'again' && does !== 'retry' && named.length > 0) {
    throw wrongUsage(`--${does} carries no task out, so leave out ${listed(named)}.`);
  }
  if (does === 'retry' && given['--force']) {
    throw wrongUsage('--retry keeps to the plan that the work began with, so leave out --force.');
  }
  if (given['--at'] && (does === 'retry' || isBegun)) {
    throw wrongUsage(
      '--at: the work has begun already and goes on from there. To start over: --discard, then execute again.',
    );
  }
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
  const named = [
    ...(execution === null ? [] : ['--execution']),
    ...(review === null ? [] : ['--review']),
  ];
  const other = discard ? '--discard' : replan ? '--replan' : null;
  if (other !== null && named.length > 0) {
    throw wrongUsage(`${other} carries nothing out, so leave out ${listed(named)}.`);
  }
  if (execution === byHand && retry.length === 0) {
    throw wrongUsage(
      '--execution hand needs --retry TASK: it takes what you changed in its work tree.',
    );
  }
  if (execution === null || retry.length > 0 || result.only === null) return;
  throw wrongUsage(
    `--execution: the plan was carried out, and --${result.only} does no task again. To have one done by another agent: --retry TASK --execution NAME`,
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
