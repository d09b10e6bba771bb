import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runToEnd } from '../agents/agent-room.ts';
import { answerOf, cliBench, read, shell, text, write } from './cli-bench.ts';
import { harm } from './harm.ts';
import { forms, realClis, testKey } from './real-clis.ts';

const { unbound } = realClis.codex;
const bench = cliBench(realClis.codex);

/** With the provider that codex brings along, and the login of the home. */
const agentWithLogin = () =>
  bench.room.agent({ args: ['-c', `openai_base_url="${bench.server.url}/v1"`] });

describe('planning is read-only', () => {
  test.each(forms)('nothing is written, whatever the model tries ($form)', async ({ model }) => {
    const extra = join(bench.room.home, 'extra');
    mkdirSync(extra);
    const before = bench.room.tree();
    const replies = [
      ...harm(bench.room),
      write(`${extra}/made.txt`),
      shell(`echo made > ${extra}/made; rm -f ${extra}/made2`),
    ];
    const prompt = bench.scripted(...replies, text('I could not.'));
    const { end } = await bench.ask(prompt, { model, extraDirs: [extra] });
    expect(answerOf(end)).toBe('I could not.');
    expect(bench.server.log.at(-1)?.toolResults).toHaveLength(replies.length);
    expect(bench.room.tree()).toEqual(before);
    expect(end.facts.filesChanged).toEqual([]);
  });

  test.each(forms)('with its sandbox open it would write ($form)', async ({ form, model }) => {
    const free = bench.roomFor(unbound);
    const [edited, echoed] = [join(free.repo, 'edited.txt'), join(free.repo, '.git/echoed')];
    const prompt = bench.scripted(write(edited), shell(`echo made > ${echoed}`), text('Done.'));
    const { end } = await runToEnd(free.agent(), free.request(prompt, { model }));
    expect(answerOf(end)).toBe('Done.');
    expect([edited, echoed].map((path) => readFileSync(path, 'utf8').trim())).toEqual([
      'made',
      'made',
    ]);
    // Only a patch is told as a change; a shell keeps what it does to itself.
    expect(end.facts.filesChanged).toEqual(form === 'code mode' ? [edited] : []);
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
    const prompt = bench.scripted(read(`${extra}/notes.txt`), text('Read.'));
    await bench.ask(prompt, { extraDirs: [extra] });
    expect(bench.server.log.at(-1)?.toolResults.join()).toContain('noted there');
    expect(bench.server.log.at(-1)?.system).toContain(`<root>${extra}</root>`);
  });

  test('its commands see the mark of the run, but no key', async () => {
    const request = bench.room.request(bench.scripted(shell('env'), text('Seen.')));
    await runToEnd(bench.room.agent(), request);
    const seen = bench.server.log.at(-1)?.toolResults.join() ?? '';
    expect(seen).toContain(request.mark);
    expect(seen).not.toContain(testKey);
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
  test('the login and the model of the user are kept; servers, hooks and other settings are not', async () => {
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
    const { end } = await runToEnd(agentWithLogin(), bench.room.request(prompt));
    expect(answerOf(end)).toBe('Yes.');
    expect(bench.server.log.at(-1)?.model).toBe('model-of-the-user');
    expect(Object.keys(bench.room.tree()).filter((path) => path.includes('was-started'))).toEqual(
      [],
    );
  });

  test('without a login it is not-logged-in', async () => {
    const { end } = await runToEnd(agentWithLogin(), bench.room.request('Hello?'));
    expect(answerOf(end)).toMatchObject({
      category: 'not-logged-in',
      detail: expect.stringContaining('codex login'),
    });
  });
});
