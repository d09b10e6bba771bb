import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { short } from '../helpers/short-form.ts';
import { askJson, sentTo, talkRig } from '../helpers/talk-rig.ts';
import { preparedRig } from '../helpers/test-rig.ts';
import { todoProject } from '../helpers/todo-project.ts';

const filesOf = (folder: string) =>
  existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];

const plan = ['plan', '-y', '--tools', 'local', 'Print the todos as JSON in src/commands/list.js'];

const plannedTodo = () =>
  preparedRig('planned-talk', async (rig) => {
    await todoProject(rig);
    expect(await rig.conclave(...plan)).toMatchObject({ code: 0 });
  });

async function plannedTalk() {
  const rig = await talkRig('', plannedTodo);
  const planned = rig.session().split('/').at(-1) ?? '';
  await askJson(rig, 'work', '--session', 'mine', '--agent', 'claude', 'say avocado');
  return { rig, planned };
}

test('sessions list and show tell of conversations beside the planning sessions', async () => {
  const { rig, planned } = await plannedTalk();
  const { stdout } = await rig.conclave('sessions');
  expect(stdout).toMatch(/^mine +1 turn +.* +- +say avocado$/m);
  expect(stdout).toMatch(/Print the todos as JSON in src.commands.list.js$/m);
  const list = JSON.parse((await rig.conclave('sessions', '--json')).stdout);
  expect(list).toMatchObject([{ id: planned }, { id: 'mine', conversation: { turns: 1 } }]);
  const shown = await rig.conclave('sessions', 'show', 'mine');
  expect(shown.stdout).toContain(
    'you, turn 1, work:\n  say avocado\nclaude (claude-test):\n  avocado\n',
  );
  const json = JSON.parse((await rig.conclave('sessions', 'show', 'mine', '--json')).stdout);
  expect(json.turns).toMatchObject([{ number: 1, question: 'say avocado', answer: 'avocado' }]);
});

test('sessions export writes a conversation as Markdown or JSON, and not as issues', async () => {
  const { rig } = await plannedTalk();
  await askJson(rig, 'work', '--session', 'mine', '--agent', 'claude', 'write new.txt x');
  const written = await rig.conclave('sessions', 'export', 'mine');
  expect(written).toEqual({
    code: 0,
    stderr: '',
    stdout: `# Conversation mine

## **you**, turn 1, work

say avocado

## **claude (claude-test)**

avocado

## **you**, turn 2, work

write new.txt x

## **claude (claude-test)**

Done: write new.txt x

- Changed: new.txt
`,
  });
  const { stdout } = await rig.conclave('sessions', 'export', 'mine', '--format', 'json');
  expect(JSON.parse(stdout)).toMatchObject({
    session_id: 'mine',
    turns: [
      { number: 1, answer: 'avocado' },
      { number: 2, files_changed: ['new.txt'] },
    ],
  });
  const issues = await rig.conclave('sessions', 'export', 'mine', '--format', 'github-issues');
  expect(issues.stderr).toContain('mine is a conversation, which has no tasks; use md or json.');
  expect(issues.code).toBe(2);
});

test('sessions search finds turns and plans by words as they are spelled', short, async () => {
  const { rig, planned } = await plannedTalk();
  const search = async (...words: readonly string[]) => {
    const { code, stdout } = await rig.conclave('sessions', 'search', '--json', '--', ...words);
    return { code, hits: JSON.parse(stdout) };
  };
  const said = await search('avocado');
  expect(said.code).toBe(0);
  expect(said.hits).toMatchObject([
    { kind: 'conversation', session_id: 'mine', turn: 1 },
    { kind: 'conversation', session_id: 'mine', turn: 1 },
  ]);
  expect((await search('todos', 'JSON')).hits).toMatchObject([
    { kind: 'plan', session_id: planned, turn: null },
  ]);
  expect(await search('avocado OR todos')).toEqual({ code: 0, hits: [] });
  expect((await search('NEAR(', 'a"b', '*')).code).toBe(0);
  const none = await rig.conclave('sessions', 'search', 'papaya');
  expect(none).toMatchObject({ code: 0, stderr: '' });
  expect(none.stdout).toBe('No conversation or plan here contains "papaya".\n');
  const { stdout } = await rig.conclave('sessions', 'search', 'avocado');
  expect(stdout).toMatch(/^mine +turn 1 +.*avocado$/m);
});

test('sessions rm removes a conversation with its files and the kept work trees', async () => {
  const { rig } = await plannedTalk();
  await askJson(rig, 'work', '--session', 'mine', '--agent', 'claude', 'write new.txt x');
  const files = join(rig.home, 'data/conclave/conversations');
  expect(await rig.git('for-each-ref', 'refs/conclave/undo')).toContain('/mine/2-before');
  expect(filesOf(files).filter((name) => name.includes('mine'))).not.toEqual([]);
  expect(await rig.conclave('sessions', 'rm', '-y', 'mine')).toMatchObject({
    code: 0,
    stdout: 'Removed mine.\n',
  });
  expect(await rig.git('for-each-ref', 'refs/conclave/undo')).toBe('');
  expect(filesOf(files).filter((name) => name.includes('mine'))).toEqual([]);
  expect((await rig.conclave('sessions', 'search', 'avocado')).code).toBe(0);
  expect((await rig.conclave('sessions', 'show', 'mine')).code).toBe(2);
});

test(
  'work on a planning session begins with its decision, plan and tasks, also for the next agent',
  short,
  async () => {
    const { rig, planned } = await plannedTalk();
    const work = (agent: string, text: string) =>
      askJson(rig, 'work', '--session', planned, '--agent', agent, text);
    expect(await work('beta', 'begin')).toMatchObject({ turn: 1, context_source: 'history' });
    await work('claude', 'say done');
    await work('claude', 'say more');
    const [first = '', second = ''] = sentTo(rig, 'claude').at(-1) ?? [];
    expect(first).toContain(`The planning session ${planned} came before this conversation.`);
    expect(first).toContain('# Task\n\nPrint the todos as JSON');
    expect(first).toContain('# Decision');
    expect(first).toContain('TASK-001');
    expect(first).toContain('## Turn 1: the user\nbegin');
    expect(second).toBe('say more');
    const { stdout } = await rig.conclave('sessions', 'show', planned);
    expect(stdout).toContain('you, turn 2, work:\n  say done');
  },
);
