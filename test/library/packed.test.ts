// Tests the library as a program gets it: packed, installed, with types, outside of this project.
import { execFile, execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { z } from 'zod';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandLines } from '../contract/processes.ts';
import { goodAnswer } from '../contract/three-clis.ts';
import { calmVendor, synthesisOf } from '../helpers/planned-rig.ts';
import { ended, printed } from '../helpers/rig.ts';
import { short } from '../helpers/short-form.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { configureVendors } from '../helpers/vendors.ts';

const root = new URL('../..', import.meta.url).pathname;
const run = promisify(execFile);

/** Cancels a request while its agent is at work, and stays until it is told to end. */
const canceller = `
import { type ExecutorEvent, openRegistry } from 'conclave/agents';

const alpha = (await openRegistry()).getForAgent('alpha');
if (alpha === undefined) throw new Error('alpha is not there');
const events: ExecutorEvent[] = [];
const sessionId = 'one';
for await (const event of alpha.execute({ sessionId, prompt: 'Hello', workingDirectory: process.cwd() })) {
  events.push(event);
  if (event.type === 'tool_call') void alpha.cancel(sessionId);
}
console.log(events.map(({ type }) => type).join(' '), 'and no more');
process.stdin.resume();
`;

let project: string;
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'conclave-library-'));
  const installed = join(project, 'node_modules/conclave');
  mkdirSync(join(project, 'node_modules/@types'), { recursive: true });
  mkdirSync(installed);
  const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', project];
  execFileSync('npm', pack, { cwd: root });
  const [archive = ''] = readdirSync(project).filter((name) => name.endsWith('.tgz'));
  execFileSync('tar', ['-xzf', join(project, archive), '--strip-components=1', '-C', installed]);
  symlinkSync(join(root, 'node_modules/@types/node'), join(project, 'node_modules/@types/node'));
  cpSync(join(installed, 'templates/library/example.ts'), join(project, 'example.ts'));
  writeFileSync(join(project, 'cancel.ts'), canceller);
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
  const compilerOptions = {
    target: 'es2024',
    module: 'nodenext',
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

test('has types that hold under --strict, without any package beside it', short, async () => {
  const { stdout } = await run(join(root, 'node_modules/.bin/tsc'), ['-p', project]);
  expect(stdout).toBe('');
});

test('refuses by its types what cannot be', async () => {
  const wrong = join(project, 'wrong.ts');
  writeFileSync(
    wrong,
    `import { startSession } from 'conclave/sessions';
await startSession({ task: 'x', answer: ({ kind }) => ({ choice: kind.length }) });
for await (const event of await startSession({ task: 'x' }))
  if (event.type === 'round.finished') event.scores;
`,
  );
  try {
    await expect(run(join(root, 'node_modules/.bin/tsc'), ['-p', project])).rejects.toMatchObject({
      stdout: expect.stringMatching(/wrong\.ts\(2,.*choice[^]*wrong\.ts\(4,.*scores/),
    });
  } finally {
    rmSync(wrong);
  }
});

test('lets an executor of one’s own plan together with an agent', short, async () => {
  const [rig, server] = await Promise.all([todoRig(), modelServer()]);
  configureVendors(rig, { alpha: calmVendor });
  const env = { ...rig.environment, MODEL_SERVER: server.url, MODEL: 'mine-7b' };
  const args = [join(project, 'example.ts'), todoTask, 'alpha'];
  const child = spawn(process.execPath, args, { cwd: rig.repo, env });
  const { code, stdout, stderr } = await ended(child);
  server.close();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/mine: .*\n[^]*round 1: .*\n[^]*decide: 1.*\n[^]*approve: approve/);
  expect(stdout).toContain('The plan is approved.');
  expect(synthesisOf(rig, 1).receipts).toMatchObject([
    { agent: 'mine', vendor: 'my-vendor', model: 'mine-7b', transport: 'api' },
    { agent: 'alpha', vendor: 'vendor-alpha', transport: 'cli' },
  ]);
});

const Asked = z.object({ messages: z.tuple([z.object({ content: z.string() })]) });

/** A model that answers each request whole, in the words of OpenAI. */
async function modelServer(): Promise<{ readonly url: string; close(): void }> {
  const server = createServer(async (request, response) => {
    const asked = Asked.parse(await json(request));
    const [{ content: prompt }] = asked.messages;
    const reply = goodAnswer({ prompt, dialect: 'api' });
    const content = reply.kind === 'structured' ? JSON.stringify(reply.value) : '';
    response.end(JSON.stringify({ choices: [{ message: { content } }] }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = z.object({ port: z.int() }).parse(server.address());
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close() };
}

test('leaves no process after cancel, and holds its program for nothing', async () => {
  const rig = await todoRig();
  configureVendors(rig, { alpha: { else: { delay_ms: 600_000, answer: 'Late.' } } });
  const args = [join(project, 'cancel.ts')];
  const child = spawn(process.execPath, args, { cwd: rig.repo, env: rig.environment });
  await printed(child, 'started tool_call cancelled and no more');
  expect(commandLines().filter((line) => line.includes(rig.home))).toEqual([]);
  const end = ended(child);
  child.stdin.end();
  expect((await end).code).toBe(0);
});
