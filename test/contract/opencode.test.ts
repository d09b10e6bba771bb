import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { opencode } from '../../src/agents/opencode.ts';
import { runToEnd } from '../agents/agent-room.ts';
import { answerOf, cliBench, read, shell, text, write } from './cli-bench.ts';
import { fewFor, isBrief } from './extent.ts';
import { harm } from './harm.ts';
import { realClis } from './real-clis.ts';

const { unbound, login } = realClis.opencode;
const bench = cliBench(realClis.opencode);
const brief = isBrief('opencode');

describe('answers', () => {
  test('a text comes with its session, model, thinking and tokens, and no second model is asked', async () => {
    const asked = bench.server.log.length;
    const prompt = bench.scripted({ kind: 'text', text: 'Do this.', thinking: 'Well, so.' });
    const { events, end } = await bench.ask(prompt);
    bench.keep('text');
    expect(answerOf(end)).toBe('Do this.');
    expect(events).toEqual([
      expect.objectContaining({ kind: 'started' }),
      { kind: 'thinking', text: 'Well, so.' },
      { kind: 'message', text: 'Do this.', partial: false },
      expect.objectContaining({ kind: 'usage' }),
      { kind: 'completed', text: null },
    ]);
    expect(end.facts).toMatchObject({
      agentSession: expect.stringMatching(/^ses_/),
      model: 'stub/scripted',
      tokens: { input: 1000, output: 50, cached: 400 },
      costUsd: null,
      exitCode: 0,
      unknownEvents: 0,
      notes: [],
    });
    expect(bench.server.log.slice(asked).map(({ model }) => model)).toEqual(['scripted']);
  });

  test('the tokens of each step add up; role, model and a long text come whole', async () => {
    const long = 'A sentence of the answer. '.repeat(10_000);
    const prompt = bench.scripted(read(join(bench.room.repo, 'src/list.js')), text(long));
    const role = 'Be a "critic" of {env:HOME} and {file:/etc/hosts}.';
    const { events, end } = await bench.ask(prompt, { role, model: 'stub/other' });
    expect(answerOf(end)).toHaveLength(long.length);
    expect(end.facts.tokens).toEqual({ input: 2000, output: 100, cached: 800 });
    expect(events).toContainEqual({
      kind: 'file-read',
      path: join(bench.room.repo, 'src/list.js'),
    });
    expect(bench.server.log.at(-1)).toMatchObject({
      model: 'other',
      system: expect.stringContaining(role),
    });
  });

  test.skipIf(brief)('a further folder is read, and nothing else outside', async () => {
    bench.room.write('more/far.txt', 'far away');
    bench.room.write('home/private.txt', 'nobody’s business');
    const tries = ['more/far.txt', 'home/private.txt'].map((path) =>
      read(join(bench.room.base, path)),
    );
    const { end } = await bench.ask(bench.scripted(...tries, text('Read.')), {
      extraDirs: [join(bench.room.base, 'more')],
    });
    expect(answerOf(end)).toBe('Read.');
    const results = bench.server.log.at(-1)?.toolResults.join() ?? '';
    expect(results).toContain('far away');
    expect(results).not.toContain('nobody’s business');
  });

  test('an unknown model is refused by its name', async () => {
    const { end } = await bench.ask('Hello?', { model: 'stub/nonesuch' });
    bench.keep('unknown-model');
    expect(answerOf(end)).toMatchObject({
      category: 'request-refused',
      detail: expect.stringContaining('Model not found: stub/nonesuch'),
    });
  });
});

