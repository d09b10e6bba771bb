import { describe, expect, test } from 'vitest';
import { runToEnd } from '../agents/agent-room.ts';
import { answerOf, cliBench, shell, text } from './cli-bench.ts';
import { sha256 } from './digests.ts';
import { commandLinesDuring } from './processes.ts';
import { cliNames, realClis } from './real-clis.ts';

const secret = 'word-of-the-prompt';

/** A text of so many bytes of which no part is like another, and not all of it is ASCII. */
function longText(bytes: number): string {
  const lines = Array.from({ length: Math.ceil(bytes / 40) }, (_, at) => `${at} ${secret} – naïve`);
  const whole = Buffer.from(lines.join('\n')).subarray(0, bytes - 1);
  // A cut may not leave half a character.
  const kept = new TextDecoder().decode(whole).replace(/\ufffd$/, '');
  return kept.padEnd(kept.length + bytes - Buffer.byteLength(kept), '.');
}

const looks: readonly (readonly [what: string, words: string])[] = [
  ['what commands are made of', '!{touch made} @{src/list.js} {{args}} !ls'],
  ['an option', '--version'],
  ['another option', '-p --help'],
  ['a command', '/help me /clear'],
  ['a command of it', '/context'],
  ['names of files', '@src/list.js and @src\n\n  "@src/list.js"\tto nobody@src/list.js, @types/x'],
];

const weighed = (part: string) => ({ bytes: Buffer.byteLength(part), sha256: sha256(part) });

describe.each(cliNames)('a prompt for %s', (name) => {
  const cli = realClis[name];
  const bench = cliBench(cli);
  const { maxPromptBytes } = cli.adapter;

  /** A prompt of just so many bytes, and what of it arrived. */
  function prompt(bytes: number, ...replies: Parameters<typeof bench.scripted>) {
    const begin = bench.scripted(...replies);
    const end = `[[end:${begin.length}]]`;
    const whole = `${begin}\n${longText(bytes - begin.length - 1 - end.length)}${end}`;
    const arrived = () => {
      const received = bench.server.log.at(-1)?.prompt ?? '';
      return received.slice(received.indexOf(begin), received.lastIndexOf(end) + end.length);
    };
    return { whole, arrived };
  }

  const sizes = [1, 3, 6].filter((size) => size * 1_000_000 < maxPromptBytes);
  test.each(sizes)('arrives whole where it has %i MB, in the arguments of nobody', async (size) => {
    const { whole, arrived } = prompt(size * 1_000_000, {
      kind: 'slow',
      text: 'Read.',
      delayMs: 500,
    });
    expect(Buffer.byteLength(whole)).toBe(size * 1_000_000);
    const running = bench.ask(whole);
    const lines = [...(await commandLinesDuring(running))];
    expect(answerOf((await running).end)).toBe('Read.');
    expect(weighed(arrived())).toEqual(weighed(whole));
    const flag = cli.adapter.argv(bench.room.request('')).find((part) => part.startsWith('--'));
    expect(lines.some((line) => line.includes(`\0${flag}`))).toBe(true);
    expect(lines.filter((line) => line.includes(secret))).toEqual([]);
  });

  test('is in the arguments of none of the programs that it starts either', async () => {
    const free = bench.roomFor(cli.unbound);
    const { whole, arrived } = prompt(1_000_000, shell('sleep 0.654'), text('Read.'));
    const running = runToEnd(free.agent(), free.request(whole));
    const lines = [...(await commandLinesDuring(running))];
    expect(answerOf((await running).end)).toBe('Read.');
    expect(weighed(arrived())).toEqual(weighed(whole));
    expect(lines).toContain('sleep\x000.654\0');
    expect(lines.filter((line) => line.includes(secret))).toEqual([]);
  });

  test('arrives whole where it is as long as can be; a longer one is refused before the start', async () => {
    const role = 'r'.repeat(100_000);
    const { whole, arrived } = prompt(maxPromptBytes, text('Taken.'));
    expect(Buffer.byteLength(whole)).toBe(maxPromptBytes);
    expect(answerOf((await bench.ask(whole, { role })).end)).toBe('Taken.');
    expect(weighed(arrived())).toEqual(weighed(whole));
    const [asked, tree] = [bench.server.log.length, bench.room.tree()];
    for (const larger of [`${whole}.`, `${whole}${'x'.repeat(6_000_000)}`]) {
      const { events, end } = await bench.ask(larger, { role });
      expect(answerOf(end)).toEqual({
        category: 'request-refused',
        agent: name,
        detail: `the prompt has ${larger.length - whole.length + maxPromptBytes} bytes, of which it would take only ${maxPromptBytes}`,
        retry_after_ms: null,
      });
      expect(events).toEqual([]);
      expect(end.facts).toMatchObject({ exitCode: null, durationMs: 0, outputBytes: 0 });
    }
    expect(bench.server.log.length).toBe(asked);
    expect(bench.room.tree()).toEqual(tree);
  });

  test.each(looks)(
    'that looks like %s arrives as it is, and nothing else with it',
    async (_what, words) => {
      bench.room.write('home/private.txt', 'nobody’s business');
      const before = bench.room.tree();
      const mention = `@${bench.room.home}/private.txt`;
      const whole = `${words}\n${mention} ${bench.scripted(text('Understood.'))}\n${words}`;
      expect(answerOf((await bench.ask(whole)).end)).toBe('Understood.');
      const received = bench.server.log.at(-1)?.prompt;
      expect(received).toContain(whole);
      expect(received).not.toMatch(/nobody’s business|export const list/);
      expect(bench.room.tree()).toEqual(before);
    },
  );
});
