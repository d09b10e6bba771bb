import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../src/model/agent-event.ts';
import { treeWatch, withRelativePaths } from '../../src/agents/tree-watch.ts';
import { tempRepository } from '../git/temp-repository.ts';

const { signal } = new AbortController();
const root = '/home/user/todo';
const told = (event: AgentEvent) => withRelativePaths(event, root);
const given = (detail: string) => told({ type: 'tool_call', name: 'Grep', detail, input: null });

test('a path in the repository is told from its root, any other as it is', () => {
  for (const type of ['file_read', 'file_change'] as const) {
    const at = (path: string) => told({ type, path });
    expect(at('/home/user/todo/src/cli.js')).toEqual({ type, path: 'src/cli.js' });
    expect(at('src/cli.js')).toEqual({ type, path: 'src/cli.js' });
    for (const path of ['/etc/hosts', '/home/user/todo-2/cli.js', '/home/user']) {
      expect(at(path)).toEqual({ type, path });
    }
  }
});

test('what a tool is given may be a path, the whole repository too', () => {
  expect(given('/home/user/todo/src')).toMatchObject({ detail: 'src' });
  expect(given('/home/user/todo')).toMatchObject({ detail: '.' });
  expect(given('listTodos')).toMatchObject({ detail: 'listTodos' });
});

test('commands and texts stay what the agent said', () => {
  const said: readonly AgentEvent[] = [
    { type: 'command', command: `cat ${root}/src/cli.js`, exitCode: null },
    { type: 'thinking', content: `${root}/src/cli.js` },
    { type: 'message', content: `${root}/src/cli.js`, partial: false },
  ];
  expect(said.map(told)).toEqual(said);
});

describe('who is to blame for a change of the work tree', () => {
  test('only the agent whose own events name the file', async () => {
    await using repo = await tempRepository();
    await repo.commit('start', { 'README.md': 'a' });
    const watch = treeWatch(await repo.open());
    const end = await watch.begin(signal);
    await repo.write({ 'README.md': 'saved by the user', 'by-agent.txt': 'x' });
    expect(await end([`${repo.root}/by-agent.txt`])).toEqual({
      written: ['by-agent.txt'],
      others: ['README.md'],
    });
  });

  test('nobody, where a lone agent says nothing of it; it is told once', async () => {
    await using repo = await tempRepository();
    await repo.commit('start', { 'README.md': 'a' });
    const watch = treeWatch(await repo.open());
    const ends = [await watch.begin(signal), await watch.begin(signal)] as const;
    await repo.write({ 'README.md': 'saved by the user' });
    expect(await ends[0]([])).toEqual({ written: [], others: ['README.md'] });
    expect(await ends[1]([])).toEqual({ written: [], others: [] });
  });

  test('nobody, for the branches of an execution', async () => {
    await using repo = await tempRepository();
    await repo.commit('start', { 'README.md': 'a' });
    const watch = treeWatch(await repo.open());
    const end = await watch.begin(signal);
    repo.git('branch', 'conclave/S/TASK-001');
    expect(await end([])).toEqual({ written: [], others: [] });
    repo.git('pack-refs', '--all');
    expect(await (await watch.begin(signal))([])).toEqual({ written: [], others: [] });
  });

  test('nobody, for a file that changed before it began, although an earlier call never ended', async () => {
    await using repo = await tempRepository();
    await repo.commit('start', { 'README.md': 'a' });
    const watch = treeWatch(await repo.open());
    await watch.begin(signal);
    await repo.write({ 'README.md': 'saved by the user' });
    const end = await watch.begin(signal);
    expect(await end(['README.md'])).toEqual({ written: [], others: [] });
  });
});
