import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runToEnd, until } from '../agents/agent-room.ts';
import { commandLines, marked } from './cli-room.ts';
import { answerOf, codexBench, forms, shell, stubKey, text } from './codex-room.ts';
import type { Reply } from './model-server/reply.ts';

const bench = codexBench();

describe('planning is read-only', () => {
  test.each(forms)('nothing is written, whatever the model tries ($form)', async ({ model }) => {
    const extra = join(bench.room.home, 'extra');
    mkdirSync(extra);
    const before = bench.room.tree();
    const targets = [
      `${bench.room.repo}/made.txt`,
      `${bench.room.repo}/.git/made`,
      `${bench.room.home}/made`,
    ];
    const replies: Reply[] = [
      { kind: 'tool', tool: 'write', target: 'made.txt', content: 'made' },
      { kind: 'tool', tool: 'write', target: `${extra}/made.txt`, content: 'made' },
      ...[...targets, `${extra}/made`].map((path) => shell(`echo made > ${path}; rm -f ${path}2`)),
      shell(`rm -rf ${bench.room.repo}/src; git -C ${bench.room.repo} config user.name Nobody`),
    ];
    const prompt = bench.scripted(...replies, text('I could not.'));
    const { end } = await bench.ask(prompt, { model, extraDirs: [extra] });
    expect(answerOf(end)).toBe('I could not.');
    expect(bench.server.log.at(-1)?.toolResults).toHaveLength(replies.length);
    expect(bench.room.tree()).toEqual(before);
    expect(end.facts.filesChanged).toEqual([]);
  });

  test('a session that is gone on with is read-only too', async () => {
    const first = await bench.ask(bench.scripted(text('One.')));
    const before = bench.room.tree();
    const resume = { agentSession: first.end.facts.agentSession ?? '', cwd: bench.room.repo };
    const prompt = bench.scripted(shell('echo made > made.txt'), text('I could not.'));
    expect(answerOf((await bench.ask(prompt, { resume })).end)).toBe('I could not.');
    expect(bench.room.tree()).toEqual(before);
  });

  test('further folders are readable and told to the model', async () => {
    bench.room.write('home/extra/notes.txt', 'noted there');
    const extra = join(bench.room.home, 'extra');
    const prompt = bench.scripted(
      { kind: 'tool', tool: 'read', target: `${extra}/notes.txt` },
      text('Read.'),
    );
    await bench.ask(prompt, { extraDirs: [extra] });
    expect(bench.server.log.at(-1)?.toolResults.join()).toContain('noted there');
    expect(bench.server.log.at(-1)?.system).toContain(`<root>${extra}</root>`);
  });

  test('its commands see the mark of the run, but no key', async () => {
    const request = bench.room.request(bench.scripted(shell('env'), text('Seen.')));
    await runToEnd(bench.agent(), request);
    const seen = bench.server.log.at(-1)?.toolResults.join() ?? '';
    expect(seen).toContain(request.mark);
    expect(seen).not.toContain(stubKey);
  });
});

const witness = (name: string) => `${bench.room.home}/${name}-was-started`;
const hook = (name: string) => ({
  hooks: { SessionStart: [{ hooks: [{ type: 'command', command: `touch ${witness(name)}` }] }] },
});
const mcpServer = (name: string) => `[mcp_servers.${name}]
command = "touch"
args = [${JSON.stringify(witness(name))}]
`;

describe('isolation', () => {
  test('the login is kept; servers, hooks and settings of the user are not', async () => {
    bench.room.write('home/.codex/auth.json', '{"OPENAI_API_KEY":"key-of-the-login"}');
    bench.room.write('home/.codex/hooks.json', JSON.stringify(hook('hook')));
    bench.room.write(
      'home/.codex/config.toml',
      `model = "model-of-the-user"
notify = ["touch", ${JSON.stringify(witness('notify'))}]
${mcpServer('server')}
[projects.${JSON.stringify(bench.room.repo)}]
trust_level = "trusted"
`,
    );
    bench.room.write('repo/.codex/config.toml', mcpServer('server-of-the-project'));
    const prompt = bench.scripted(text('Yes.'));
    const { end } = await runToEnd(bench.agentWithLogin(), bench.room.request(prompt));
    expect(answerOf(end)).toBe('Yes.');
    expect(bench.server.log.at(-1)?.model).not.toBe('model-of-the-user');
    expect(Object.keys(bench.room.tree()).filter((path) => path.includes('was-started'))).toEqual(
      [],
    );
  });

  test('without a login it is not-logged-in', async () => {
    const { end } = await runToEnd(bench.agentWithLogin(), bench.room.request('Hello?'));
    expect(answerOf(end)).toMatchObject({
      category: 'not-logged-in',
      detail: expect.stringContaining('codex login'),
    });
  });
});

const sleepers = (naptime: string) =>
  commandLines().filter((line) => line === `sleep\0${naptime}\0`);

describe('ends during a running tool', () => {
  const times = process.env['CONCLAVE_CONTRACT'] === 'full' ? 10 : 2;
  const runs = Array.from({ length: times }, (_, run) => run + 1);

  test.each(runs)('a cancelled run leaves no process (%i)', async (run) => {
    const abort = new AbortController();
    const naptime = `98${run}.5`;
    const request = bench.room.request(
      bench.scripted(shell(`sleep ${naptime} & sleep ${naptime}`)),
    );
    const running = runToEnd(bench.agent(), request, abort.signal);
    await until('the tool runs', () => sleepers(naptime).length === 2);
    abort.abort();
    expect(answerOf((await running).end)).toMatchObject({ category: 'cancelled' });
    expect(sleepers(naptime)).toEqual([]);
    expect(marked(request.mark)).toEqual([]);
  });

  test.each(runs)('a run that takes too long leaves no process (%i)', async () => {
    const limits = { totalMs: 3_000 };
    const request = bench.room.request(bench.scripted(shell('sleep 986.5')), { limits });
    const running = runToEnd(bench.agent(), request);
    await until('the tool runs', () => sleepers('986.5').length === 1);
    expect(answerOf((await running).end)).toMatchObject({ category: 'timed-out' });
    expect(sleepers('986.5')).toEqual([]);
    expect(marked(request.mark)).toEqual([]);
  });
});
