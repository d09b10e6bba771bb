import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fixture } from '../../helpers/rig.ts';
import { expectScreen } from '../../helpers/screens.ts';
import { inTerminal } from '../../helpers/terminal.ts';
import { todoRig } from '../../helpers/test-rig.ts';
import {
  type VendorScript,
  configureVendors,
  formatterSolution,
  listSolution,
  stances,
  witnessed,
} from '../../helpers/vendors.ts';

const task = 'Add a --json flag to listTodos';
const forever = 600_000;

const events = [
  { kind: 'thinking', text: 'The list command is given arguments and does not use them.' },
  { kind: 'file-read', path: 'src/commands/list.js' },
  {
    kind: 'file-change',
    path: 'src/commands/list.js',
    change: 'change',
    diff: '@@ -4,3 +4,4 @@\n   const todos = read();\n-  print(todos);\n+  if (json) printJson(todos);\n+  else print(todos);\n }',
  },
  {
    kind: 'command',
    command: 'npm test',
    exit_code: 1,
    output: Array.from({ length: 60 }, (_, n) => `ok ${n} - a test`).join('\n'),
  },
  { kind: 'usage', tokens: { input: 12_000, output: 800, cached: 0 }, cost_usd: 0.25 },
  { kind: 'message', text: 'I would read the ', partial: true },
  { kind: 'message', text: 'flag in listTodos.\n', partial: true },
];

function proposing(more: Readonly<Record<string, unknown>> = {}): VendorScript {
  const solutions = [listSolution(), formatterSolution()];
  return { propose: { events, answer: { solutions, questions: [] }, ...more } };
}

test('what agents do is seen while they do it', async () => {
  const rig = await todoRig();
  const busy = proposing({ delay_ms: forever });
  configureVendors(rig, { alpha: busy, beta: busy, gamma: busy });
  const terminal = inTerminal(rig, ['plan', task], { columns: 120, rows: 40 });
  await terminal.shows('I would read the flag in listTodos.');
  await terminal.shows('3 runs · 38k tokens · $0.75');
  const screen = await terminal.shows(/(?:writing its answer[^]*){3}/);
  await expectScreen(screen, 'run-120x40');
  terminal.press('enter');
  await expectScreen(await terminal.shows('enter all agents'), 'run-zoomed-120x40');
});

test('one agent is zoomed, scrolled, followed again, and left', async () => {
  const rig = await todoRig();
  const lines = Array.from({ length: 80 }, (_, n) => `line ${n} of it`).join('\n');
  const talking = proposing({
    events: [{ kind: 'thinking', text: lines }],
    delay_ms: forever,
  });
  configureVendors(rig, { alpha: proposing({ delay_ms: forever }), beta: talking });
  const terminal = inTerminal(rig, ['plan', task]);
  await terminal.shows('line 79 of it');
  terminal.press('tab');
  await terminal.shows('▸● beta');
  terminal.press('enter');
  await terminal.shows(/beta[^]*line 64 of it[^]*line 79 of it/);
  terminal.press('home');
  await terminal.shows(/search propose-1\nline 0 of it/);
  terminal.press('pagedown');
  await terminal.shows('line 28 of it');
  terminal.press('end');
  await terminal.shows('line 79 of it');
  terminal.press('esc');
  expect(await terminal.shows('● alpha')).toContain('● beta');
});

test('a failure, its replacement and the reason are shown at once', async () => {
  const rig = await todoRig();
  const broken: VendorScript = { propose: { stderr: 'Error: Not logged in.', exit: 1 } };
  const busy = proposing({ delay_ms: forever });
  configureVendors(rig, { alpha: broken, beta: busy, gamma: busy, delta: busy });
  const three = '["alpha","beta","gamma"]';
  rig.config(rig.configured().replace(/^tools = .*$/m, `tools = ${three}`));
  const terminal = inTerminal(rig, ['plan', task], { columns: 120, rows: 40 });
  await terminal.shows('! delta replaces alpha');
  await terminal.shows(/✗ alpha failed after .* \(not-logged-in\)/);
  await terminal.shows(/delta +delta-model +for alpha/);
  terminal.press('n');
  expect(await terminal.shows('What has happened')).toMatch(/round 1\n[^]* ✗ alpha failed/);
});

