// Runs `conclave sessions fork`, `trust`, `repair` and `rm`.
import { findSession, type MeantSession } from '../app/find-session.ts';
import { refuseInside } from '../app/inside-agent.ts';
import { readSession } from '../app/read-session.ts';
import { forkSaved, removeSaved } from '../app/saved-session.ts';
import { wholeSessionId } from '../app/session-names.ts';
import { shorten } from '../faces/short-forms.ts';
import { canAsk, confirm, printJson, printLines } from './output.ts';
import type { CommonOptions } from './program/shared-options.ts';

/** Copies a session up to a decision, to make another decision there. */
export async function fork(
  wanted: string,
  { root, environment, json, at: decision }: CommonOptions,
): Promise<number> {
  const id = await wholeSessionId(root, wanted);
  const forking = { root, environment, id, at: decision, now: new Date() };
  const { session, folder, at } = await forkSaved(forking);
  if (json) printJson({ session, folder, forked_from: id, at });
  else {
    printLines(
      `Forked at ${at}: ${session}`,
      `Decide again with:     conclave resume ${session}`,
      `Or without a terminal: conclave resume ${session} --auto-yes --solution N`,
    );
  }
  return 0;
}

/** Makes another user's session the user's own, after they have seen what it would run. */
export async function trust(
  wanted: string,
  { root, environment, json, yes }: CommonOptions,
): Promise<number> {
  const { loadSession } = await import('../app/load-session.ts');
  const { loadSettings } = await import('../app/settings/load-settings.ts');
  const { wouldRun, wouldRunLines } = await import('../app/adoption.ts');
  const id = await wholeSessionId(root, wanted);
  const settings = await loadSettings({ root, environment });
  const session = await loadSession(id, { root, environment, settings }, []);
  const isOwn = session.foreign === null;
  const runs = await wouldRun(session);
  if (!json && !isOwn) printLines(...wouldRunLines(runs));
  const agreed = isOwn || yes || (await confirm(`Trust ${id} as it is now?`));
  if (agreed && !isOwn) {
    const { adoptSession } = await import('../app/trust.ts');
    await adoptSession(session.folder, session, new Date());
  }
  if (json) printJson({ session: id, trusted: agreed, runs });
  else if (isOwn) printLines(`${id} is yours already.`);
  else
    printLines(
      agreed ? `Trusted ${id}. To continue: conclave resume ${id}` : 'Nothing was trusted.',
    );
  return 0;
}

/** Repairs a session that cannot be read. */
export async function repair(
  wanted: string,
  { root, environment, json }: CommonOptions,
): Promise<number> {
  const { repairSession } = await import('../app/repair.ts');
  const id = await wholeSessionId(root, wanted);
  const { lost, redone, copies } = await repairSession(id, { root, environment }, new Date());
  if (json) printJson({ session: id, lost, redone, copies });
  else if (lost.length === 0) printLines(`Nothing in ${id} needs repair.`);
  else {
    printLines(
      `Repaired ${id}.`,
      ...lost.map((loss) => `Lost: ${loss}`),
      ...redone.map((key) => `Done again: ${key}`),
      ...copies.map((copy) => `The journal as it was: ${copy}`),
      `To continue: conclave resume ${id}`,
    );
  }
  return 0;
}

/** Removes sessions that no process has open. */
export async function remove(
  wanted: readonly string[],
  { root, environment, json, yes }: CommonOptions,
): Promise<number> {
  await refuseInside(environment);
  const place = { root, environment };
  const named = await Promise.all(wanted.map((part) => findSession(place, part)));
  const meant = [...new Map(named.map((one) => [one.id, one])).values()];
  const ids = meant.map(({ id }) => id);
  const isNamed = !canAsk() && wanted.every((part) => ids.includes(part));
  const otherwise = 'There is no terminal to ask in; give whole ids, or add -y.';
  if (!yes && !isNamed && !(await confirm(await removalQuestion(root, meant), otherwise))) {
    printLines('Nothing was removed.');
    return 0;
  }
  const kept: string[] = [];
  for (const { id, isPlanned, isTalk } of meant) {
    const left = isPlanned ? await removeSaved({ ...place, id }) : [];
    if (isTalk) {
      const { removeConversation } = await import('../app/conversation-tree.ts');
      await removeConversation(place, id);
    }
    kept.push(...left);
    if (!json) printLines(`Removed ${id}.`, ...left);
  }
  if (json) printJson({ removed: ids, kept });
  return 0;
}

/** Names each task, because an id alone says little about what would be lost. */
async function removalQuestion(root: string, meant: readonly MeantSession[]): Promise<string> {
  const texts = await Promise.all(
    meant.map(async ({ id, isPlanned }) => {
      const state = isPlanned ? (await readSession(root, id)).state : null;
      const about = state === null ? null : shorten(state.task_description, 80);
      return about === null ? id : `${id} (${about})`;
    }),
  );
  return `Remove ${texts.join(', ')} with all files?`;
}
