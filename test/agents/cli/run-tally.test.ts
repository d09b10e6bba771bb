import { describe, expect, test } from 'vitest';
import { secretFilter } from '../../../src/agents/process/environment.ts';
import { boundEvent, runTally, usageShare } from '../../../src/agents/cli/run-tally.ts';
import type { AgentEvent } from '../../../src/model/agent-event.ts';
import { usageOf } from '../../../src/model/make-events.ts';

const piece = (text: string): AgentEvent => ({ type: 'message', content: text, partial: true });
const message = (text: string): AgentEvent => ({ type: 'message', content: text, partial: false });
const completed = (text: string | null): AgentEvent => ({ type: 'completed', summary: text });

/** The answer that these events add up to. */
function answerOf(...events: readonly AgentEvent[]): string {
  const tally = runTally();
  for (const event of events) tally.add(event);
  return tally.sum().text;
}

const deeds: readonly AgentEvent[] = [
  { type: 'tool_call', name: 'search', detail: 'todo', input: null },
  { type: 'file_read', path: 'a.ts' },
  { type: 'file_change', path: 'a.ts' },
  { type: 'command', command: 'ls', exitCode: 0 },
];

test('the call that nothing has followed is the one under way', () => {
  const tally = runTally();
  const [call, read] = deeds;
  if (call === undefined || read === undefined) throw new Error('no deeds');
  const under = [call, usage(1, 1, 0), read].map(
    (event) => (tally.add(event), tally.sum().calling),
  );
  expect(under).toEqual(['search todo', 'search todo', null]);
});

test.each(deeds)('what was said before a deed is not part of the answer: $kind', (deed) => {
  expect(answerOf(piece('I will look.'), deed, piece('Do '), piece('this.'))).toBe('Do this.');
});

test('what was said before a deed without a word after it is no answer', () => {
  expect(answerOf(piece('I will look.'), ...deeds.slice(0, 1))).toBe('');
});

test('thoughts and warnings do not part an answer', () => {
  const tally = runTally();
  const between: AgentEvent[] = [
    { type: 'thinking', content: 'Hm.' },
    { type: 'warning', message: 'slow' },
  ];
  for (const event of [piece('Do '), ...between, piece('this.')]) tally.add(event);
  expect(tally.sum().text).toBe('Do this.');
});

test('the answer is the text of `completed`, else the last whole message, else the joined parts', () => {
  expect(answerOf(piece('a'), message('b'), completed('c'))).toBe('c');
  expect(answerOf(piece('a'), message('b'), piece('c'), message('d'), completed(null))).toBe('d');
  expect(answerOf(piece('a'), piece('b'), completed(null))).toBe('ab');
});

test.each<[string, readonly AgentEvent[]]>([
  ['only pieces', [piece('I '), piece('look.'), ...deeds, piece('Do '), piece('this.')]],
  [
    'pieces and the whole',
    [
      piece('I '),
      piece('look.'),
      message('I look.'),
      ...deeds,
      piece('Do this.'),
      message('Do this.'),
    ],
  ],
  ['only the whole', [message('I look.'), ...deeds, message('Do this.')]],
])('of an agent that tells %s, each message is shown whole once', (_form, events) => {
  const tally = runTally();
  const shown = [...events, completed(null)].flatMap((event) => tally.add(event));
  const messages = shown.filter((event) => event.type === 'message');
  expect(messages.filter(({ partial }) => !partial)).toEqual([
    message('I look.'),
    message('Do this.'),
  ]);
  const pieces = messages.filter(({ partial }) => partial).map(({ content }) => content);
  expect(['', 'I look.Do this.']).toContain(pieces.join(''));
  expect(tally.sum().text).toBe('Do this.');
});

test('a sentence that an agent says again after what it did is shown again', () => {
  const tally = runTally();
  const said = [piece('I look.'), ...deeds, message('I look.'), ...deeds, completed('Done.')];
  const shown = said.flatMap((event) => tally.add(event));
  const whole = shown.filter((event) => event.type === 'message' && !event.partial);
  expect(whole).toEqual([message('I look.'), message('I look.')]);
});

test('a command and an output have what only their call told', () => {
  const tally = runTally();
  const call = { name: 'shell', input: { command: 'ls' }, detail: 'ls' };
  const nameless = { type: 'tool_call', id: '7', name: '', input: null, detail: '' } as const;
  tally.add({ type: 'tool_call', id: '7', ...call });
  expect(tally.add({ ...nameless, output: 'src' })).toEqual([
    { type: 'tool_call', id: '7', ...call, output: 'src' },
  ]);
  expect(tally.add({ type: 'command', id: '7', command: '', exitCode: 0 })).toEqual([
    { type: 'command', id: '7', command: 'ls', exitCode: 0 },
  ]);
  const lost = { ...nameless, id: '8', output: 'src' };
  expect(tally.add(lost)).toEqual([{ ...lost, name: 'other' }]);
});

test('a text over 4 MB is cut, which is noted', () => {
  const tally = runTally();
  const pieces = ['a'.repeat(4 * 1024 * 1024), 'b', 'c'].map(piece);
  const notes = pieces.map((event) => (tally.add(event), tally.sum().facts.notes));
  const cut = 'only the first 4 MB of its text were kept';
  expect(notes).toEqual([[], [cut], [cut]]);
  expect(tally.sum().text).toMatch(/a$/);
  tally.add(message('all of it'));
  expect(tally.sum()).toMatchObject({ text: 'all of it' });
  expect(tally.sum().facts.notes).toEqual(['only the first 4 MB of its words were shown']);
});

