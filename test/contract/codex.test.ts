import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runToEnd } from '../agents/agent-room.ts';
import { answerOf, cliBench, read, shell, status, text, windowsIn } from './cli-bench.ts';
import { forms, realClis, testKey } from './real-clis.ts';

const bench = cliBench(realClis.codex);

test.each(forms)('tools that read are run and told ($form)', async ({ form, model }) => {
  const prompt = bench.scripted(read('src/list.js'), shell('echo out; exit 3'), text('Done.'));
  const { events, end } = await bench.ask(prompt, { model });
  expect(answerOf(end)).toBe('Done.');
  expect(bench.server.log.at(-1)?.toolResults.join()).toContain('export const list');
  expect(events.filter(({ type }) => type === 'command')).toMatchObject([
    {
      type: 'command',
      command: expect.stringContaining('cat'),
      exitCode: 0,
      output: 'export const list = [];',
    },
    {
      type: 'command',
      command: expect.stringContaining('echo out'),
      exitCode: 3,
      output: 'out',
    },
  ]);
  expect(end.facts.tokens).toEqual({ input: 3000, output: 150, cached: 1200 });
  bench.keep(form.replace(' ', '-'));
});

test('its commands see the mark of the run, but no key', async () => {
  const request = bench.room.request(bench.scripted(shell('env'), text('Seen.')));
  await runToEnd(bench.room.agent(), request);
  const seen = bench.server.log.at(-1)?.toolResults.join() ?? '';
  expect(seen).toContain(request.mark);
  expect(seen).not.toContain(testKey);
});

test('its commands start where its home is in a hidden folder, and cannot replace what starts them', async () => {
  const apart = join(bench.room.base, 'apart');
  mkdirSync(apart);
  writeFileSync(join(apart, 'answer'), 'of another agent');
  const helpers = join(apart, 'events.jsonl.files/tmp/arg0-linux');
  const prompt = bench.scripted(
    shell('cat src/list.js'),
    shell(`cat ${join(apart, 'answer')}`),
    shell(
      `touch ${helpers}/made || mv ${helpers} ${helpers}-away || mv ${dirname(helpers)} ${apart}/away || echo kept`,
    ),
    text('Done.'),
  );
  const { end } = await bench.ask(prompt, { rawOutput: join(apart, 'events.jsonl') });
  expect(answerOf(end)).toBe('Done.');
  const told = bench.server.log.at(-1)?.toolResults.join('\n') ?? '';
  expect(told).toContain('export const list');
  expect(told).not.toContain('of another agent');
  expect(told).toMatch(
    /made.: Read-only file system[^]*busy[^]*away.: (?:Read-only|Device)[^]*kept/,
  );
});

test('what a run used of the windows of a plan is read from its record, at the first and last answer', async () => {
  const resets = 1_900_000_000;
  const told = (percent: number) => ({
    headers: {
      'x-codex-primary-used-percent': String(percent),
      'x-codex-primary-window-minutes': '300',
      'x-codex-primary-reset-at': String(resets),
      'x-codex-secondary-used-percent': '3',
      'x-codex-secondary-window-minutes': '10080',
      'x-codex-secondary-reset-at': String(resets + 1_000),
    },
  });
  const { events } = await bench.ask(
    bench.scripted({ ...read('src/list.js'), ...told(10) }, { ...text('Done.'), ...told(16) }),
  );
  const [five, week] = [
    { name: '5-hour window', resets_at: resets * 1_000 },
    { name: '7-day window', used: 0.03, resets_at: (resets + 1_000) * 1_000 },
  ];
  expect(windowsIn(events)).toEqual([{ ...five, used: 0.1 }, week, { ...five, used: 0.16 }, week]);
});

test.each(forms)('its model is offered no sub-agents ($form)', async ({ model }) => {
  await bench.ask(bench.scripted(text('Done.')), { model });
  const { prompt, system, tools } = bench.server.log.at(-1) ?? {};
  expect(prompt).toBeDefined();
  expect(JSON.stringify([prompt, system, tools])).not.toMatch(/spawn_agent|sub-agent/);
});

describe('failures', () => {
  test('a wait of an hour is not waited for, and named for what it is', async () => {
    const { end } = await bench.ask(bench.scripted(status(429, { retryAfter: 3_600 })), {
      limits: { idleMs: 2_000 },
    });
    expect(answerOf(end)).toMatchObject({ category: 'rate-limited', retry_after_ms: null });
  });

  test('a failure that it gets over is told and no failure', async () => {
    const { events, end } = await bench.ask(
      bench.scripted({ kind: 'drop', when: 'middle' }, text('At last.')),
    );
    expect(answerOf(end)).toBe('At last.');
    expect(events).toContainEqual({
      type: 'retrying',
      reason: expect.stringContaining('disconnected'),
      delay: null,
    });
    bench.keep('got-over');
  });
});
