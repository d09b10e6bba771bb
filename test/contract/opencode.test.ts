import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { opencode } from '../../src/agents/cli/opencode.ts';
import { runToEnd } from '../agents/agent-room.ts';
import { answerOf, cliBench, shell, text } from './cli-bench.ts';
import { realClis } from './real-clis.ts';

const { unbound } = realClis.opencode;
const bench = cliBench(realClis.opencode);

test('an unknown model is refused by its name', async () => {
  const { end } = await bench.ask('Hello?', { model: 'stub/nonesuch' });
  bench.keep('unknown-model');
  expect(answerOf(end)).toMatchObject({
    category: 'request-refused',
    detail: expect.stringContaining('Model not found: stub/nonesuch'),
  });
});

/** A plugin that leaves a file behind. */
const plugin = (witness: string) =>
  `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(witness)}, '');\nexport const Mine = async () => ({});\n`;

test.each(['plugins/mine.js', 'opencode.json'])(
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

test('nothing of the user’s or the project’s is changed', async () => {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: bench.room.repo });
  git('-c', 'user.name=N', '-c', 'user.email=n@n', 'commit', '-q', '--allow-empty', '-m', 'first');
  const before = bench.room.tree();
  expect(answerOf((await bench.ask(bench.scripted(text('Yes.')))).end)).toBe('Yes.');
  expect(bench.room.tree()).toEqual(before);
});
