// Says how each CLI fails, and by which name its adapter tells that.
import { describe, expect, test } from 'vitest';
import type { FailureCategory } from '../../../src/model/agent-event.ts';
import { runToEnd } from '../../agents/agent-room.ts';
import { answerOf, cliBench, status } from '../cli-bench.ts';
import { isFull, isPatient, isShort } from '../extent.ts';
import type { Reply } from '../model-server/reply.ts';
import { type CliName, realClis } from '../real-clis.ts';

type Cell = readonly [what: string, reply: Reply, category: FailureCategory];

const common: readonly Cell[] = [
  ['400', status(400), 'request-refused'],
  ['401', status(401), 'not-logged-in'],
  ['403', status(403), 'not-logged-in'],
  ['404', status(404), 'request-refused'],
  ['413', status(413), 'request-refused'],
  ['429', status(429), 'rate-limited'],
  ['429 that names its wait', status(429, { retryAfter: 1 }), 'rate-limited'],
  ['500', status(500), 'network'],
  ['503', status(503), 'network'],
  ['529', status(529), 'rate-limited'],
  ['a dropped connection', { kind: 'drop', when: 'before' }, 'network'],
  ['a connection dropped in the middle', { kind: 'drop', when: 'middle' }, 'network'],
  ['garbage', { kind: 'garbage' }, 'network'],
  ['no answer', { kind: 'empty' }, 'empty-answer'],
];

const longWait = (message: string, category: FailureCategory = 'rate-limited'): Cell => [
  '429 that names a long wait',
  status(429, { message, retryAfter: 3_600 }),
  category,
];

/** What only the words of one provider tell. */
const own: Readonly<Record<CliName, readonly Cell[]>> = {
  claude: [
    [
      '400 for want of credit',
      status(400, { message: 'Your credit balance is too low to access the Anthropic API.' }),
      'quota-used-up',
    ],
    [
      '400 for too long a prompt',
      status(400, { message: 'prompt is too long: 300000 tokens > 200000 maximum' }),
      'request-refused',
    ],
    longWait('in the words of the provider'),
  ],
  // Codex waits for as long as it is told to: see its own tests.
  codex: [],
  gemini: [
    longWait('You exceeded your current quota'),
    [
      '400 for a bad key',
      status(400, { message: 'API key not valid. Please pass a valid API key.' }),
      'not-logged-in',
    ],
    [
      '404 for an unknown model',
      status(404, { message: 'models/x is not found for API version v1beta' }),
      'request-refused',
    ],
    [
      '404 in other words',
      status(404, { message: 'Requested entity was not found.' }),
      'request-refused',
    ],
    [
      '429 for want of resources',
      status(429, { message: 'Resource has been exhausted' }),
      'rate-limited',
    ],
  ],
  copilot: [
    longWait('You have no quota left', 'quota-used-up'),
    ['500 that names a long wait', status(500, { retryAfter: 3_600 }), 'network'],
    ['529 that names a long wait', status(529, { retryAfter: 3_600 }), 'rate-limited'],
  ],
  opencode: [],
};

const cut = '{"session":"s","sol';
const ends = ['length', 'refusal', 'filter'] as const;

/** Gemini CLI and Copilot tell none of them, nor does codex tell a refusal: what is cut is seen in the text. */
const told = {
  claude: { length: 'answer-cut', refusal: 'refused', filter: 'refused' },
  codex: { length: 'answer-cut', refusal: 'empty-answer', filter: 'content-filtered' },
  gemini: { length: null, refusal: null, filter: null },
  opencode: { length: 'answer-cut', refusal: 'content-filtered', filter: 'content-filtered' },
  copilot: { length: null, refusal: null, filter: null },
} as const;

/** Tests every failure with one CLI; in the short form, one failure of each category. */
export function testFailures(name: CliName): void {
  describe(`where ${name} meets`, () => {
    testCells(name);
  });
  describe.skipIf(isShort)(`where ${name} is not given the whole answer`, () => {
    testEnds(name);
  });
}

/** What the CLI does not wait out for too long, and of that one of each kind where time is short: its own first. */
function cellsFor(name: CliName): readonly Cell[] {
  const cells = isShort ? [...own[name], ...common] : [...common, ...own[name]];
  const all = cells.filter(([what]) => isFull || !isPatient(name, what));
  if (!isShort) return all;
  // A connection that breaks and an answer that cannot be read are two ways to the same category.
  const kindOf = ([, reply, category]: Cell) => `${category} ${reply.kind}`;
  return all.filter((cell, at) => all.findIndex((one) => kindOf(one) === kindOf(cell)) === at);
}

function testCells(name: CliName): void {
  const cli = realClis[name];
  const bench = cliBench(cli);

  test.each(cellsFor(name))('%s, it ends in time, rightly named', async (what, reply, category) => {
    const { end } = await bench.ask(bench.scripted(reply), {
      limits: { totalMs: isPatient(name, what) ? 90_000 : 45_000 },
    });
    bench.keep(`failed-${what.replaceAll(' ', '-')}`);
    expect(answerOf(end)).toMatchObject({ category, agent: name });
    expect(end.facts.exitCode).not.toBe(null);
  });

  test.each(isShort ? (['middle'] as const) : (['before', 'middle'] as const))(
    'a model that hangs (%s), it is left',
    async (when) => {
      const prompt = bench.scripted({ kind: 'hang', when });
      const { end } = await bench.ask(prompt, { limits: { firstOutputMs: 8_000, idleMs: 3_000 } });
      expect(answerOf(end)).toMatchObject({
        category: expect.stringMatching(/^(?:silent|timed-out)$/),
        // One tells nothing before the model has said something.
        detail: expect.stringMatching(/^no output (?:for 3|within 8) s/),
      });
      expect(end.facts.durationMs).toBeLessThan(12_000);
    },
  );

  test.skipIf(isShort || (isPatient(name, 'no network') && !isFull))(
    'no network, it ends in time',
    async () => {
      const nobody = 'http://127.0.0.1:9';
      const closed = bench.roomFor(cli.adapter, cli.environment(nobody));
      // With a model: one CLI would first ask, as long again, which it shall be.
      const request = closed.request('Hello?', { model: cli.model });
      const { end } = await runToEnd(closed.agent(cli.settings(nobody)), request);
      expect(answerOf(end)).toMatchObject({ category: 'network' });
      // One asks again for half a minute.
      expect(end.facts.durationMs).toBeLessThan(60_000);
    },
  );
}

function testEnds(name: CliName): void {
  const bench = cliBench(realClis[name]);

  test('it is named for what it is', async () => {
    for (const by of ends) {
      const { end } = await bench.ask(bench.scripted({ kind: 'broken', by, text: cut }));
      const category = told[name][by];
      const ending = end.ok ? { ok: true, text: cut } : { ok: false, failure: { category } };
      expect(end).toMatchObject(ending);
      expect(end.ok).toBe(category === null);
    }
  });
}