describe('planning is read-only', () => {
  test('nothing is written, whatever the model tries and the user’s settings allow', async () => {
    const open = JSON.parse(
      login['.config/opencode/opencode.jsonc']?.replace(/\/\/.*|,(?=\s*\}$)/gm, '') ?? '',
    );
    const permission = { edit: 'allow', bash: 'allow' };
    bench.room.write(
      'home/.config/opencode/opencode.jsonc',
      JSON.stringify({ ...open, permission, agent: { build: { permission } } }),
    );
    const before = bench.room.tree();
    const replies = harm(bench.room);
    const { end } = await bench.ask(bench.scripted(...replies, text('I could not.')));
    bench.keep('refused');
    expect(answerOf(end)).toBe('I could not.');
    expect(bench.room.tree()).toEqual(before);
    expect(end.facts.filesChanged).toEqual([]);
    expect(bench.server.log.at(-1)?.toolResults).toHaveLength(replies.length);
    expect(bench.server.log.at(-1)?.tools.toSorted()).toEqual(['glob', 'grep', 'read']);
  });

  test.skipIf(brief)('a session that is gone on with is read-only too', async () => {
    const first = await bench.ask(bench.scripted(text('One.')));
    const before = bench.room.tree();
    const resume = { agentSession: first.end.facts.agentSession ?? '', cwd: bench.room.repo };
    const prompt = bench.scripted(shell('echo made > made.txt'), text('I could not.'));
    expect(answerOf((await bench.ask(prompt, { resume })).end)).toBe('I could not.');
    expect(bench.room.tree()).toEqual(before);
  });

  test('where it may write, what it did is told', async () => {
    const open = bench.roomFor(unbound);
    const target = join(open.repo, 'made.txt');
    const prompt = bench.scripted(write(target), shell('echo out; exit 3'), text('Done.'));
    const { events, end } = await runToEnd(open.agent(), open.request(prompt));
    bench.keep('writing', open);
    expect(answerOf(end)).toBe('Done.');
    expect(end.facts.filesChanged).toEqual([target]);
    const command = { kind: 'command', command: 'echo out; exit 3', exit_code: 3, output: 'out' };
    expect(events).toContainEqual(command);
    const change = { kind: 'file-change', path: target, change: 'add', diff: '+made' };
    expect(events).toContainEqual(change);
  });
});

/** A plugin, and what else would leave a file behind where it is started. */
const plugin = (witness: string) =>
  `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(witness)}, '');\nexport const Mine = async () => ({});\n`;

