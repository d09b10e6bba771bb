import { symlink } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { formatVersion } from '../../src/model/id-patterns.ts';
import { failureText } from '../../src/model/failure.ts';
import { forkSession } from '../../src/store/fork.ts';
import { readJournal, type JournalRecord } from '../../src/store/journal.ts';
import { foldFinishedSteps } from '../../src/store/recorded-steps.ts';
import { listSessionIds, type SessionFolder } from '../../src/store/session-folder.ts';
import {
  anybody,
  failureOf,
  finished,
  newSession,
  noted,
  opened,
  started,
  voided,
  write,
} from './room.ts';

const step = (key: string, result: string = key) => [
  started(key, dirname(key)),
  finished(key, result),
];
const history = (id: string) => [
  opened(id),
  ...step('context'),
  ...step('round-1/propose/codex'),
  ...step('decision-1'),
  opened(id),
  ...step('round-2/examine/codex'),
  ...step('decision-2'),
  ...step('plan/write'),
];

async function recorded(records: (id: string) => readonly JournalRecord[] = history) {
  const folder = await newSession();
  await write(folder, records(folder.id));
  return { folder, fork: (at: string) => forkOf(folder, at) };
}

function forkOf({ path, id }: SessionFolder, at: string): Promise<SessionFolder> {
  const now = new Date('2027-01-02T03:04:05.000Z');
  return forkSession({ root: resolve(path, '../../..'), id, at, now, key: anybody.key });
}

test('a fork has what came before the decision, a new id and a note', async () => {
  const { folder, fork } = await recorded();
  const before = await folder.read('journal.jsonl');
  const forked = await fork('decision-2');
  expect(forked.id).toMatch(/^MCP-add-a-cache-2027-01-02-[a-z0-9]{4}$/);
  const { records, notes } = await readJournal(forked);
  const at = '2027-01-02T03:04:05.000Z';
  expect(records).toEqual([
    { v: formatVersion, at, type: 'opened', session: forked.id, forked_from: folder.id },
    ...history('').slice(1, 7),
    ...step('round-2/examine/codex'),
    { v: formatVersion, at: '2026-11-21T08:00:00.000Z', type: 'stopped' },
    { v: formatVersion, at, type: 'noted', text: 'agent sessions of the original are not resumed' },
  ]);
  expect(notes).toEqual([]);
  expect(await folder.read('journal.jsonl')).toBe(before);
});

test('a fork has the artifacts of the rounds before it and no others', async () => {
  const { folder, fork } = await recorded();
  const kept = ['codebase-context.json', 'rounds/1/agents/codex/events.jsonl', 'base/src/a.ts'];
  const left = ['rounds/2/synthesis.json', 'plan.json', 'session-state.json', 'lock.sqlite'];
  for (const path of [...kept, ...left]) await folder.write(path, `content of ${path}`);
  const bytes = Buffer.from([0, 255, 254, 10, 13, 128]);
  await folder.write('base/logo', bytes);
  await folder.write('rounds/1/.x.0123456789abcdef.tmp', '');
  const forked = await fork('decision-1');
  for (const path of kept) expect(await forked.read(path)).toBe(`content of ${path}`);
  expect(await forked.readBytes('base/logo')).toEqual(bytes);
  expect(await forked.list('')).toEqual([
    'base',
    'codebase-context.json',
    'journal.jsonl',
    'rounds',
  ]);
  expect(await forked.list('rounds')).toEqual(['1']);
});

const proposed = (result: string) => step('round-1/propose/codex', result);

test.each<[string, readonly JournalRecord[], Record<string, string>]>([
  [
    'at its first start when the process died while it waited',
    [...proposed('a'), started('decision-1'), noted('killed'), ...step('decision-1')],
    { 'round-1/propose/codex': 'a' },
  ],
  [
    'at its first start when the question changed and what followed was kept',
    [
      ...step('decision-1', 'more'),
      ...step('round-2/examine/codex'),
      voided('decision-1'),
      ...step('decision-1', 'more'),
    ],
    {},
  ],
  [
    'where the redone past counts',
    [
      ...proposed('failed'),
      ...step('decision-1'),
      voided('round-1/propose/codex', 'decision-1'),
      ...proposed('good'),
      ...step('decision-1'),
    ],
    { 'round-1/propose/codex': 'good' },
  ],
])('a decision that was started more than once is cut %s', async (_, records, results) => {
  const { fork } = await recorded((id) => [opened(id), ...records]);
  const { records: forked } = await readJournal(await fork('decision-1'));
  const kept = [...foldFinishedSteps(forked)].map(([key, { result }]) => [key, result]);
  expect(Object.fromEntries(kept)).toEqual(results);
});

test.each(['decision-9', 'plan/write', '', '../x'])(
  'forking at %j names the decisions that there are and makes no folder',
  async (at) => {
    const { folder, fork } = await recorded();
    const failure = await failureOf(fork(at));
    expect(failure.reason).toBe('usage');
    expect(failureText(failure)).toContain('it has decision-1, decision-2.');
    expect(await listSessionIds(resolve(folder.path, '../../..'))).toEqual([folder.id]);
  },
);

test('a link among the artifacts is refused, and the half-made fork is removed', async () => {
  const { folder, fork } = await recorded();
  await folder.write('rounds/1/synthesis.json', '{}');
  const path = folder.absolute('rounds/1/secret');
  await symlink('/etc/hostname', path);
  expect(await failureOf(fork('decision-1'))).toEqual({ reason: 'link-refused', path });
  expect(await listSessionIds(resolve(folder.path, '../../..'))).toEqual([folder.id]);
});
