// Checks the plan files of a session, or of any folder.
import { basename, resolve } from 'node:path';
import { openRepository } from '../git/open-repository.ts';
import type { Base } from '../model/context.ts';
import { Stopped, wrongUsage } from '../model/failure.ts';
import { type Finding, blockingFinding, warningFinding } from '../model/finding.ts';
import { sessionIdPattern } from '../model/id-patterns.ts';
import { neverAborted } from '../model/signal.ts';
import type { PlanRepository } from '../phases/planning/plan-base.ts';
import { validateFolder } from '../phases/planning/validate-folder.ts';
import { readJournal } from '../store/journal.ts';
import { schemaCheck } from '../store/published-schemas.ts';
import { listSessionIds, openSessionFolder } from '../store/session-folder.ts';
import { isFolder } from './folders.ts';
import { wholeSessionId } from './session-names.ts';
import { latestFor } from './load-session.ts';
import type { Workplace } from './workplace.ts';

/** Checks a session, a folder relative to `cwd`, or without a target the latest session. */
export async function validate({
  target,
  cwd,
  root,
  environment,
  settings,
}: Pick<Workplace, 'root' | 'environment' | 'settings'> & {
  readonly target: string | undefined;
  readonly cwd: string;
}): Promise<{ readonly folder: string; readonly findings: readonly Finding[] }> {
  const folder = await folderOf(target, { root, environment, cwd });
  const schemas = await schemaCheck({ extensions: settings.schemas });
  const found = await validateFolder({
    folder,
    check: (name, value) => schemas.check(name, value),
    openBase: async (base) => (base === null ? null : await openBase(root, base)),
  });
  return { folder, findings: [...(await journalFindings(root, folder)), ...found] };
}

/** Nothing for a folder that is not a session of this repository. */
async function journalFindings(root: string, path: string): Promise<readonly Finding[]> {
  const id = basename(path);
  if (!(await listSessionIds(root)).includes(id)) return [];
  const folder = await openSessionFolder(root, id);
  if (folder.path !== path) return [];
  try {
    const { notes } = await readJournal(folder);
    return notes.map((note) => warningFinding('journal-torn', 'journal.jsonl', '', note));
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    return [blockingFinding('journal-unreadable', 'journal.jsonl', '', error.message)];
  }
}

/** Null if the base is no longer in this repository, never was, or is not a commit. */
async function openBase(root: string, base: Base): Promise<PlanRepository | null> {
  // Without git, the files that existed then are unknown.
  if (base.commit === null) return null;
  try {
    return await openRepository({ root, base, snapshots: null, signal: neverAborted });
  } catch (error) {
    if (error instanceof Stopped && error.failure.reason === 'base-gone') return null;
    throw error;
  }
}

async function folderOf(
  target: string | undefined,
  { cwd, ...place }: Pick<Workplace, 'root' | 'environment'> & { readonly cwd: string },
): Promise<string> {
  const { root } = place;
  const ids = await listSessionIds(root);
  const id = target ?? (await latestFor(place, 'validate'));
  if (ids.includes(id)) return (await openSessionFolder(root, id)).path;
  const folder = resolve(cwd, id);
  if (await isFolder(folder)) return folder;
  if (sessionIdPattern.test(id))
    return (await openSessionFolder(root, await wholeSessionId(root, id))).path;
  throw wrongUsage(`There is no folder ${folder} to check.`);
}