describe('isolation', () => {
  test('servers, plugins, agents, instructions and skills stay out, of the user and of the project', async () => {
    const own = JSON.parse(
      login['.config/opencode/opencode.jsonc']?.replace(/\/\/.*|,(?=\s*\}$)/gm, '') ?? '',
    );
    for (const place of ['home/.config/opencode', 'home/.opencode', 'repo', 'repo/.opencode']) {
      const witness = join(bench.room.base, `${place.replaceAll('/', '-')}-was-run`);
      const settings = {
        ...(place === 'home/.config/opencode' ? own : {}),
        mcp: { mine: { type: 'local', command: ['touch', `${witness}-server`], enabled: true } },
        ...(place.startsWith('repo')
          ? {}
          : { plugin: [join(bench.room.base, place, 'listed.js')] }),
        instructions: [join(bench.room.base, place, 'NOTE.md')],
        agent: { build: { prompt: 'note-of-agent' } },
        ...(place === 'repo'
          ? {
              model: 'stub/other',
              provider: { stub: { options: { baseURL: 'http://127.0.0.1:9' } } },
            }
          : {}),
      };
      bench.room.write(`${place}/opencode.jsonc`, JSON.stringify(settings));
      bench.room.write(`${place}/listed.js`, plugin(`${witness}-listed`));
      if (!place.startsWith('repo')) {
        bench.room.write(`${place}/plugins/mine.js`, plugin(`${witness}-plugin`));
      }
      bench.room.write(`${place}/NOTE.md`, 'note-of-instructions');
      bench.room.write(`${place}/AGENTS.md`, 'note-of-memory');
      bench.room.write(
        `${place}/skills/mine/SKILL.md`,
        '---\nname: mine\ndescription: note-of-skill\n---\nHello.',
      );
      bench.room.write(`${place}/tools/mine.js`, plugin(`${witness}-tool`));
    }
    expect(answerOf((await bench.ask(bench.scripted(text('Yes.')))).end)).toBe('Yes.');
    expect(Object.keys(bench.room.tree()).filter((path) => path.includes('was-run'))).toEqual([]);
    const { prompt = '', system = '', model } = bench.server.log.at(-1) ?? {};
    expect(`${prompt}${system}`).not.toMatch(/note-of-/);
    expect(model).toBe('scripted');
  });

  test.each(fewFor('opencode', ['plugins/mine.js', 'opencode.json']))(
    'it is not started where it would run code of the project: .opencode/%s',
    async (path) => {
      const witness = join(bench.room.base, 'was-run');
      bench.room.write('repo/mine.js', plugin(witness));
      const named = path.endsWith('.js') ? plugin(witness) : '{"plugin":["../mine.js"]}';
      bench.room.write(`repo/.opencode/${path}`, named);
      const cwd = join(bench.room.repo, 'src');
      const { end } = await bench.ask(bench.scripted(text('Yes.')), { cwd });
      expect(answerOf(end)).toMatchObject({
        category: 'permission-refused',
        detail: expect.stringContaining('repo/.opencode'),
      });
      expect(existsSync(witness)).toBe(false);
      // Its own switches would not keep it from that.
      const room = bench.roomFor({ ...opencode, refusal: () => null });
      room.write('repo/.opencode/plugins/mine.js', plugin(join(room.base, 'was-run')));
      await runToEnd(room.agent(), room.request(bench.scripted(text('Yes.'))));
      expect(existsSync(join(room.base, 'was-run'))).toBe(true);
    },
  );

  test('settings in the shell’s variables do not reach it', async () => {
    const keys = bench.roomFor(unbound, {
      OPENCODE_CONFIG_CONTENT: '{"permission":{"bash":"deny"},"share":"auto"}',
      OPENCODE_PERMISSION: '{"bash":"deny"}',
    });
    const prompt = bench.scripted(shell('env'), text('Yes.'));
    expect(answerOf((await runToEnd(keys.agent(), keys.request(prompt))).end)).toBe('Yes.');
    const seen = bench.server.log.at(-1)?.toolResults.join() ?? '';
    expect(seen).toContain('STUB_URL=');
    expect(seen).not.toContain('CONFIG_CONTENT');
  });

  test.skipIf(brief)('nothing of the user’s or the project’s is changed', async () => {
    const git = (...args: string[]) => execFileSync('git', args, { cwd: bench.room.repo });
    git(
      '-c',
      'user.name=N',
      '-c',
      'user.email=n@n',
      'commit',
      '-q',
      '--allow-empty',
      '-m',
      'first',
    );
    const before = bench.room.tree();
    expect(answerOf((await bench.ask(bench.scripted(text('Yes.')))).end)).toBe('Yes.');
    expect(bench.room.tree()).toEqual(before);
  });

  test('where nobody chose a model, none is asked, not even a free one', async () => {
    const bare = bench.roomFor(opencode);
    bare.write('home/.config/opencode/opencode.jsonc', '{}');
    rmSync(join(bare.home, '.cache'), { recursive: true });
    const { end } = await runToEnd(bare.agent(), bare.request('Hello?'));
    bench.keep('not-logged-in', bare);
    expect(answerOf(end)).toMatchObject({
      category: 'not-logged-in',
      detail: expect.stringContaining('opencode auth login'),
    });
  });

  test('its readiness is its version, and leaves nothing behind', async () => {
    const before = bench.room.tree();
    const ready = await bench.room.agent().ready(new AbortController().signal);
    expect(ready).toMatchObject({ state: 'ready', version: '1.18.33' });
    expect(bench.room.tree()).toEqual(before);
    expect(existsSync(join(bench.room.home, '.local'))).toBe(false);
  });
});
