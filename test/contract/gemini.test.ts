import { mkdirSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AgentAdapter } from '../../src/agents/agent.ts';
import { gemini } from '../../src/agents/cli/gemini.ts';
import { runToEnd } from '../agents/agent-room.ts';
import { answerOf, cliBench, read, shell, status, text, write } from './cli-bench.ts';
import { realClis, testKey } from './real-clis.ts';

const { unbound, login } = realClis.gemini;
const bench = cliBench(realClis.gemini);

test('each of its two locks holds without the other', async () => {
  const parts = { settings: '.gemini/settings.json', policy: 'read-only.toml' };
  for (const [part, opened] of Object.entries(parts)) {
    const half: AgentAdapter = {
      ...gemini,
      files: (request, user) => ({
        ...gemini.files?.(request, user),
        [opened]: unbound.files?.(request, user)[opened] ?? '',
      }),
    };
    const halfOpen = bench.roomFor(half);
    const before = halfOpen.tree();
    const target = join(halfOpen.repo, 'made.txt');
    const prompt = bench.scripted(
      write(target),
      shell(`echo made > ${target}`),
      text('I could not.'),
    );
    const { end } = await runToEnd(halfOpen.agent(), halfOpen.request(prompt));
    expect({ part, answer: answerOf(end), tree: halfOpen.tree() }).toEqual({
      part,
      answer: 'I could not.',
      tree: before,
    });
  }
});

describe('of the user and the project', () => {
  test('variables of the project do not lead it elsewhere', async () => {
    const elsewhere = 'GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:9\nGEMINI_SYSTEM_MD=src/list.js\n';
    bench.room.write('repo/.env', `${elsewhere}GEMINI_API_KEY=key-of-the-project\n`);
    bench.room.write('repo/.gemini/.env', elsewhere);
    const bare = { GEMINI_API_KEY: undefined, GOOGLE_GEMINI_BASE_URL: undefined };
    const { end } = await bench.ask(bench.scripted(text('Yes.')));
    expect(answerOf(end)).toBe('Yes.');
    const keyless = bench.roomFor(gemini, bare);
    keyless.write('repo/.env', 'GEMINI_API_KEY=key-of-the-project\n');
    const refused = await runToEnd(keyless.agent(), keyless.request('Hello?'));
    expect(answerOf(refused.end)).toMatchObject({ category: 'not-logged-in' });
  });

  test('its own prompt and tools are not for the user’s shell to change', async () => {
    const changed = bench.roomFor(gemini, {
      GEMINI_SYSTEM_MD: join(bench.room.repo, 'src/list.js'),
      GEMINI_SANDBOX: 'docker',
      GEMINI_MODEL: 'model-of-the-shell',
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    });
    const { end } = await runToEnd(changed.agent(), changed.request(bench.scripted(text('Yes.'))));
    expect(answerOf(end)).toBe('Yes.');
    expect(bench.server.log.at(-1)).toMatchObject({ model: 'model-of-the-shell' });
    expect(bench.server.log.at(-1)?.system).not.toContain('export const list');
  });

  test.each(['.gemini/.env', '.env'])('a login in the user’s %s is kept', async (path) => {
    const bare = bench.roomFor(gemini, { GEMINI_API_KEY: undefined });
    bare.write(`home/${path}`, `GEMINI_API_KEY=${testKey}\n`);
    const { end } = await runToEnd(bare.agent(), bare.request(bench.scripted(text('Yes.'))));
    expect(answerOf(end)).toBe('Yes.');
  });

  test('a login in another home of it is kept', async () => {
    const moved = join(bench.room.base, 'moved');
    for (const [path, words] of Object.entries(login)) bench.room.write(`moved/${path}`, words);
    const elsewhere = bench.roomFor(gemini, { GEMINI_CLI_HOME: moved });
    elsewhere.write('home/.gemini/settings.json', '{}');
    const { end } = await runToEnd(
      elsewhere.agent(),
      elsewhere.request(bench.scripted(text('Yes.'))),
    );
    expect(answerOf(end)).toBe('Yes.');
    expect(readdirSync(join(moved, '.gemini/tmp'))).toHaveLength(1);
  });

  test('nothing of the user’s is changed, old sessions included', async () => {
    const name = 'session-2020-01-01T00-00-11111111.jsonl';
    const old = `home/.gemini/tmp/repo/chats/${name}`;
    bench.room.write('home/.gemini/tmp/repo/.project_root', bench.room.repo);
    bench.room.write(old, '{"sessionId":"11111111-1111-4111-8111-111111111111","messages":[]}\n');
    utimesSync(join(bench.room.base, old), 1_577_836_800, 1_577_836_800);
    const before = bench.room.tree();
    expect(answerOf((await bench.ask(bench.scripted(text('Yes.')))).end)).toBe('Yes.');
    expect(bench.room.tree()).toEqual(before);
    expect(readdirSync(join(bench.room.home, '.gemini/tmp'))).toEqual(['repo']);
    expect(readdirSync(join(bench.room.home, '.gemini/tmp/repo/chats'))).toHaveLength(2);
    expect(readFileSync(join(bench.room.base, old), 'utf8')).not.toBe('');
  });

  test('a home that cannot be written to is no hindrance', async () => {
    const closed = bench.roomFor(gemini);
    closed.write('home/.gemini/tmp', 'a file where a folder would have to be');
    const { end } = await runToEnd(closed.agent(), closed.request(bench.scripted(text('Yes.'))));
    expect(answerOf(end)).toBe('Yes.');
  });
});

