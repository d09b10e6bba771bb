import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { claude } from '../../src/agents/claude.ts';
import { runToEnd } from '../agents/agent-room.ts';
import { answerOf, cliBench, shell, text, write } from './cli-bench.ts';
import { harm } from './harm.ts';
import { realClis } from './real-clis.ts';

const { unbound } = realClis.claude;
const bench = cliBench(realClis.claude);

describe('planning is read-only', () => {
  test('nothing is written, whatever the model tries and the user’s settings allow', async () => {
    bench.room.write(
      'home/.claude/settings.json',
      JSON.stringify({
        permissions: { allow: ['Bash', 'Write', 'Edit'], defaultMode: 'bypassPermissions' },
      }),
    );
    const before = bench.room.tree();
    const replies = harm(bench.room);
    const { end } = await bench.ask(bench.scripted(...replies, text('I could not.')));
    bench.keep('refused');
    expect(answerOf(end)).toBe('I could not.');
    expect(bench.room.tree()).toEqual(before);
    expect(end.facts.filesChanged).toEqual([]);
    expect(bench.server.log.at(-1)?.tools).toEqual(['Glob', 'Grep', 'Read']);
  });

  test('a session that is gone on with is read-only too', async () => {
    const first = await bench.ask(bench.scripted(text('One.')));
    const before = bench.room.tree();
    const resume = { agentSession: first.end.facts.agentSession ?? '', cwd: bench.room.repo };
    const prompt = bench.scripted(shell('echo made > made.txt'), text('I could not.'));
    expect(answerOf((await bench.ask(prompt, { resume })).end)).toBe('I could not.');
    expect(bench.room.tree()).toEqual(before);
  });

  test('what it is made to write all the same is told', async () => {
    const free = bench.roomFor(unbound, { IS_SANDBOX: '1' });
    const target = join(free.repo, 'made.txt');
    const prompt = bench.scripted(write(target), shell('echo out; exit 3'), text('Done.'));
    const { events, end } = await runToEnd(free.agent(), free.request(prompt));
    bench.keep('writing', free);
    expect(answerOf(end)).toBe('Done.');
    expect(end.facts.filesChanged).toEqual([target]);
    const call = { kind: 'tool-call', name: 'Bash', detail: 'echo out; exit 3' };
    expect(events).toContainEqual(expect.objectContaining(call));
    expect(events).toContainEqual({ kind: 'command', command: '', exit_code: 3, output: 'out' });
    const change = { kind: 'file-change', path: target, change: 'add', diff: '+made' };
    expect(events).toContainEqual(change);
  });
});

const hooks = (witness: string) => ({
  hooks: Object.fromEntries(
    ['SessionStart', 'UserPromptSubmit', 'Stop'].map((event) => [
      event,
      [{ hooks: [{ type: 'command', command: `touch ${witness}-${event}` }] }],
    ]),
  ),
});
const servers = (witness: string) => ({
  mcpServers: { mine: { command: 'touch', args: [witness] } },
});

describe('isolation', () => {
  test('hooks, servers, memory and skills stay out, of the user and of the project', async () => {
    for (const place of ['home', 'repo']) {
      const witness = join(bench.room.base, `${place}-was-run`);
      bench.room.write(`${place}/.claude/settings.json`, JSON.stringify(hooks(witness)));
      bench.room.write(
        place === 'home' ? 'home/.claude.json' : 'repo/.mcp.json',
        JSON.stringify(servers(witness)),
      );
      bench.room.write(
        place === 'home' ? 'home/.claude/CLAUDE.md' : 'repo/CLAUDE.md',
        'note-of-memory',
      );
      bench.room.write(
        `${place}/.claude/skills/mine/SKILL.md`,
        '---\nname: mine\ndescription: note-of-skill\n---\nHello.',
      );
    }
    expect(answerOf((await bench.ask(bench.scripted(text('Yes.')))).end)).toBe('Yes.');
    expect(Object.keys(bench.room.tree()).filter((path) => path.includes('was-run'))).toEqual([]);
    const { prompt = '', system = '' } = bench.server.log.at(-1) ?? {};
    expect(`${prompt}${system}`).not.toMatch(/note-of-(?:memory|skill)/);
  });

  test('the login of the user’s settings is kept, and the model that they name', async () => {
    const bare = bench.roomFor(claude, { ANTHROPIC_API_KEY: undefined });
    const settings = { apiKeyHelper: 'echo key-of-the-helper', model: 'haiku' };
    bare.write('home/.claude/settings.json', JSON.stringify(settings));
    const { end } = await runToEnd(bare.agent(), bare.request(bench.scripted(text('Yes.'))));
    expect(answerOf(end)).toBe('Yes.');
    expect(bench.server.log.at(-1)?.model).toContain('haiku');
  });

  test('inside another session of it, it is a session of its own', async () => {
    const inner = bench.roomFor(claude, {
      CLAUDECODE: '1',
      CLAUDE_CODE_ENTRYPOINT: 'cli',
      CLAUDE_CODE_SSE_PORT: '1',
      CLAUDE_CODE_SESSION_ID: '11111111-1111-4111-8111-111111111111',
    });
    const { end } = await runToEnd(inner.agent(), inner.request(bench.scripted(text('Yes.'))));
    expect(answerOf(end)).toBe('Yes.');
  });

  test('without a login it is not-logged-in, at once', async () => {
    const bare = bench.roomFor(claude, { ANTHROPIC_API_KEY: undefined });
    const { end } = await runToEnd(bare.agent(), bare.request('Hello?'));
    bench.keep('not-logged-in', bare);
    expect(answerOf(end)).toMatchObject({
      category: 'not-logged-in',
      detail: expect.stringContaining('claude auth login'),
    });
    expect(end.facts.durationMs).toBeLessThan(5_000);
  });

  test('its readiness is its version', async () => {
    const ready = await bench.room.agent().ready(new AbortController().signal);
    expect(ready).toMatchObject({ state: 'ready', version: '2.1.197' });
  });
});

test('a program that is no claude is said to be none', async () => {
  const bin = join(bench.room.base, 'bin');
  mkdirSync(bin);
  execFileSync('ln', ['-s', '/bin/false', join(bin, 'claude')]);
  const ready = await bench.room
    .agent({ path: join(bin, 'claude') })
    .ready(AbortSignal.timeout(5_000));
  expect(ready.state).toBe('not-installed');
});
