// Applies the result of an execution to the user’s work tree.
import { z } from 'zod';
import type { ExecutionResult } from '../../model/execution.ts';
import { Stopped } from '../../model/failure.ts';
import { steps } from '../../model/steps.ts';
import { counted } from '../../model/wording.ts';
import { recordStep } from '../tools.ts';
import type { Job } from './execution.ts';

/** A result as it came into the user’s work tree. */
export const AppliedResult = z.object({
  how: z.enum(['merged', 'files']),
  branch: z.string().nullable(),
  files: z.array(z.string()),
  backup: z.string().nullable(),
});
export type AppliedResult = z.infer<typeof AppliedResult>;

/** Applies the result, as a step. Throws `not-applied`, with nothing changed, where it cannot. */
export function applyResult(
  { tools, trees, number, signal }: Pick<Job, 'tools' | 'trees' | 'number' | 'signal'>,
  { commit }: ExecutionResult,
): Promise<AppliedResult> {
  const step = { tools, signal, step: steps.apply(number).done, shape: AppliedResult };
  return recordStep({ ...step, input: { commit } }, async () => {
    const applied = await trees.apply(commit);
    if (applied.ok) return { ...applied, files: [...applied.files] };
    const { why, files } = applied;
    const places = files.length === 0 ? '' : `: ${files.slice(0, 8).join(', ')}`;
    throw new Stopped({ reason: 'not-applied', session: tools.folder.id, why: `${why}${places}` });
  });
}

/** Tells in one clause what was done. */
export function describeAppliedResult({ how, branch, files, backup }: AppliedResult): string {
  const where =
    how === 'files'
      ? 'written to your work tree, not committed'
      : `merged into ${branch ?? 'what is checked out'}`;
  const kept = backup === null ? '' : `; what the files held before is in ${backup}`;
  return `${counted(files.length, 'file')} ${where}${kept}`;
}
