import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { Stopped, type Failure } from '../../src/model/failure.ts';
import { openJournal, type Journal, type JournalRecord } from '../../src/store/journal.ts';
import { journalSteps } from '../../src/store/logged-steps.ts';
import { claimSession, type SessionFolder } from '../../src/store/session-folder.ts';
import { formatVersion } from '../../src/model/id-patterns.ts';
import type { StepKind } from '../../src/model/step.ts';
import type { StepRequest, Steps } from '../../src/store/steps-port.ts';

/** A new folder that is removed after the test. */
export async function newRoot(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'conclave-store-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return root;
}

export async function newSession(): Promise<SessionFolder> {
  return await claimSession({ root: await newRoot(), task: 'Add a cache', now: someTime });
}

export const someTime = new Date('2026-11-21T08:00:00.000Z');
const digest = 'a'.repeat(64);
const head = { v: formatVersion, at: someTime.toISOString() } as const;

export function opened(session: string): JournalRecord {
  return { ...head, type: 'opened', session, forked_from: null };
}
export function started(key: string, group = key): JournalRecord {
  return { ...head, type: 'started', key, group, kind: 'calculation', input: digest, attempt: 1 };
}
export function finished(key: string, result: unknown = null): JournalRecord {
  return { ...head, type: 'finished', key, input: digest, ms: 1, result };
}
export function voided(...keys: string[]): JournalRecord {
  return { ...head, type: 'voided', keys, why: 'redone' };
}
export function noted(text: string): JournalRecord {
  return { ...head, type: 'noted', text };
}

/** Whose a journal is does not matter to most tests. */
export const anybody = { key: Buffer.from('k'.repeat(64)), adopts: true };

/** Opens the journal, hands it to the action and closes it. */
export async function withJournal<T>(
  folder: SessionFolder,
  action: (journal: Journal) => Promise<T>,
): Promise<T> {
  const journal = await openJournal(folder, anybody);
  try {
    return await action(journal);
  } finally {
    await journal.close();
  }
}

export async function write(folder: SessionFolder, records: readonly JournalRecord[]) {
  await withJournal(folder, async (journal) => {
    for (const record of records) await journal.append(record, { flush: false });
  });
}

/** The failure with which an action stops. */
export async function failureOf(action: Promise<unknown>): Promise<Failure> {
  try {
    await action;
  } catch (error) {
    if (error instanceof Stopped) return error.failure;
    throw error;
  }
  throw new Error('it did not stop');
}

/** A request for a step with a text as its result; the group is the part before the slash. */
export function ask(
  key: string,
  more: { kind?: StepKind; input?: unknown; group?: string; signal?: AbortSignal } = {},
): StepRequest<string> {
  const [group = key] = key.split('/');
  const signal = new AbortController().signal;
  return { key, group, kind: 'work', input: 'same', shape: z.string(), signal, ...more };
}

/** One run of a process over the session. */
export async function run<T>(
  folder: SessionFolder,
  action: (steps: Steps, journal: Journal) => Promise<T>,
): Promise<T> {
  return await withJournal(folder, (journal) => action(journalSteps(journal), journal));
}

export const notAgain = () => Promise.reject(new Error('it was run again'));
export const say = (text: string) => () => Promise.resolve(text);
/** Whether this machine lets a test mount a file system of its own. */
export const canMount = spawnSync('sh', ['-c', 'unshare -rm true']).status === 0;