const megabytes = (many: number) => 'a'.repeat(many * 1024 * 1024);

test('of all that a run says, 4 MB are passed on, and no text is kept that is longer', () => {
  const tally = runTally();
  const said = [piece, message, (text: string) => ({ type: 'thinking', content: text }) as const];
  expect(said.map((kind) => tally.add(kind(megabytes(1))).length)).toEqual([1, 1, 1]);
  expect(said.map((kind) => tally.add(kind(megabytes(2))).length)).toEqual([0, 0, 0]);
  expect(tally.add({ type: 'command', command: 'ls', exitCode: 0 })).toHaveLength(1);
  expect(answerOf(piece(megabytes(9)), completed(null))).toBe(megabytes(4));
  expect(answerOf(message(megabytes(9)), completed(null))).toBe(megabytes(4));
  expect(answerOf(completed(megabytes(9)))).toBe(megabytes(4));
});

const thought = (content: string): AgentEvent => ({ type: 'thinking', content });

test('thoughts beyond 4 MB cost no more than the first', () => {
  const tally = runTally();
  tally.add(thought(megabytes(4)));
  for (let words = 0; words < 100_000; words += 1) tally.add(thought('so on and so forth'));
  expect(tally.sum().reasoning).toBe(megabytes(4));
});

const call = { type: 'tool_call', name: 'x', detail: '', input: null } as const;
const outputOf = (output: string) => boundEvent({ ...call, output }, secretFilter({}));

describe('a long text of an event', () => {
  test('loses its middle, and says how much that was', () => {
    const lines = Array.from({ length: 100 }, (_, n) => `line ${n}`);
    const short = [...lines.slice(0, 20), '… 60 lines cut', ...lines.slice(-20)].join('\n');
    expect(outputOf(lines.join('\n'))).toEqual({ ...call, output: short });
    const wide = `${'a'.repeat(1_000)}\n… 5 characters cut\n${'b'.repeat(1_000)}`;
    expect(outputOf(`${'a'.repeat(1_000)}12345${'b'.repeat(1_000)}`)).toMatchObject({
      output: wide,
    });
  });

  test('of a diff, the lines that nothing changed go before those that are new', () => {
    const same = Array.from({ length: 60 }, (_, n) => ` line ${n}`);
    const diff = ['@@ -1,61 +1,62 @@', ...same.slice(0, 30), '-old', '+new', ...same.slice(30)];
    const event = { type: 'file_change', path: 'a.js', diff: diff.join('\n') } as const;
    const short = '@@ -1,61 +1,62 @@\n-old\n+new';
    expect(boundEvent(event, secretFilter({}))).toMatchObject({ diff: short });
    const small = { ...event, diff: ' same\n-old\n+new' };
    expect(boundEvent(small, secretFilter({}))).toEqual(small);
  });

  test.each([
    {
      type: 'tool_call',
      name: 'x',
      detail: 'KEY=a-very-secret-one',
      input: '{}',
      diff: '+KEY=a-very-secret-one',
    },
    { type: 'command', command: 'env', exitCode: 0, output: 'KEY=a-very-secret-one' },
    { type: 'file_change', path: 'x', diff: '+KEY=a-very-secret-one' },
  ] as const)('holds no secret of the environment: $kind', (event) => {
    const told = JSON.stringify(boundEvent(event, secretFilter({ MY_KEY: 'a-very-secret-one' })));
    expect(told).toContain('[MY_KEY]');
    expect(told).not.toContain('a-very-secret-one');
  });

  test('is left as it is where there is none', () => {
    const event = { type: 'command', command: 'ls', exitCode: null } as const;
    expect(boundEvent(event, secretFilter({}))).toEqual(event);
    expect(outputOf('a\n b\n')).toMatchObject({ output: 'a\n b' });
  });
});

const usage = (input: number, output: number, cached: number): AgentEvent =>
  usageOf({ input, output, cached }, null);
const resume = (spent?: { input: number; output: number; cached: number }) => ({
  resume: { agentSession: 'S', cwd: '/', ...(spent === undefined ? {} : { spent }) },
});
const total = { usageOfSession: true };

describe('tokens of a CLI that counts over its whole session', () => {
  test('are what came on top of earlier runs, and of what this one told before', () => {
    const share = usageShare(total, resume({ input: 100, output: 10, cached: 40 }));
    expect(share(usage(150, 15, 40))).toEqual(usage(50, 5, 0));
    expect(share(usage(170, 16, 45))).toEqual(usage(20, 1, 5));
  });

  test('are all its own in a new session, or where nothing is known of the earlier runs', () => {
    expect(usageShare(total, { resume: null })(usage(100, 10, 40))).toEqual(usage(100, 10, 40));
    expect(usageShare(total, resume())(usage(100, 10, 40))).toEqual(usage(100, 10, 40));
  });

  test('are never below zero, e.g. after the CLI began to count anew', () => {
    const share = usageShare(total, resume({ input: 100, output: 10, cached: 40 }));
    expect(share(usage(60, 20, 0))).toEqual(usage(0, 10, 0));
  });
});

test('other events, and those of a CLI that counts each run, stay as they are', () => {
  const share = usageShare({}, resume({ input: 1, output: 1, cached: 1 }));
  expect(share(usage(5, 5, 5))).toEqual(usage(5, 5, 5));
  const said = message('a');
  expect(usageShare(total, { resume: null })(said)).toBe(said);
});
