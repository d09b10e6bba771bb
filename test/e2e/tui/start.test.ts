import { createServer } from 'node:http';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { adapters } from '../../../src/agents/cli/list.ts';
import { SessionState } from '../../../src/model/session.ts';
import type { Rig } from '../../helpers/rig.ts';
import { savedRig } from '../../helpers/saved-sessions.ts';
import { expectScreen } from '../../helpers/screens.ts';
import { inTerminal, walk } from '../../helpers/terminal.ts';
import { todoRig } from '../../helpers/test-rig.ts';
import { todoTask } from '../../helpers/todo-project.ts';
import { configureVendors, listSolution } from '../../helpers/vendors.ts';

const question = 'What do you want done?';

/** Two vendors that can be seen, and none of the CLIs that this machine may have. */
async function vendorRig(): Promise<Rig> {
  const rig = await todoRig();
  const propose = { answer: { solutions: [listSolution()], questions: [] } };
  configureVendors(rig, { alpha: { propose }, beta: { propose } });
  const off = adapters.map(({ name }) => `[agents.${name}]\nenabled = false\n`);
  rig.config(`${rig.configured()}\n${off.join('\n')}`);
  return rig;
}

const recorded = (rig: Rig) => join(rig.repo, '.workflow');

test('the start screen shows the field and who is asked in the first round', async () => {
  const terminal = inTerminal(await vendorRig(), []);
  await expectScreen(await terminal.shows('First round: alpha and beta'), 'start-80x24');
});

test('a terminal in which CI is set shows its screens, too', async () => {
  const rig = await vendorRig();
  rig.environment['CI'] = 'true';
  expect(await inTerminal(rig, []).shows(question)).toContain(question);
});