test('a wait is counted down, with its reason', async () => {
  const rig = await todoRig();
  rig.config(`[workflow]
tools = ["limited", "other"]
fallback_chain = []
[agents.limited]
path = ${JSON.stringify(process.execPath)}
args = ${JSON.stringify([fixture('rate-limited'), '20'])}
[agents.other]
path = ${JSON.stringify(process.execPath)}
args = ${JSON.stringify([fixture('hang-after-first-line')])}
`);
  const terminal = inTerminal(rig, ['plan', task]);
  const screen = await terminal.shows(/waiting \d+ s: .*429/);
  const [, seconds] = /waiting (\d+) s/.exec(screen) ?? [];
  // On a busy machine a second may pass between two screens.
  const fewer = Array.from({ length: Number(seconds) }).keys();
  const later = await terminal.shows(new RegExp(`waiting (?:${[...fewer].join('|')}) s`));
  expect(later).toContain('limited tries again in');
  terminal.press('s');
  await terminal.shows('s again to skip limited');
  terminal.press('s');
  await terminal.shows('✗ limited failed after 0.0 s (cancelled)');
});

test('an agent that is skipped gives its seat away, and a resume does not ask it again', async () => {
  const rig = await todoRig();
  const busy = proposing({ delay_ms: forever });
  configureVendors(rig, { alpha: busy, beta: busy, gamma: proposing() });
  rig.config(rig.configured().replace(/^tools = .*$/m, 'tools = ["alpha", "beta"]'));
  const terminal = inTerminal(rig, ['plan', task]);
  await terminal.shows(/(?:writing its answer[^]*){2}/);
  terminal.press('s');
  await terminal.shows('s again to skip alpha');
  terminal.press('s');
  await terminal.shows('! gamma replaces alpha');
  await terminal.shows(/✓ gamma/);
  terminal.press('ctrl+c', 'enter');
  await terminal.shows('conclave resume');
  terminal.press('enter');
  expect(await terminal.ended()).toBe(130);
  const again = inTerminal(rig, ['resume']);
  await again.shows('interrupted');
  again.press('enter');
  await again.shows(/● beta[^]*writing its answer/);
  const starts = (name: string) =>
    witnessed(rig, name).filter((line) => line.startsWith('start propose-1 '));
  expect([starts('alpha').length, starts('beta').length, starts('gamma').length]).toEqual([
    1, 2, 1,
  ]);
});

test('the options say whom a person skipped, and how many answered', async () => {
  const rig = await todoRig();
  const quick = { ...proposing(), examine: { answer: stances({ A: 'support' }) } };
  configureVendors(rig, { alpha: quick, beta: proposing({ delay_ms: forever }), gamma: quick });
  const terminal = inTerminal(rig, ['plan', task], { columns: 120, rows: 30 });
  await terminal.shows(/✓ alpha[^]*✓ gamma|answered[^]*writing its answer[^]*answered/);
  terminal.press('s');
  await terminal.shows('s again to skip beta');
  terminal.press('s');
  expect(await terminal.shows('enter choose')).toContain('2 of 3 answered; you skipped beta');
  terminal.press('a');
  expect(await terminal.shows('Did not answer')).toContain('2 of 3 answered; you skipped beta');
});

test('what an agent reads is told from the root of the repository, its commands as they are', async () => {
  const rig = await todoRig();
  const inside = (path: string) => join(realpathSync(rig.repo), path);
  const reads = [
    { kind: 'command', command: `cat ${inside('src/store.js')}`, exit_code: 0 },
    { kind: 'tool-call', name: 'Grep', detail: inside('test') },
    { kind: 'file-read', path: '/etc/hosts' },
    { kind: 'file-read', path: inside('src/cli.js') },
  ];
  const answer = { solutions: [listSolution()], questions: [] };
  configureVendors(rig, { alpha: { propose: { events: reads, delay_ms: forever, answer } } });
  const terminal = inTerminal(rig, ['plan', task], { columns: 200, rows: 24 });
  const screen = await terminal.shows('› read src/cli.js');
  expect(screen).toContain('   reading src/cli.js\n');
  expect(screen).toContain('› Grep test\n› read /etc/hosts\n');
  expect(screen).toContain(`$ cat ${inside('src/store.js')}\n`);
});
