import { readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AgentAdapter } from '../../src/agents/agent.ts';
import { gemini } from '../../src/agents/gemini.ts';
import { runToEnd } from '../agents/agent-room.ts';
import { answerOf, cliBench, shell, text, write } from './cli-bench.ts';
import { harm } from './harm.ts';
import { realClis, testKey } from './real-clis.ts';

const { unbound, login } = realClis.gemini;
const bench = cliBench(realClis.gemini);

describe('planning is read-only', () => {
  test('nothing is written, whatever the model tries and the user’s settings allow', async () => {
    bench.room.write(
      'home/.gemini/settings.json',
      JSON.stringify({
        security: { auth: { selectedType: 'gemini-api-key' } },
        general: { defaultApprovalMode: 'auto_edit' },
        tools: { allowed: ['run_shell_command', 'write_file'] },
      }),
    );
    const all = '[[rule]]\ntoolName = "*"\ndecision = "allow"\npriority = 999\n';
    bench.room.write('home/.gemini/policies/all.toml', all);
    const before = bench.room.tree();
    const replies = harm(bench.room);
    const { end } = await bench.ask(bench.scripted(...replies, text('I could not.')));
    bench.keep('refused');
    expect(answerOf(end)).toBe('I could not.');
    expect(bench.room.tree()).toEqual(before);
    expect(end.facts.filesChanged).toEqual([]);
    expect(bench.server.log.at(-1)?.toolResults).toHaveLength(replies.length);
    expect(bench.server.log.at(-1)?.tools.toSorted()).toEqual([
      'glob',
      'grep_search',
      'list_directory',
      'read_file',
    ]);
  });

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

  test('with both open it would write', async () => {
    const open = bench.roomFor(unbound);
    const target = join(open.repo, 'made.txt');
    const { events, end } = await runToEnd(
      open.agent(),
      open.request(bench.scripted(write(target), shell('echo out; exit 3'), text('Done.'))),
    );
    bench.keep('writing', open);
    expect(answerOf(end)).toBe('Done.');
    expect(readFileSync(target, 'utf8')).toBe('made');
    expect(bench.server.log.at(-1)?.toolResults.join()).toContain('Exit Code: 3');
    // It tells that code to the model alone, so that we tell a call and no command.
    expect(events.filter(({ kind }) => kind === 'command')).toEqual([]);
    const call = { kind: 'tool-call', name: 'run_shell_command', detail: 'echo out; exit 3' };
    expect(events).toContainEqual(expect.objectContaining(call));
    expect(events).toContainEqual({ kind: 'tool-output', output: 'out' });
  });

  test('a session that is gone on with is read-only too', async () => {
    const first = await bench.ask(bench.scripted(text('One.')));
    const before = bench.room.tree();
    const resume = { agentSession: first.end.facts.agentSession ?? '', cwd: bench.room.repo };
    const prompt = bench.scripted(...harm(bench.room), text('I could not.'));
    expect(answerOf((await bench.ask(prompt, { resume })).end)).toBe('I could not.');
    expect(bench.room.tree()).toEqual(before);
  });
});

/** Settings under which each thing that is started leaves a file behind. */
const witnessed = (witness: string) => ({
  security: { auth: { selectedType: 'gemini-api-key' } },
  hooksConfig: { enabled: true },
  hooks: Object.fromEntries(
    ['SessionStart', 'BeforeAgent', 'BeforeModel', 'SessionEnd'].map((event) => [
      event,
      [{ hooks: [{ type: 'command', command: `touch ${witness}-${event}` }] }],
    ]),
  ),
  mcpServers: { mine: { command: 'touch', args: [`${witness}-server`] } },
  tools: { discoveryCommand: `touch ${witness}-discovery` },
});

describe('isolation', () => {
  test('hooks, servers, memory, skills, commands stay out, of the user and of the project', async () => {
    for (const place of ['home', 'repo']) {
      const witness = join(bench.room.base, `${place}-was-run`);
      bench.room.write(`${place}/.gemini/settings.json`, JSON.stringify(witnessed(witness)));
      bench.room.write(
        place === 'home' ? 'home/.gemini/GEMINI.md' : 'repo/GEMINI.md',
        'note-of-memory',
      );
      bench.room.write(
        `${place}/.gemini/skills/mine/SKILL.md`,
        '---\nname: mine\ndescription: note-of-skill\n---\nHello.',
      );
      bench.room.write(`${place}/.gemini/commands/question.toml`, 'prompt = "note-of-command"');
      bench.room.write(
        `${place}/.gemini/extensions/mine/gemini-extension.json`,
        JSON.stringify({
          name: 'mine',
          version: '1.0.0',
          contextFileName: 'note.md',
          mcpServers: { other: { command: 'touch', args: [`${witness}-extension`] } },
        }),
      );
      bench.room.write(`${place}/.gemini/extensions/mine/note.md`, 'note-of-extension');
    }
    expect(answerOf((await bench.ask(bench.scripted(text('Yes.')))).end)).toBe('Yes.');
    expect(Object.keys(bench.room.tree()).filter((path) => path.includes('was-run'))).toEqual([]);
    const { prompt = '', system = '' } = bench.server.log.at(-1) ?? {};
    expect(`${prompt}${system}`).not.toMatch(/note-of-/);
  });

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

  test('without a login it is not-logged-in, at once', async () => {
    const bare = bench.roomFor(gemini, {
      GEMINI_API_KEY: undefined,
      GOOGLE_GEMINI_BASE_URL: undefined,
    });
    bare.write('home/.gemini/settings.json', '{}');
    const { end } = await runToEnd(bare.agent(), bare.request('Hello?'));
    expect(answerOf(end)).toMatchObject({
      category: 'not-logged-in',
      detail: expect.stringContaining('GEMINI_API_KEY'),
    });
    expect(end.facts.durationMs).toBeLessThan(10_000);
  });

  test('its readiness is its version, and leaves nothing behind', async () => {
    const before = bench.room.tree();
    const ready = await bench.room.agent().ready(new AbortController().signal);
    expect(ready).toMatchObject({ state: 'ready', version: '0.61.0' });
    expect(bench.room.tree()).toEqual(before);
  });
});
