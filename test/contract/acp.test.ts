// Tests real programs by the Agent Client Protocol.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { rgPath } from '@vscode/ripgrep';
import { describe, expect, test } from 'vitest';
import { acpSetup } from '../../src/agents/acp/acp-setup.ts';
import { cliAgent } from '../../src/agents/cli/cli-agent.ts';
import { runToEnd } from '../agents/agent-room.ts';
import { cliBench, shell, status, text, write } from './cli-bench.ts';
import { clis } from './install.ts';
import { marked } from './processes.ts';
import { realClis } from './real-clis.ts';

/** With the tokens that the model server counts for one answer, as far as the program tells them. */
const programs = [
  {
    name: 'gemini',
    command: ['gemini', '--acp', '-m', 'gemini-2.5-pro'],
    // It tells neither what it had cached nor its thoughts.
    tokens: { input: 1000, output: expect.any(Number), cached: 0 },
  },
  {
    name: 'copilot',
    command: ['copilot', '--acp'],
    tokens: { input: 1000, output: 50, cached: 400 },
  },
  {
    name: 'opencode',
    command: ['opencode', 'acp'],
    tokens: { input: 1000, output: 50, cached: 400 },
  },
] as const;

describe.each(programs)('$name by ACP', ({ name, command: [program, ...more], tokens }) => {
  const cli = realClis[name];
  const bench = cliBench(cli);
  const talker = () =>
    cliAgent(
      acpSetup({
        name: 'talker',
        acp: { command: [program, ...more] },
        settings: cli.settings(bench.server.url),
        environment: {
          PATH: `${clis}:${dirname(rgPath)}:${process.env['PATH']}`,
          HOME: bench.room.home,
          LANG: 'C.UTF-8',
          ...cli.environment(bench.server.url),
        },
      }),
    );

  // It keeps sessions and settings of its own at home.
  const repoTree = () =>
    Object.entries(bench.room.tree()).filter(([path]) => path.startsWith('repo/'));

  test('answers with its own words alone, and tells the tokens that the server counted', async () => {
    const words = 'Hello from the stub, to the last word.';
    const { end } = await runToEnd(talker(), bench.room.request(bench.scripted(text(words))));
    expect(end).toMatchObject({ ok: true, text: words, facts: { tokens, notes: [] } });
    expect(end.facts.version).toBe(cli.version);
  });

  test('neither writes nor runs a command while it may only read', async () => {
    const [edited, echoed] = ['edited.txt', 'echoed.txt'].map((file) =>
      join(bench.room.repo, file),
    );
    const tries = [write(edited ?? ''), shell(`echo made > ${echoed}`), text('Done.')];
    const before = repoTree();
    const { end } = await runToEnd(talker(), bench.room.request(bench.scripted(...tries)));
    expect(end).toMatchObject({ ok: true, text: 'Done.', facts: { filesChanged: [] } });
    expect([edited, echoed].some((file) => existsSync(file ?? ''))).toBe(false);
    expect(repoTree()).toEqual(before);
  });

  test.skipIf(name === 'opencode')('that is not logged in says so', async () => {
    const { end } = await runToEnd(talker(), bench.room.request(bench.scripted(status(401))));
    expect(end).toMatchObject({ failure: { category: 'not-logged-in' } });
  });

  test.skipIf(name === 'opencode')(
    'leaves no process five seconds after it is cancelled',
    async () => {
      const abort = new AbortController();
      const prompt = bench.scripted({ kind: 'hang', when: 'middle' });
      const request = bench.room.request(prompt);
      const asked = bench.server.log.length;
      const running = runToEnd(talker(), request, abort.signal);
      while (bench.server.log.length === asked) await sleep(20);
      abort.abort();
      const since = performance.now();
      const { end } = await running;
      expect(end).toMatchObject({ failure: { category: 'cancelled' } });
      expect(performance.now() - since).toBeLessThan(5_000);
      expect(marked(request.mark)).toEqual([]);
    },
  );
});
