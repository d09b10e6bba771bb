import { z } from 'zod';
import type { ExecutionResult } from '../../model/execution.ts';
import { Stopped } from '../../model/failure.ts';
import { recorded } from '../tools.ts';
import type { Job } from './execution.ts';

/** How a result was brought to the user’s work tree. */
export const BroughtHome = z.object({
  how: z.enum(['merged', 'files']),
  branch: z.string().nullable(),
  files: z.array(z.string()),
  backup: z.string().nullable(),
});
export type BroughtHome = z.infer<typeof BroughtHome>;

/** Brings the result home, as a step. Throws `not-applied`, with nothing changed, where it cannot. */
export function bringHome(
  { tools, trees, number, signal }: Pick<Job, 'tools' | 'trees' | 'number' | 'signal'>,
  { commit }: ExecutionResult,
): Promise<BroughtHome> {
  const step = { tools, signal, group: `apply-${number}`, name: 'done', shape: BroughtHome };
  return recorded({ ...step, input: { commit } }, async () => {
    const applied = await trees.apply(commit);
    if (applied.ok) return { ...applied, files: [...applied.files] };
    const { why, files } = applied;
    const places = files.length === 0 ? '' : `: ${files.slice(0, 8).join(', ')}`;
    throw new Stopped({ reason: 'not-applied', session: tools.folder.id, why: `${why}${places}` });
  });
}

/** What was done, in one clause. */
export function appliedText({ how, branch, files, backup }: BroughtHome): string {
  const where =
    how === 'files'
      ? 'written to your work tree, not committed'
      : `merged into ${branch ?? 'what is checked out'}`;
  const kept = backup === null ? '' : `; what the files held before is in ${backup}`;
  return `${files.length === 1 ? '1 file' : `${files.length} files`} ${where}${kept}`;
}