test('a local model that answers here is offered, and not asked', async () => {
  const rig = await vendorRig();
  const server = createServer((_, response) => {
    response.end(JSON.stringify({ data: [{ id: 'qwen3' }] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  rig.environment['OLLAMA_HOST'] = `127.0.0.1:${port}`;
  try {
    const { stdout } = await rig.conclave('agents', '--json');
    expect(JSON.parse(stdout)).toContainEqual(
      expect.objectContaining({
        name: 'ollama',
        state: 'offered',
        part: 'not used',
        address: `http://127.0.0.1:${port}/v1`,
        model: 'qwen3',
        remedy: expect.stringContaining('\n[agents.ollama]\nprovider = "compatible"\n'),
      }),
    );
    const terminal = inTerminal(rig, []);
    await terminal.shows('First round: alpha and beta');
    await terminal.shows('Local models: ollama');
  } finally {
    server.close();
  }
});

test('where no file matches the task, it is asked for again with the text kept', async () => {
  const rig = await todoRig();
  const terminal = inTerminal(rig, ['--tools', 'local']);
  await terminal.shows(question);
  terminal.type('make it faster');
  await terminal.shows('│ make it faster');
  terminal.press('enter');
  await terminal.shows(/no\s+model\s+takes\s+part\.\s+Name\s+one\s+with\s+@, or/);
  expect(terminal.screen()).toContain('│ make it faster');
  terminal.type(' in src/store.js');
  await terminal.shows('│ make it faster in src/store.js');
  terminal.press('enter');
  await terminal.shows('Draft: change store.js');
  terminal.press('ctrl+c', 'enter');
  await terminal.shows('conclave resume');
  terminal.press('enter');
  expect(await terminal.ended()).toBe(130);
});

test('where git refuses the repository, the task is kept and it is said what to do', async () => {
  const rig = await todoRig();
  rig.environment['GIT_TEST_ASSUME_DIFFERENT_OWNER'] = '1';
  const terminal = inTerminal(rig, ['--tools', 'local']);
  await terminal.shows(question);
  terminal.type('Add a --json flag');
  await terminal.shows('│ Add a --json flag');
  terminal.press('enter');
  await terminal.shows('safe.directory');
  expect(terminal.screen()).toContain('│ Add a --json flag');
  await walk(terminal, ['esc', 'Press it again']);
  terminal.press('esc');
  expect(await terminal.ended()).toBe(2);
  expect(terminal.screen().replaceAll('\n', '')).toContain('--add safe.directory');
});

test('a task of the command line that no file matches is asked for again, and leaving says so', async () => {
  const terminal = inTerminal(await todoRig(), ['--tools', 'local', 'make it faster']);
  await terminal.shows('│ make it faster');
  await walk(terminal, ['esc', 'Press it again']);
  terminal.press('esc');
  expect(await terminal.ended()).toBe(3);
  expect(terminal.screen()).toContain('conclave: Your task names no file or function');
});

test.each([['esc'], ['ctrl+c']])('a text that was written is not lost by one %s', async (key) => {
  const rig = await todoRig();
  const terminal = inTerminal(rig, []);
  await terminal.shows(question);
  terminal.type('Add a flag');
  await terminal.shows('│ Add a flag');
  terminal.press(key);
  await terminal.shows('Press it again to leave');
  expect(terminal.screen()).toContain('│ Add a flag');
  terminal.press(key);
  expect(await terminal.ended()).toBe(0);
  expect(terminal.bytes()).toContain('\u001b[?1049l');
  expect(existsSync(recorded(rig))).toBe(false);
});

test('words typed by habit act, and start nothing', async () => {
  const rig = await todoRig();
  const terminal = inTerminal(rig, []);
  const enter = (word: string) => {
    terminal.type(word);
    terminal.press('enter');
  };
  await terminal.shows(question);
  enter('/help');
  await terminal.shows('esc closes this help');
  terminal.press('esc');
  await terminal.shows('e.g. Add rate limiting');
  enter('/sessions');
  await terminal.shows('There are no saved sessions here.');
  terminal.press('esc');
  await terminal.shows('e.g. Add rate limiting');
  enter('exit');
  expect(await terminal.ended()).toBe(0);
  expect(existsSync(recorded(rig))).toBe(false);
});

test('the field is there although the settings cannot be read, and then it is said why', async () => {
  const rig = await todoRig();
  rig.config('[workflow]\nmax_rounds = "many"\n');
  const terminal = inTerminal(rig, []);
  expect(await terminal.ended()).toBe(2);
  expect(terminal.bytes()).toContain(question);
  expect(terminal.bytes()).toContain('max_rounds');
});

test('a pasted task of several lines starts with Enter, and is recorded as it was', async () => {
  const rig = await vendorRig();
  const terminal = inTerminal(rig, []);
  await terminal.shows(question);
  terminal.type('Add a --json flag\r\n\r\n\u001b[31m- to list\n- with tests');
  await terminal.shows('│ - with tests');
  terminal.press('enter');
  await terminal.shows(/conclave {2}Add a --json flag - to list/);
  await terminal.shows('enter choose');
  expect(rig.json('session-state.json')).toMatchObject({
    task_description: 'Add a --json flag\n\n- to list\n- with tests',
  });
});

test('@ adds a file of the repository', async () => {
  const rig = await todoRig();
  rig.write('docs/untracked list.md', 'x\n');
  const terminal = inTerminal(rig, []);
  await terminal.shows(question);
  terminal.type('Change @list');
  await expectScreen(await terminal.shows('▸ test/list.test.js'), 'start-files-80x24');
  terminal.press('down', 'tab');
  await terminal.shows('│ Change src/commands/list.js');
  terminal.type('and @nowhere');
  await terminal.shows('No file matches.');
  terminal.press('esc');
  expect(await terminal.shows('enter start')).toContain(
    '│ Change src/commands/list.js and @nowhere',
  );
});

test('before a text is typed ? shows the keys, and in a text it is a letter', async () => {
  const terminal = inTerminal(await todoRig(), []);
  await terminal.shows(question);
  terminal.press('?');
  const help = await terminal.shows('closes this help');
  expect(help).toMatch(/alt\+enter ctrl\+j +new line\n/);
  expect(help).toMatch(/ctrl\+c +leave\n +\? +all keys\n/);
  expect(help).not.toContain('stop');
  terminal.press('esc');
  await terminal.shows('? all keys');
  terminal.type('why?');
  expect(await terminal.shows('│ why?')).not.toContain('? all keys');
});

test('a paste that is too long is not taken, and it is said why', async () => {
  const terminal = inTerminal(await todoRig(), []);
  await terminal.shows(question);
  terminal.type('short');
  terminal.type('long line\n'.repeat(30_000));
  await terminal.shows('Not taken: the text would be 293 KB long, and 256 KB is the most.');
  expect(terminal.screen()).toContain('│ short');
});

test('who is asked and by which model is chosen for the session that starts', async () => {
  const rig = await vendorRig();
  const terminal = inTerminal(rig, []);
  await terminal.shows('First round: alpha and beta');
  terminal.type('Add a --json flag');
  await terminal.shows('tab agents');
  await walk(terminal, ['tab', 'space ask or not'], ['up', '▸ ✓ history']);
  await walk(terminal, ['up', '▸ ✓ structure'], ['up', '▸ ✓ beta'], ['up', '▸ ✓ alpha']);
  terminal.type(' ');
  await terminal.shows('First round: beta');
  terminal.type(' ');
  await terminal.shows('First round: beta and alpha');
  terminal.type('m');
  await terminal.shows('Model for alpha:');
  terminal.type('alpha large');
  terminal.press('enter');
  await terminal.shows('That cannot be the name of a model.');
  terminal.press('backspace', 'backspace', 'backspace', 'backspace', 'backspace', 'backspace');
  terminal.type('-2');
  terminal.press('enter');
  await terminal.shows(/alpha +ready +asked +1.0.0 +alpha-2/);
  await expectScreen(terminal.screen(), 'start-agents-80x24');
  await walk(terminal, ['tab', 'enter start'], ['enter', 'enter choose']);
  expect(rig.json('session-state.json')).toMatchObject({ agents: ['beta', 'alpha'] });
  const journal = readFileSync(join(rig.session(), 'journal.jsonl'), 'utf8');
  expect(journal).toContain('{"key":"agents.alpha.model","value":"alpha-2"}');
});

test('what earlier sessions used is said before the first round, by their median', async () => {
  const rig = await savedRig(['Add a count command', 'Add a --json flag', 'Add a colour']);
  const states = globSync('.workflow/.multi-cli-plan/*/session-state.json', { cwd: rig.repo });
  for (const [index, path] of states.entries()) {
    const [spent, cost_usd] = [(index + 1) * 24_000, (index + 1) * 0.155];
    const used = { input_tokens: spent - 1000, output_tokens: 1000, cost_usd, agent_runs: 3 };
    const state = {
      ...SessionState.parse(JSON.parse(rig.read(path))),
      status: 'done',
      spent: used,
    };
    rig.write(path, JSON.stringify(state));
  }
  const forecast = 'earlier sessions here used about 48k tokens, $0.31';
  const terminal = inTerminal(rig, ['--tools', 'local']);
  await terminal.shows(forecast);
  terminal.press('esc');
  expect(await terminal.ended()).toBe(0);
  const { stdout } = await rig.conclave('plan', '--auto-yes', '--tools', 'local', todoTask);
  expect(stdout).toContain(`${forecast}\n`);
});

/** The first that is set counts, and an empty one is not set. */
test.each([
  [{ LC_ALL: 'C', LC_CTYPE: 'C.UTF-8' }, true],
  [{ LC_ALL: '', LC_CTYPE: 'uk_UA.KOI8-U', LANG: 'en_US.UTF-8' }, true],
  [{ LANG: 'de_DE.ISO-8859-1@euro' }, true],
  [{ LC_ALL: 'en_US.utf8', LANG: 'C' }, false],
  [{ LC_CTYPE: 'C.UTF-8', LANG: 'POSIX' }, false],
  [{ LANG: '' }, false],
])('with %j, screens and lines are drawn as the charset allows', async (environment, isAscii) => {
  const rig = await vendorRig();
  const screen = await inTerminal(rig, [], { environment }).shows(question);
  const lines = await inTerminal(rig, [], {
    environment: { ...environment, CONCLAVE_SCREEN_READER: '1' },
  }).shows('Task');
  const help = inTerminal(rig, ['help', 'critique'], { environment, rows: 200 });
  await help.ended();
  // oxlint-disable-next-line no-control-regex
  const [odd, box] = [/[^\u0000-\u007f]/, /[─│]/];
  expect(box.test(screen)).toBe(!isAscii);
  expect([screen, lines, help.screen()].some((text) => odd.test(text))).toBe(!isAscii);
});
