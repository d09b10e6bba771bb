import { readFileSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { steps } from '../../src/model/steps.ts';
import {
  type JournalRecord,
  encodeRecord,
  readJournalText,
} from '../../src/store/journal-record.ts';
import { agreedRig, plannedRig } from '../helpers/planned-rig.ts';
import type { Rig } from '../helpers/rig.ts';
import { witnessed } from '../helpers/vendors.ts';

const journalOf = (rig: Rig) => join(rig.session(), 'journal.jsonl');
const recordsOf = (rig: Rig) => readJournalText(readFileSync(journalOf(rig)), 'repaired').records;

/** Replaces the journal, and adopts it: records that a test wrote have no seal. */
async function rewrite(rig: Rig, records: readonly JournalRecord[]): Promise<void> {
  writeFileSync(journalOf(rig), Buffer.concat(records.map(encodeRecord)));
  const adopted = await rig.conclave('sessions', 'trust', basename(rig.session()), '-y');
  expect(adopted).toMatchObject({ code: 0 });
}

/** Makes a list of the calls of agents from now on. */
function callsFromNow(rig: Rig): () => readonly string[] {
  const startsOf = (name: string) =>
    witnessed(rig, name).flatMap((line) => /^start (\S+)/.exec(line)?.[1] ?? []);
  const before = new Map(['alpha', 'beta'].map((name) => [name, startsOf(name).length]));
  return () => [...before].flatMap(([name, count]) => startsOf(name).slice(count));
}

/** Flips a bit near the end of the line that records the result of a step. */
function flipResult(rig: Rig, key: string): void {
  const text = readFileSync(journalOf(rig));
  const start = text.indexOf(`"type":"finished","key":"${key}"`);
  const at = text.indexOf(0x0a, start) - 9;
  text[at] = (text[at] ?? 0) ^ 1;
  writeFileSync(journalOf(rig), text);
}

test('one flipped bit is found by validate, and a repair ends the session before it, with all in a copy', async () => {
  const rig = await agreedRig();
  const id = basename(rig.session());
  flipResult(rig, 'round-1/propose/beta');
  const found = await rig.conclave('validate', id);
  expect(found.code).toBe(6);
  expect(found.stdout).toMatch(/blocking +journal\.jsonl +journal-unreadable .*line \d+/);
  expect((await rig.conclave('sessions', 'show', id)).stdout).toContain('Note      ');
  const refused = await rig.conclave('resume', id, '--auto-yes');
  expect(refused).toMatchObject({
    code: 9,
    stderr: expect.stringContaining(`to repair it: conclave sessions repair ${id}`),
  });

  const repaired = await rig.conclave('sessions', 'repair', id);
  expect(repaired.code).toBe(0);
  expect(repaired.stdout).toMatch(
    /^Repaired .*\nLost: line \d+ of journal\.jsonl cannot be read, so the journal ends before it\.\nDone again: round-1\/propose\/beta\n(Done again: .*\n)+The journal as it was: .*\nTo continue: /,
  );
  expect(
    readdirSync(rig.session()).filter((name) => /^journal-.*\.jsonl$/.test(name)),
  ).toHaveLength(1);
  expect((await rig.conclave('validate', id)).code).toBe(0);
  const calls = callsFromNow(rig);
  expect(await rig.conclave('resume', id, '--auto-yes')).toMatchObject({ code: 0, stderr: '' });
  expect(calls()).toContain('propose-1');
  const again = await rig.conclave('sessions', 'repair', id);
  expect(again.stdout).toBe(`Nothing in ${id} needs repair.\n`);
});

/** Ends the journal with the result of a step, which is changed. */
async function endWith(rig: Rig, key: string, change: (result: unknown) => unknown): Promise<void> {
  const records = recordsOf(rig);
  const at = records.findIndex((record) => record.type === 'finished' && record.key === key);
  const odd = records
    .slice(0, at + 1)
    .map((record, index) =>
      index === at && record.type === 'finished'
        ? { ...record, result: change(record.result) }
        : record,
    );
  await rewrite(rig, odd);
}

test('a session that an odd answer of its planner had stopped goes on by itself', async () => {
  const rig = await plannedRig();
  const id = basename(rig.session());
  await endWith(rig, steps.plan(1).ask.by('alpha').key, (attempt) => {
    const { value } = Object(attempt);
    const tasks = value.tasks.map((task: object) => ({
      ...task,
      evidence: 'src/a.js:1',
      commit: 7,
    }));
    return { ...Object(attempt), value: { ...value, tasks } };
  });
  const calls = callsFromNow(rig);
  expect(await rig.conclave('resume', id, '--auto-yes')).toMatchObject({ code: 0, stderr: '' });
  // The plan is read now, and not asked for again.
  expect(calls()).toEqual(['plan-review-1']);
  expect(rig.json('.task/TASK-001.json')).not.toHaveProperty('evidence');
});

test('a torn journal is told at once, and later by show and validate', async () => {
  const rig = await agreedRig();
  const id = basename(rig.session());
  const torn = /The last line of journal\.jsonl .* was torn or damaged and was left out\./;
  truncateSync(journalOf(rig), readFileSync(journalOf(rig)).length - 5);
  expect((await rig.conclave('validate', id)).stdout).toMatch(torn);
  expect((await rig.conclave('sessions', 'show', id)).stdout).toMatch(torn);
  const resumed = await rig.conclave('resume', id, '--auto-yes');
  expect({ code: resumed.code, said: torn.test(resumed.stdout + resumed.stderr) }).toEqual({
    code: 0,
    said: true,
  });
  expect((await rig.conclave('sessions', 'show', id)).stdout).toMatch(torn);
});
