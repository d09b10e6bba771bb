import { mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { short } from '../helpers/short-form.ts';
import { askJson, sentTo, talkRig } from '../helpers/talk-rig.ts';
import { todoRig } from '../helpers/test-rig.ts';

test('an agent goes on with its own session, which is sent only what is new', short, async () => {
  const rig = await talkRig();
  const first = await askJson(rig, 'work', '--agent', 'claude', 'say one');
  expect(first).toMatchObject({ code: 0, turn: 1, text: 'one', context_source: 'none' });
  const second = await askJson(rig, 'work', '--session', first.session, 'say two');
  expect(second).toMatchObject({ text: 'two', context_source: 'native', used_resume_flag: true });
  expect(second.resumed_from).not.toBe(null);
  expect(sentTo(rig, 'claude')).toEqual([['say one', 'say two']]);
});

test(
  'another agent is handed the turns that it does not know, each once, also after changes',
  short,
  async () => {
    const rig = await talkRig();
    const work = (agent: string, text: string) =>
      askJson(rig, 'work', '--session', 'mine', '--agent', agent, text);
    await work('claude', 'say apples');
    const handed = await work('beta', 'pears, please');
    expect(handed).toMatchObject({ text: 'beta was here', context_source: 'history', turn: 2 });
    const back = await work('claude', 'say plums');
    expect(back).toMatchObject({ context_source: 'native and history', context_injected: true });
    const [[, prompt = ''] = []] = sentTo(rig, 'claude');
    expect(prompt).toContain('## Turn 2: the user\npears, please');
    expect(prompt).toContain('## Turn 2: beta (beta-1)\nbeta was here');
    expect(prompt).not.toContain('apples');
    expect(prompt.endsWith('say plums')).toBe(true);
  },
);

test('an agent that has lost its session gets the history in a new one, and that is said', async () => {
  const rig = await talkRig();
  const work = (text: string) =>
    askJson(rig, 'work', '--session', 'mine', '--agent', 'claude', text);
  await work('say apples');
  writeFileSync(join(rig.home, 'claude.store'), '{}');
  const again = await work('say pears');
  expect(again).toMatchObject({ code: 0, text: 'pears', context_source: 'history' });
  expect(again.notes.join()).toContain('did not know its session any more');
  expect(sentTo(rig, 'claude').flat().join()).toContain('say apples');
});

test('a version that was not told in time is not another one', short, async () => {
  const rig = await talkRig();
  const work = (text: string) =>
    askJson(rig, 'work', '--session', 'mine', '--agent', 'claude', text);
  const say = (version: string) => writeFileSync(join(rig.home, 'claude.store.version'), version);
  await work('say apples');
  say('I cannot tell');
  expect(await work('say pears')).toMatchObject({ context_source: 'native' });
  say('2.2.0');
  expect(await work('say plums')).toMatchObject({ context_source: 'history' });
});

test('a large context that a model has by its name is kept, also where an answer is put right', async () => {
  const rig = await talkRig();
  const large = 'claude-test[1m]';
  writeFileSync(join(rig.home, 'claude.store.model'), large);
  const called = () => JSON.parse(readFileSync(join(rig.home, 'claude.store.argv'), 'utf8'));
  const talk = (...words: readonly string[]) =>
    askJson(rig, ...words, '--session', 'mine', '--agent', 'claude');
  await talk('work', 'say apples');
  expect(called()).not.toContain('--model');
  await talk('work', 'say pears');
  expect(called()).toEqual(expect.arrayContaining(['--resume', '--model', large]));
  rig.write('form.json', JSON.stringify({ type: 'object', required: ['ok'] }));
  const other = ['--session', 'other', '--format', 'form.json', 'json {} | {"ok":1}'];
  expect(await askJson(rig, 'consult', '--agent', 'claude', ...other)).toMatchObject({ code: 0 });
  expect(called()).toEqual(expect.arrayContaining(['--resume', '--model', large]));
});

test('what a turn changed is listed, and --undo brings exactly that back', short, async () => {
  const rig = await talkRig();
  writeFileSync(join(rig.repo, 'notes.txt'), 'mine\n');
  const work = (text: string) =>
    askJson(rig, 'work', '--session', 'my-talk', '--agent', 'claude', text);
  const done = await work('write notes.txt changed');
  expect(done.files_changed).toEqual(['notes.txt']);
  expect(done.diff_stat).toContain('notes.txt | 2 +-');
  // The list shows a part of the id.
  const { stdout } = await rig.conclave('work', '--undo', '--session', 'talk');
  expect(stdout).toBe('Turn 1 is undone: notes.txt as before.\n');
  expect(readFileSync(join(rig.repo, 'notes.txt'), 'utf8')).toBe('mine\n');
});

test(
  '--undo names what it did not bring back: HEAD, branch, index, submodule, ignored files',
  short,
  async () => {
    const rig = await talkRig();
    const git = (...args: string[]) => rig.git(...args);
    rig.write('inner/a.txt', 'a');
    await git('-C', 'inner', 'init', '-q');
    await git('-C', 'inner', 'add', '-A');
    await git('-C', 'inner', 'commit', '-q', '-m', 'Inner');
    rig.write('.gitignore', '.env\nlogs/\n');
    rig.write('.env', 'KEY=mine');
    rig.write('logs/one.log', 'x');
    await git('add', '-A');
    await git('commit', '-q', '-m', 'Outer');
    const script =
      'echo changed > a.txt; git checkout -q -b theirs; git add a.txt; git -c user.name=x -c user.email=x@x commit -q -m theirs; echo b > inner/b.txt; git -C inner add -A; git -C inner -c user.name=x -c user.email=x@x commit -q -m b; echo KEY=theirs > .env; rm -r logs';
    await askJson(rig, 'work', '--session', 'mine', '--agent', 'claude', `run ${script}`);
    const { code, stdout } = await rig.conclave('work', '--undo', '--session', 'mine');
    expect(code).toBe(0);
    const [first, second] = stdout.split('\n');
    expect(first).toBe('Turn 1 is undone: a.txt as before.');
    expect(second).toMatch(
      /^Not brought back: inner \(a submodule\), HEAD \(it was at [0-9a-f]{12}\), the branch \(it was \w+\), the index, \.env \(git ignores it\) and logs\/ \(git ignores it\)\.$/,
    );
  },
);

test('--undo is refused where the user has changed the same file since', async () => {
  const rig = await talkRig();
  await askJson(rig, 'work', '--session', 'mine', '--agent', 'claude', 'write new.txt theirs');
  writeFileSync(join(rig.repo, 'new.txt'), 'and mine');
  const { code, stderr } = await rig.conclave('work', '--undo', '--session', 'mine');
  expect(code).toBe(2);
  expect(stderr).toContain('Nothing was brought back: new.txt changed since that turn.');
  expect(readFileSync(join(rig.repo, 'new.txt'), 'utf8')).toBe('and mine');
});

test('a failed turn ends with 3, keeps its question, and is handed on marked as failed', async () => {
  const rig = await talkRig();
  const work = (text: string) =>
    askJson(rig, 'work', '--session', 'mine', '--agent', 'claude', text);
  const failed = await work('fail');
  expect(failed).toMatchObject({ code: 3, failure: { category: expect.any(String) } });
  expect(await work('say better')).toMatchObject({ code: 0, context_source: 'history' });
  expect(sentTo(rig, 'claude').at(-1)?.join()).toContain('which failed before it was complete');
});

test('after a failed turn, a person reads how another agent is asked', short, async () => {
  const rig = await talkRig();
  const { code, stderr } = await rig.conclave('work', '--agent', 'claude', 'fail');
  expect(code).toBe(3);
  expect(stderr).toMatch(/To ask another agent: conclave work --agent NAME --session talk-\S+ "…"/);
});

test('turns of one conversation that are asked at once run one after the other', async () => {
  const rig = await talkRig();
  const all = [1, 2, 3, 4].map((n) =>
    askJson(rig, 'work', '--session', 'mine', '--agent', 'claude', `say number-${n}`),
  );
  const ends = await Promise.all(all);
  expect(new Set(ends.map(({ turn }) => turn))).toEqual(new Set([1, 2, 3, 4]));
  expect(sentTo(rig, 'claude')).toHaveLength(1);
});

test('an id of ours that this project does not know is refused, with the likely one, at both doors', async () => {
  const rig = await talkRig();
  const { session } = await askJson(rig, 'consult', '--agent', 'claude', 'say apples');
  const wrong = `${String(session).slice(0, -1)}_`;
  for (const command of ['work', 'consult']) {
    const asked = [command, '--agent', 'claude', '--session', wrong, 'say pears'];
    const { code, stderr } = await rig.conclave(...asked);
    expect(stderr).toContain(
      `There is no session ${wrong} in this project. Did you mean ${session}?`,
    );
    expect(stderr).toContain('To begin a new conversation, name no session.');
    expect(code).toBe(2);
  }
  const planned = await rig.conclave('work', '--session', 'MCP-todo-2026-01-01-abcd', 'say pears');
  expect(planned.stderr).toContain('There is no session MCP-todo-2026-01-01-abcd in this project.');
  expect(sentTo(rig, 'claude')).toEqual([['say apples']]);
});

test('an id of ours that is of another project is refused with its folder', async () => {
  const rig = await talkRig();
  const { session } = await askJson(rig, 'consult', '--agent', 'claude', 'say apples');
  const other = join(rig.home, 'other');
  mkdirSync(other);
  const asked = ['consult', '-C', other, '--agent', 'claude', '--session', session, 'say pears'];
  const { code, stderr } = await rig.conclave(...asked);
  expect(stderr).toContain(
    `Session ${session} is a conversation of ${realpathSync(rig.repo)}; go on with it there.`,
  );
  expect(code).toBe(2);
});

test('any other id begins a conversation of that name in each project, and that is said', async () => {
  const rig = await talkRig();
  const other = join(rig.home, 'other');
  mkdirSync(other);
  const ask = (...words: readonly string[]) =>
    askJson(rig, 'consult', '--agent', 'claude', '--session', 'auth-789', ...words);
  const said = 'new conversation: nothing was said in "auth-789" before';
  expect(await ask('say one')).toMatchObject({ session: 'auth-789', turn: 1, notes: [said] });
  expect(await ask('say two')).toMatchObject({ turn: 2, notes: [] });
  expect(await ask('-C', other, 'say three')).toMatchObject({ turn: 1, notes: [said] });
  const { stderr } = await rig.conclave('work', '--session', 'new', '--agent', 'claude', 'say x');
  expect(stderr).toContain('Note: new conversation: nothing was said in "new" before.');
});

test('work without a name asks whoever is ready, but nobody else than an agent that the user chose', async () => {
  const rig = await talkRig();
  rig.config(rig.configured().replace(JSON.stringify(process.execPath), '"no-such-claude"'));
  const ready = await rig.conclave('work', 'say one');
  expect(ready).toMatchObject({ code: 0, stdout: 'beta was here\n' });
  expect(ready.stderr).toContain('Note: claude is not ready, so beta is asked.');
  rig.config(`[agent]\ncli = "claude"\n${rig.configured()}`);
  const chosen = await rig.conclave('work', 'say one');
  expect(chosen).toMatchObject({ code: 3, stdout: '' });
  expect(chosen.stderr).toContain('claude failed: ');
});

test(
  'consult reads only what it is given, with secrets taken out, in an empty folder',
  short,
  async () => {
    const rig = await talkRig();
    const key = `ghp_${'a1B2'.repeat(9)}`;
    writeFileSync(join(rig.repo, 'keys.txt'), `token ${key}\n`);
    const asked = ['consult', '--agent', 'claude', '--context', 'keys.txt', 'say fine'];
    const end = await askJson(rig, ...asked);
    expect(end).toMatchObject({ code: 0, tool: 'consult', text: 'fine', files_changed: [] });
    const [[prompt = ''] = []] = sentTo(rig, 'claude');
    expect(prompt).toContain('data: the file keys.txt');
    expect(prompt).not.toContain(key);
  },
);

test('a person reads the answer on stdout, and who gave it on stderr', short, async () => {
  const rig = await talkRig();
  const { stdout, stderr } = await rig.conclave('consult', '--agent', 'claude', 'say yes');
  expect(stdout).toBe('yes\n');
  expect(stderr).toMatch(/claude \(claude-test\) answered in .*, 12 tokens\./);
  expect(stderr).toMatch(/To go on: conclave consult --agent claude --session talk-\S+ "…"/);
});

test('a role of the user wins over the built-in one; an unknown one is refused with the list', async () => {
  const rig = await talkRig();
  const { code, stderr } = await rig.conclave(
    'consult',
    '--agent',
    'claude',
    '--role',
    'poet',
    'x',
  );
  expect(code).toBe(2);
  expect(stderr).toContain(
    'There is no role "poet". Known roles: codereviewer, default and planner.',
  );
});

test.each([
  ['an unknown agent', ['consult', '--agent', 'cluade', 'x'], 'There is no agent "cluade".'],
  ['no text', ['consult', '--agent', 'claude', ' '], 'The question is empty'],
  ['an impossible id', ['work', '--session', '../x', 'x'], 'The session id "../x" is not valid'],
  [
    'a missing file',
    ['consult', '--context', 'no.txt', 'x'],
    '--context: there is no file no.txt.',
  ],
  [
    'a missing form',
    ['consult', '--format', 'no.json', 'x'],
    '--format: there is no file no.json.',
  ],
  ['a folder', ['consult', '--context', 'src', 'x'], '--context: src is a folder'],
  ['nothing to undo', ['work', '--undo', '--session', 'no'], 'There is no session "no" here;'],
])('%s is a usage error in one sentence', async (_, words, sentence) => {
  const rig = await talkRig();
  const { code, stderr } = await rig.conclave(...words);
  expect(stderr).toContain(sentence);
  expect(code).toBe(2);
});

test.each([
  '<tool_call>{"name": "read_file", "arguments": {"path": "a.js"}}</tool_call>',
  '<function_calls><invoke name="Read"><parameter name="path">a.js</parameter></invoke></function_calls>',
  '{"name": "read_file", "arguments": {"path": "a.js"}}',
])('a call of a tool that was written as text is no answer of a consultation: %s', async (text) => {
  const rig = await talkRig();
  const { code, failure } = await askJson(rig, 'consult', '--agent', 'claude', `say ${text}`);
  expect(code).not.toBe(0);
  expect(failure).toMatchObject({
    category: 'invalid-answer',
    reason: 'it wrote a tool call instead of an answer',
  });
});

test.each(['{"name": "conclave", "version": "1"}', 'Call <tool_call> first, then wait.'])(
  'an answer that only looks like a call of a tool is kept: %s',
  short,
  async (text) => {
    const rig = await talkRig();
    const said = await askJson(rig, 'consult', '--agent', 'claude', `say ${text}`);
    expect(said).toMatchObject({ code: 0, text });
  },
);

test('a program is asked for its version once, and again after an update or a failed run', async () => {
  const rig = await todoRig();
  const path = join(rig.home, 'own');
  const asked = join(rig.home, 'asked');
  const broken = join(rig.home, 'broken');
  const install = (version: string) => {
    const told = { kind: 'completed', text: 'hello' };
    rmSync(path, { force: true });
    writeFileSync(
      path,
      `#!${process.execPath}
const { appendFileSync, existsSync } = require('node:fs');
if (process.argv.includes('--version')) {
  appendFileSync(${JSON.stringify(asked)}, 'x');
  console.log('${version}');
} else if (existsSync(${JSON.stringify(broken)})) process.exitCode = 1;
else console.log('${JSON.stringify(told)}');
`,
      { mode: 0o755 },
    );
  };
  rig.config(`[agents.own]\npath = ${JSON.stringify(path)}\n`);
  const consult = async () => {
    const { code } = await askJson(rig, 'consult', '--agent', 'own', 'hello');
    return [code, readFileSync(asked, 'utf8').length];
  };
  install('1.0.0');
  expect(await consult()).toEqual([0, 1]);
  expect(await consult()).toEqual([0, 1]);
  install('1.0.1');
  expect(await consult()).toEqual([0, 2]);
  writeFileSync(broken, '');
  expect(await consult()).toEqual([3, 2]);
  rmSync(broken);
  expect(await consult()).toEqual([0, 3]);
});
