import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { hostRig } from './host-rig.ts';
import { startModelServer } from './model-server/server.ts';
import { realClis } from './real-clis.ts';

const wrong = '# Plan\n\n1. Change `src/nothing/at.js:4`.';
const right = '# Plan\n\n1. Create `notes.md` by hand.';
const text = (words: string) => ({ kind: 'text', text: words }) as const;
const plan = (words: string) => text(`<proposed_plan>\n${words}\n</proposed_plan>`);
const write = (target: string, content: string) =>
  ({ kind: 'tool', tool: 'write', target, content }) as const;

async function modelServer() {
  const server = await startModelServer();
  onTestFinished(() => server.close());
  return server;
}

test('claude -p in plan mode sends a plan with a wrong place back, and ends with the second one', async () => {
  const server = await modelServer();
  const rig = hostRig('claude', server.url);
  await rig.conclave('install', 'claude', '--yes');
  server.on('MARKER', [text(wrong), text(right)]);
  const said = await rig.host('-p', 'MARKER', '--permission-mode', 'plan');
  expect(said).toContain('notes.md');
  expect(said).not.toContain('src/nothing');
  expect(server.log.at(-1)?.prompt).toContain('src/nothing/at.js:4 (line 3 of the plan)');
});

test('codex exec sends a plan with a wrong place back, and ends with the second one', async () => {
  const server = await modelServer();
  const rig = hostRig('codex', server.url);
  await rig.conclave('install', 'codex', '--yes');
  server.on('MARKER', [plan(wrong), plan(right)]);
  const { args = [], env = {} } = realClis.codex.settings(server.url);
  Object.assign(rig.environment, env);
  const trusted = ['--dangerously-bypass-hook-trust', '--skip-git-repo-check'];
  const said = await rig.host('exec', ...args, ...trusted, 'MARKER');
  expect(said).toContain('notes.md');
  expect(JSON.stringify(server.log)).toContain('src/nothing/at.js:4 (line 4 of the plan)');
});

test('gemini is denied the end of its plan mode with a wrong place, and gets it with the second version', async () => {
  const server = await modelServer();
  const rig = hostRig('gemini', server.url);
  rig.logIn();
  await rig.conclave('install', 'gemini', '--yes');
  const call = ['exit_plan_mode', { plan_filename: 'p.md' }] as const;
  const leave = { kind: 'tool', tool: 'shell', target: '', call } as const;
  const steps = [
    (file: string) => write(file, wrong),
    () => leave,
    (file: string) => write(file, right),
    () => leave,
  ];
  server.fallback(({ system }) => {
    const [folder = ''] = /\.gemini\/tmp\/\S+\/plans\b/.exec(system) ?? [];
    return steps.shift()?.(join(rig.home, folder, 'p.md')) ?? text('Ended.');
  });
  await rig.host('-p', 'MARKER', '--approval-mode', 'plan');
  const [, denied = '', , passed = ''] = server.log.at(-1)?.toolResults ?? [];
  expect(denied).toContain('src/nothing/at.js:4 (line 3 of the plan)');
  expect(passed).toContain('Plan approved');
});
