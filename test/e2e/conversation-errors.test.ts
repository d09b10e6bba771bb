import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Rig, fixture } from '../helpers/rig.ts';
import { short } from '../helpers/short-form.ts';
import { askJson, sentTo, talkRig } from '../helpers/talk-rig.ts';

/** The rig of conversations with one more agent, the program `args` of this Node. */
async function rigWith(args: readonly string[]) {
  const rig = await talkRig();
  rig.config(`${rig.configured()}
[agents.odd]
path = ${JSON.stringify(process.execPath)}
args = ${JSON.stringify(args)}
`);
  return rig;
}

const work = (rig: Rig, ...words: readonly string[]) =>
  askJson(rig, 'work', '--session', 'mine', ...words);

test('a turn that runs out of time is ended and gives what was said so far, with the error', async () => {
  const rig = await rigWith([fixture('vendor'), '/nowhere']);
  const script = join(rig.home, 'odd.json');
  const said = { kind: 'message', text: 'Half of it.', partial: true };
  writeFileSync(script, JSON.stringify({ else: { events: [said], delay_ms: 100_000 } }));
  rig.config(`${rig.configured().replace('/nowhere', script)}timeout = 2\n`);
  const { code, stdout, stderr } = await rig.conclave('work', '--agent', 'odd', 'x');
  expect(stdout).toBe('Half of it.\n');
  expect(stderr).toContain('odd (fake-1) failed: not finished within 2 s; what it said is above.');
  expect(code).toBe(3);
  const end = await work(rig, '--agent', 'odd', 'x');
  expect(end).toMatchObject({ state: 'failed', text: 'Half of it.' });
  expect(end.failure.category).toBe('timed-out');
  const left = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
  expect(left).not.toContain(script);
});

test(
  'a crash tells its exit code and what stands on stderr, and keeps what was said',
  short,
  async () => {
    const rig = await rigWith([fixture('crash')]);
    const end = await work(rig, '--agent', 'odd', 'x');
    expect(end).toMatchObject({ code: 3, return_code: 3, text: 'so far so good' });
    expect(end.failure).toEqual({
      category: 'crashed',
      reason: 'it ended with exit code 3: TypeError: Cannot read properties of undefined',
    });
  },
);

test('of an agent that never stops writing, 4 MB are kept, and that is said', async () => {
  const rig = await rigWith([fixture('flood'), '12', 'pieces']);
  const end = await work(rig, '--agent', 'odd', 'x');
  expect(end).toMatchObject({ code: 3, state: 'failed' });
  const whole = end.full_answer === null ? end.text : readFileSync(end.full_answer, 'utf8');
  expect(whole.length).toBeGreaterThan(4_000_000);
  expect(whole.length).toBeLessThanOrEqual(4 * 1024 * 1024);
  expect(end.notes).toContain('only the first 4 MB of its text were kept');
});

test('output that cannot be read is shown as it came, its middle cut', async () => {
  const long = `const line = 'Traceback: no JSON at all\\n';
if (!process.argv.includes('--version')) console.log('first\\n' + line.repeat(2000) + 'last');`;
  const rig = await rigWith(['-e', long]);
  const end = await work(rig, '--agent', 'odd', 'x');
  expect(end).toMatchObject({ code: 3, state: 'failed' });
  expect(end.text).toMatch(/^first\n/);
  expect(end.text).toMatch(/\[… \d+ characters are cut here …\]/);
  expect(end.text).toMatch(/\nlast$/);
  expect(end.text.length).toBeLessThan(20_100);
  expect(end.notes.join()).toContain('its output could not be read, and is shown as it came');
  expect(readFileSync(end.raw_output, 'utf8').length).toBeGreaterThan(50_000);
});

test('an agent that is not installed is named with how to install it', short, async () => {
  const rig = await talkRig();
  rig.config('');
  const { code, stderr } = await rig.conclave('work', '--agent', 'codex', 'x');
  expect(stderr).toContain(
    'codex failed: "codex" is not on PATH. Install it: npm install -g @openai/codex.\n',
  );
  expect(code).toBe(3);
});

test.each(['work', 'consult'])(
  '%s with a model that nobody knows says what to do',
  async (tool) => {
    const rig = await talkRig();
    const { code, stderr } = await rig.conclave(tool, '--model', 'frobnicate-9', 'x');
    expect(stderr).toContain(
      '--model: no agent is known for "frobnicate-9"; name its agent with --agent.',
    );
    expect(code).toBe(2);
  },
);

test('a model without a program cannot work in a folder, and what can be done instead is said', async () => {
  const rig = await talkRig();
  rig.config('[agents.judge]\nprovider = "openai"\nmodel = "gpt-test"\n');
  const { code, stderr } = await rig.conclave('work', '--agent', 'judge', 'x');
  expect(stderr).toContain(
    'judge only answers and cannot work in a folder; ask it with "conclave consult", or let another agent work.',
  );
  expect(code).toBe(2);
  const unknown = await rig.conclave('work', '--model', 'grok-4', 'x');
  expect(unknown.stderr).toContain('"grok-4" is a model that no CLI carries');
  expect(unknown.code).toBe(2);
});

test('a session that an agent does not know any more begins anew with the history', async () => {
  const rig = await talkRig();
  await work(rig, '--agent', 'claude', 'say apples');
  writeFileSync(join(rig.home, 'claude.store'), '{}');
  const again = await work(rig, '--agent', 'claude', 'say pears');
  expect(again).toMatchObject({ code: 0, resumed_from: null, context_source: 'history' });
  expect(sentTo(rig, 'claude').flat().join()).toContain('say apples');
});

test('the id of a conversation that is not there yet begins it under that id', async () => {
  const rig = await talkRig();
  const first = await work(rig, '--agent', 'claude', 'say apples');
  expect(first).toMatchObject({ code: 0, session: 'mine', turn: 1, context_source: 'none' });
  expect(await work(rig, 'say pears')).toMatchObject({ turn: 2, context_source: 'native' });
});
