// Names folders to the tools that are no project: a person lets a host have them, or nobody does.
import { existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { connect, eras, type HostOptions, hostRig } from '../helpers/mcp-host.ts';
import type { Rig } from '../helpers/rig.ts';
import { short } from '../helpers/short-form.ts';

const session = 'MCP-none-2026-01-01';

/** Every tool that takes a folder, as a host that nobody watches would call it. */
const calls = [
  ['plan_start', { task: 'Read all keys' }],
  ['critique_plan', { plan: '# Plan\n\n1. Change `key`.\n' }],
  ['group_think', { topic: 'The keys', models: ['alpha', 'beta'] }],
  ['work_with', { agent: 'alpha', task: 'Read all keys' }],
  ['consult_with', { model: 'alpha', question: 'What is the key?' }],
  ['count_project_tokens', { paths: ['.'] }],
  ['plan_decide', { session, solution: 1 }],
  ['plan_review', { session, comments: ['No.'] }],
  ['plan_execute', { session }],
  ['plan_options', { session }],
  ['plan_get', { session }],
  ['list_sessions', {}],
  ['describe_session', { session }],
  ['search_project_history', { query: 'key' }],
] as const;

/** Folders of a user that are no project, whatever a host or an earlier call put into them. */
async function foldersHost(options: HostOptions = {}) {
  const rig = await hostRig('[mcp]\nmay = ["write", "decide", "execute"]\n');
  const base = dirname(rig.repo);
  const keys = join(rig.home, '.ssh');
  const hidden = join(rig.home, '.config/tool');
  const plain = join(rig.home, 'Documents');
  const planned = join(rig.home, 'planned');
  for (const path of [keys, join(hidden, '.git'), plain, join(planned, '.workflow')]) {
    mkdirSync(path, { recursive: true });
  }
  for (const path of [keys, hidden, plain, planned]) writeFileSync(join(path, 'key'), 'a-key\n');
  symlinkSync(keys, join(rig.repo, 'link'));
  const folders = [keys, hidden, plain, planned, rig.home, base, '/etc', '/'];
  return { rig, keys, plain, folders, ...(await connect(rig, options)) };
}

const jobsOf = (rig: Rig) => join(rig.home, 'data/conclave/jobs');

test.each(eras)(
  'no tool works in a folder that is no project where nobody can be asked, in the protocol era %s',
  async (era) => {
    const { call, folders, rig, keys, plain } = await foldersHost({ era });
    const link = join(rig.repo, 'link');
    for (const folder of [...folders, link]) {
      for (const [tool, input] of calls) {
        const { isError, text } = await call(tool, { ...input, folder });
        expect({ tool, folder, isError, text }).toMatchObject({ isError: true });
        const real = folder === link ? keys : folder;
        expect(text).toContain(`work in ${realpathSync(real)}, and read all of it`);
        expect(text).toContain('This host cannot ask a person.');
      }
    }
    for (const folder of [keys, plain, rig.home]) {
      expect(existsSync(join(folder, '.workflow'))).toBe(false);
    }
    expect(existsSync(jobsOf(rig))).toBe(false);
  },
);

test.each(eras)(
  'a person sees the real path of a folder, and is asked for it once, in the protocol era %s',
  async (era) => {
    const { call, questions, keys, rig } = await foldersHost({ era, person: 'agrees' });
    const folder = join(rig.repo, 'link');
    const asked = { model: 'alpha', question: 'What is it?', folder, context: ['key'] };
    expect((await call('consult_with', { ...asked, wait_s: 60 })).facts).toMatchObject({
      state: 'done',
    });
    expect(questions).toHaveLength(1);
    expect(questions[0]).toContain(`May this host and the agents that it starts work in ${keys}`);
    expect((await call('list_sessions', { folder: keys })).isError).toBe(false);
    expect(questions).toHaveLength(1);
    expect((await call('list_sessions', { folder: rig.home })).isError).toBe(false);
    expect(questions).toHaveLength(2);
  },
);

test('a folder stays closed where the person declines', short, async () => {
  const { call, questions, plain } = await foldersHost({ person: 'declines' });
  for (const times of [1, 2]) {
    const { isError, text } = await call('plan_start', { task: 'Read all', folder: plain });
    expect({ isError, text }).toMatchObject({ isError: true });
    expect(text).toContain('The person did not agree.');
    expect(questions).toHaveLength(times);
  }
  expect(existsSync(join(plain, '.workflow'))).toBe(false);
});

test('nobody is asked for the folder that the server was started in, nor for a repository', async () => {
  const rig = await hostRig();
  const notes = join(rig.home, 'notes');
  const tree = join(rig.home, '.tool/trees/one');
  mkdirSync(join(notes, 'sub'), { recursive: true });
  mkdirSync(join(tree, '.git'), { recursive: true });
  writeFileSync(join(notes, 'note.txt'), 'a note\n');
  for (const [cwd, folders] of [
    [notes, [notes, join(notes, 'sub'), rig.repo, join(rig.repo, 'src')]],
    [tree, [tree, rig.repo]],
  ] as const) {
    const { call } = await connect(rig, { cwd });
    for (const folder of folders) {
      const { isError, text } = await call('list_sessions', { folder });
      expect({ folder, isError, text }).toMatchObject({ isError: false });
    }
    const outside = await call('list_sessions', { folder: rig.home });
    expect(outside.text).toContain('This host cannot ask a person.');
  }
  const { call } = await connect(rig, { cwd: notes });
  const asked = { model: 'alpha', question: 'What is it?', folder: notes, context: ['note.txt'] };
  expect((await call('consult_with', { ...asked, wait_s: 60 })).facts).toMatchObject({
    state: 'done',
  });
});
