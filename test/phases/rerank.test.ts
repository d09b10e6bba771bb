import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadSettings } from '../../src/app/settings/load-settings.ts';
import { openSession } from '../../src/app/open-session.ts';
import type { RelevantFile } from '../../src/model/context.ts';
import type { Event } from '../../src/model/event.ts';
import { gatherContext } from '../../src/phases/gather-context.ts';
import { reorder } from '../../src/phases/gather-context.ts';
import { claimSession, openSessionFolder } from '../../src/store/session-folder.ts';
import { answersOr } from '../../src/workflow/view-port.ts';
import type { Rig } from '../helpers/rig.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { configureVendors, witnessed } from '../helpers/vendors.ts';

function file(path: string, score: number): RelevantFile {
  return { path, start: 1, end: 9, symbols: [], score, reasons: ['found'] };
}

const answerOf = (...paths: readonly string[]) => ({
  files: paths.map((path) => ({ path, reason: `about ${path}` })),
});

test('of two equal files the one that the agent puts first comes first, with its reason', () => {
  const ordered = reorder([file('a', 3), file('b', 2)], answerOf('b', 'a'));
  expect(ordered?.map(({ path }) => path)).toEqual(['b', 'a']);
  expect(ordered?.[0]?.reasons).toEqual(['found', 'an agent says: about b']);
});

test('an order never adds, loses or repeats a file, and its scores fall', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const law = fc.property(
    fc.subarray(names, { minLength: 1 }),
    fc.array(fc.constantFrom(...names, '../secret', '/etc/passwd', ''), { maxLength: 10 }),
    (offered, named) => {
      const files = offered.map((path, index) => file(path, 10 - index));
      const ordered = reorder(files, answerOf(...named));
      if (ordered === null) return named.every((path) => !offered.includes(path));
      const scores = ordered.map(({ score }) => score);
      expect(ordered.map(({ path }) => path).toSorted()).toEqual(offered.toSorted());
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      return true;
    },
  );
  fc.assert(law);
});

const nobody = () => Promise.reject(new Error('nobody is asked'));

/** Phase 1 of a session in this process; with an id, of one that goes on. */
async function gather(rig: Rig, id?: string) {
  const environment = {
    PATH: process.env['PATH'],
    HOME: rig.home,
    XDG_CONFIG_HOME: `${rig.home}/config`,
  };
  const settings = await loadSettings({ root: rig.repo, environment });
  const folder =
    id === undefined
      ? await claimSession({ root: rig.repo, task: todoTask, now: new Date() })
      : await openSessionFolder(rig.repo, id);
  const events: Event[] = [];
  const { signal: interrupt } = new AbortController();
  const session = await openSession({
    folder,
    root: rig.repo,
    settings,
    environment,
    view: {
      show: (event) => void events.push(event),
      ...answersOr(nobody, {}),
    },
    task: id === undefined ? todoTask : null,
    resumed: null,
    interrupt,
    now: () => new Date(),
  });
  try {
    const rerankers = settings.context.rerank === 'agent' ? settings.run.tools : null;
    const context = await gatherContext({ task: todoTask, rerankers }, session.tools, interrupt);
    const reranked = events.filter((event) => event.type === 'context.reranked');
    return { context, reranked, id: folder.id };
  } finally {
    await session.close();
  }
}

const on = '[context]\nrerank = "agent"';
const paths = (context: { relevant_files: readonly RelevantFile[] }) =>
  context.relevant_files.map(({ path }) => path);

test('an agent’s order counts, is recorded, and is not asked for twice', async () => {
  const rig = await todoRig();
  const answer = { ...answerOf('src/store.js', 'src/cli.js', 'no/such.js'), phase: 'context' };
  configureVendors(rig, { ant: { rerank: { answer } } }, on);
  const first = await gather(rig);
  expect(first.context.reranking).toEqual({ agent: 'ant', state: 'counted', note: '' });
  expect(first.reranked).toMatchObject([{ agent: 'ant', note: null }]);
  const store = first.context.relevant_files.find(({ path }) => path === 'src/store.js');
  expect(store?.reasons.at(-1)).toBe('an agent says: about src/store.js');
  expect(paths(first.context)).not.toContain('no/such.js');
  expect(rig.json('codebase-context.json')).toEqual(first.context);
  const again = await gather(rig, first.id);
  expect(again.context).toEqual(first.context);
  expect(witnessed(rig, 'ant').filter((line) => line.startsWith('start'))).toHaveLength(1);
});

test('off, which is the default, nobody is asked', async () => {
  const rig = await todoRig();
  configureVendors(rig, { ant: {} });
  const { context, reranked } = await gather(rig);
  expect(context.reranking).toBeNull();
  expect(reranked).toEqual([]);
  expect(witnessed(rig, 'ant')).toEqual([]);
});

test.each([
  [
    'only files that were not offered',
    { rerank: { answer: { phase: 'context', ...answerOf('/etc/passwd') } } },
    /^ant named none of the files it was offered$/,
  ],
  ['an agent that ends badly', { rerank: { exit: 3, stderr: 'boom' } }, /^ant failed: /],
])('with %s the order of the search stays, and it is said', async (_what, script, note) => {
  const rig = await todoRig();
  configureVendors(rig, { ant: script });
  const { context: plain } = await gather(rig);
  configureVendors(rig, { ant: script }, on);
  const { context, reranked } = await gather(rig);
  expect(paths(context)).toEqual(paths(plain));
  expect(context.reranking).toMatchObject({ agent: 'ant', state: 'skipped' });
  expect(context.reranking?.note).toMatch(note);
  expect(reranked[0]).toMatchObject({ agent: 'ant', note: context.reranking?.note });
});

test('where no agent is ready, the order stays', async () => {
  const rig = await todoRig();
  rig.config(`[workflow]\ntools = ["ant"]\n[agents.ant]\npath = "/nowhere/ant"\n${on}`);
  const { context } = await gather(rig);
  expect(context.reranking).toEqual({ agent: null, state: 'skipped', note: 'no agent is ready' });
  expect(context.relevant_files.length).toBeGreaterThan(0);
});