test('each run has a home of its own, so that none waits for the lock that another left behind', async () => {
  // `echo` is all that the shell needs to tell where the run is at home.
  const asked = () => bench.scripted(shell('echo "home=$GEMINI_CLI_HOME="'), text('Yes.'));
  const ask = (name: string) =>
    bench.ask(asked(), { permission: 'full', rawOutput: join(bench.room.base, name) });
  mkdirSync(join(bench.room.home, '.gemini/projects.json.lock'));
  const first = await ask('a.jsonl');
  const others = await Promise.all([ask('b.jsonl'), ask('c.jsonl')]);
  for (const { end } of [first, ...others]) expect(answerOf(end)).toBe('Yes.');
  const told = bench.server.log.flatMap(
    ({ toolResults }) => /home=(.+?)=/.exec(toolResults.at(-1) ?? '')?.slice(1) ?? [],
  );
  const homes = new Set(told);
  expect(homes.size).toBe(3);
  expect(homes).not.toContain(bench.room.home);
});

describe('failures', () => {
  test('a conversation that has become too long is refused, not empty', async () => {
    const role = 'r'.repeat(600_000);
    const { end } = await bench.ask('x'.repeat(gemini.maxPromptBytes), { role });
    expect(answerOf(end)).toMatchObject({ category: 'request-refused' });
  });

  test('the wait that a rate limit asks for is told', async () => {
    const message = 'You exceeded your current quota';
    const { end } = await bench.ask(bench.scripted(status(429, { message, retryAfter: 3_600 })));
    expect(answerOf(end)).toMatchObject({ retry_after_ms: 3_600_000 });
  });

  test('a model that never comes to an end is stopped after a hundred turns', async () => {
    const asked = bench.server.log.length;
    const { end } = await bench.ask(bench.scripted(read('src/list.js')));
    expect(answerOf(end)).toMatchObject({ category: 'timed-out' });
    expect(bench.server.log.length - asked).toBe(100);
  });

  const passing = [
    ['an empty answer', { kind: 'empty' }],
    ['500', status(500)],
    ['429', status(429, { message: 'Resource has been exhausted' })],
  ] as const;
  test.each(passing)('one failure in between is no failure: %s', async (_name, reply) => {
    expect(answerOf((await bench.ask(bench.scripted(reply, text('At last.')))).end)).toBe(
      'At last.',
    );
  });

  test('no report of an error is left behind', async () => {
    const reported = bench.roomFor(gemini, { TMPDIR: join(bench.room.base, 'reports') });
    mkdirSync(join(bench.room.base, 'reports'));
    await runToEnd(reported.agent(), reported.request(bench.scripted(status(401))));
    expect(Object.keys(reported.tree()).filter((path) => path.endsWith('.files'))).toEqual([]);
    expect(readdirSync(join(bench.room.base, 'reports'))).toEqual([]);
  });
});
