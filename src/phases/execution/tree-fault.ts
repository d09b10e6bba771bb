// Tells an error that is limited to one work tree from one that concerns all tasks.
import { GitRefused } from '../../git/writing-git.ts';
import { absentCodes, hasCode } from '../../store/system-error.ts';
import { NotSetUp } from './run-command.ts';

/** The description of an error in a single work tree; null for an error that concerns all tasks. */
export function faultOfTree(error: unknown): string | null {
  if (error instanceof NotSetUp) return error.message;
  if (error instanceof GitRefused)
    return `git cannot read its work tree as the agent left it: ${error.message}`;
  if (!hasCode(error, absentCodes)) return null;
  const { message } = Object(error);
  return `its work tree was left damaged: ${String(message)}`;
}
