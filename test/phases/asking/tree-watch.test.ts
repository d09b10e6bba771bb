import { expect, test } from 'vitest';
import type { AgentEvent } from '../../../src/model/event.ts';
import { withRelativePaths } from '../../../src/phases/asking/tree-watch.ts';

const root = '/home/user/todo';
const told = (event: AgentEvent) => withRelativePaths(event, root);
const given = (detail: string) => told({ kind: 'tool-call', name: 'Grep', detail });

test('a path in the repository is told from its root, any other as it is', () => {
  for (const kind of ['file-read', 'file-change'] as const) {
    const at = (path: string) => told({ kind, path });
    expect(at('/home/user/todo/src/cli.js')).toEqual({ kind, path: 'src/cli.js' });
    expect(at('src/cli.js')).toEqual({ kind, path: 'src/cli.js' });
    for (const path of ['/etc/hosts', '/home/user/todo-2/cli.js', '/home/user']) {
      expect(at(path)).toEqual({ kind, path });
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
    { kind: 'command', command: `cat ${root}/src/cli.js`, exit_code: null },
    { kind: 'thinking', text: `${root}/src/cli.js` },
    { kind: 'message', text: `${root}/src/cli.js`, partial: false },
  ];
  expect(said.map(told)).toEqual(said);
});
