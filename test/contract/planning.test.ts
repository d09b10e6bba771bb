import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runToEnd } from '../agents/agent-room.ts';
import { answerOf, cliBench, shell, text, write } from './cli-bench.ts';
import { isShort } from './extent.ts';
import { harm } from './harm.ts';
import { type CliName, cliNames, forms, permissive, realClis } from './real-clis.ts';

/** What is offered to the model; null where a sandbox holds it. */
const offered: Readonly<Record<CliName, readonly string[] | null>> = {
  claude: ['Glob', 'Grep', 'Read'],
  codex: null,
  gemini: ['glob', 'grep_search', 'list_directory', 'read_file'],
  copilot: ['glob', 'grep', 'view'],
  opencode: ['glob', 'grep', 'read'],
};

const failing = "sh -c 'echo out; exit 3'";

/** What it tells of a command that fails, and of a file that it writes. */
const told: Readonly<Record<CliName, readonly object[]>> = {
  claude: [
    { type: 'command', command: failing, exitCode: 3, output: 'out' },
    { type: 'file_change', change: 'add', diff: '+made' },
  ],
  codex: [
    { type: 'command', exitCode: 3, output: 'out' },
    { type: 'file_change', change: 'add' },
  ],
  // It tells the exit code to the model alone where the command printed something.
  gemini: [
    { type: 'tool_call', name: 'run_shell_command', detail: failing },
    { type: 'command', command: failing, exitCode: null, output: 'out' },
  ],
  copilot: [
    { type: 'command', command: failing, exitCode: 3, output: 'out' },
    { type: 'file_change', change: 'add', diff: '@@ -1,0 +1,1 @@\n+made' },
  ],
  opencode: [
    { type: 'command', command: failing, exitCode: 3, output: 'out' },
    { type: 'file_change', change: 'add', diff: '+made' },
  ],
};

describe.each(cliNames)('%s', (name) => {
  const cli = realClis[name];
  const bench = cliBench(cli);
  const usual = { form: 'its usual tools', model: null };
  const models: readonly { form: string; model: string | null }[] =
    name === 'codex' ? forms : [usual];

  test.each(models)(
    'writes nothing, whatever model and settings allow, by $form',
    async ({ model }) => {
      const { room, server } = bench;
      for (const [path, settings] of Object.entries(permissive[name]))
        room.write(`home/${path}`, settings);
      const before = room.tree();
      const tries = harm(room);
      const prompt = bench.scripted(...tries, text('I could not.'));
      const { events, end } = await bench.ask(prompt, { model });
      bench.keep('refused');
      expect(answerOf(end)).toBe('I could not.');
      expect(room.tree()).toEqual(before);
      expect(end.facts.filesChanged).toEqual([]);
      const { tools = [], toolResults = [] } = server.log.at(-1) ?? {};
      expect(tools.toSorted()).toEqual(offered[name] ?? tools.toSorted());
      // Some send only the last result.
      expect([1, tries.length]).toContain(toolResults.length);
      expect(events.filter(({ type }) => type === 'file_change')).toEqual([]);
    },
  );

  test.skipIf(isShort)('is read-only in a session that is gone on with, too', async () => {
    const first = await bench.ask(bench.scripted(text('One.')));
    const before = bench.room.tree();
    const resume = { agentSession: first.end.facts.agentSession ?? '', cwd: bench.room.repo };
    const prompt = bench.scripted(...harm(bench.room), text('I could not.'));
    expect(answerOf((await bench.ask(prompt, { resume })).end)).toBe('I could not.');
    expect(bench.room.tree()).toEqual(before);
  });

  test.skipIf(isShort)('would write without its locks, and tells what it did', async () => {
    const free = bench.roomFor(cli.unbound);
    const target = join(free.repo, 'made.txt');
    const script = [write(target), shell(failing), text('Done.')];
    const model = name === 'codex' ? cli.model : null;
    const request = free.request(bench.scripted(...script), { model });
    const { events, end } = await runToEnd(free.agent(), request);
    bench.keep('writing', free);
    expect(answerOf(end)).toBe('Done.');
    expect(existsSync(target) && readFileSync(target, 'utf8').trim()).toBe('made');
    for (const event of told[name]) {
      expect(events).toContainEqual(expect.objectContaining(event));
    }
    expect(end.facts.filesChanged).toEqual(name === 'gemini' ? [] : [target]);
  });
});
