import { forkSession } from '../store/fork.ts';
import { readJournal } from '../store/journal.ts';
import { finishedSteps } from '../store/recorded-steps.ts';
import { openSessionFolder } from '../store/session-folder.ts';
import { projectRoot } from './project-root.ts';

/** `conclave sessions fork`: a copy of a session up to a decision, to decide otherwise there. */
export async function run(
  id: string,
  options: { readonly at?: string | undefined; readonly cwd: string; readonly json: boolean },
): Promise<number> {
  const root = await projectRoot(options.cwd);
  const at = options.at ?? (await latestDecision(root, id));
  const fork = await forkSession({ root, id, at, now: new Date() });
  const { id: session, relative: folder } = fork;
  const text = options.json
    ? JSON.stringify({ session, folder, forked_from: id, at }, null, 2)
    : `Forked at ${at}: ${session}\nDecide otherwise with: conclave resume ${session}\nOr without a terminal:  conclave resume ${session} --auto-yes --solution N`;
  process.stdout.write(`${text}\n`);
  return 0;
}

async function latestDecision(root: string, id: string): Promise<string> {
  const { records } = await readJournal(await openSessionFolder(root, id));
  const keys = [...finishedSteps(records).keys()];
  return keys.findLast((key) => /^decision-\d+$/.test(key)) ?? 'decision-1';
}
