import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { treeWatch } from '../../src/agents/tree-watch.ts';
import type { AgentCall, RunningCall } from '../../src/agents/attempt.ts';
import { callAgent } from '../../src/agents/call.ts';
import { Stopped } from '../../src/model/failure.ts';
import { Receipt } from '../../src/model/receipt.ts';
import { type FolderFiles, filesIn } from '../../src/store/folder-files.ts';
import type { Spending } from '../../src/store/steps-port.ts';
import { type AgentRoom, agentRoom, fakeAgent, noLimits } from './agent-room.ts';

let room: AgentRoom;
let folder: FolderFiles;
/** What the call reported, in order. */
let reports: string[];
let spendings: Spending[];
beforeEach(() => {
  room = agentRoom();
  folder = filesIn({ root: room.folder, existing: [] }, 'calls');
  reports = [];
  spendings = [];
});
afterEach(() => {
  room.remove();
});

const { signal } = new AbortController();
const noneLeft = () => Promise.reject(new Error('not asked'));
const unlimited: RunningCall = { over: signal, use: () => undefined, end: () => undefined };

/** A call of a program without a session, a journal or a phase. */
function callOf(agent: AgentCall<string>['agent'], more: Partial<AgentCall<string>> = {}) {
  const call: AgentCall<string> = {
    agent,
    seat: agent.name,
    request: {
      prompt: 'Say something.',
      about: null,
      permission: 'read-only',
      role: null,
      schema: null,
      model: null,
      resume: null,
    },
    form: null,
    workspace: {
      cwd: room.folder,
      extraDirs: [],
      hidden: [],
      keep: async (text) => text.toUpperCase(),
    },
    files: { folder, path: 'turns/1', suffix: '' },
    limits: noLimits,
    mark: `${room.folder}-call`,
    wasKilled: false,
    watch: treeWatch({ root: room.folder, fingerprint: async () => ({ stamps: new Map() }) }),
    skip: new AbortController().signal,
    reserve: async () => unlimited,
    report: {
      started: () => reports.push('started'),
      acted: ({ type }) => reports.push(type),
      spent: (spending) => spendings.push(spending),
    },
    ...more,
  };
  return callAgent(call, signal);
}

/** A program that gives this answer, after a while. */
function speaker(action: object) {
  const script = join(room.folder, 'script.json');
  return folder
    .writeJson('script.json', { model: 'm-1', else: action })
    .then(() => fakeAgent('vendor', [script]));
}

test('an answer is kept by the workspace, with prompt, raw output and receipt on disk', async () => {
  const attempt = await callOf(await speaker({ answer: 'fine' }));
  expect(attempt).toMatchObject({ ended: 'answered', value: 'FINE', tree: [] });
  expect(reports).toEqual(['started', 'started', 'tool_call', 'message', 'usage', 'completed']);
  expect(spendings).toEqual([{ agent: 'fake', input_tokens: 3, output_tokens: 1, cost_usd: 0 }]);
  expect(await folder.list('turns/1')).toEqual([
    'answer.json',
    'events.jsonl',
    'prompt.md',
    'receipt.json',
  ]);
  expect(await folder.read('turns/1/prompt.md')).toBe('Say something.');
  const receipt = Receipt.parse(JSON.parse((await folder.read('turns/1/receipt.json')) ?? ''));
  expect(receipt).toEqual(attempt.receipt);
  expect(receipt).toMatchObject({
    agent: 'fake',
    model: 'm-1',
    path: process.execPath,
    raw_output: 'turns/1/events.jsonl',
    exit_code: 0,
    failure: null,
  });
});

test('a request goes without its invisible characters, and the receipt counts them', async () => {
  const agent = await speaker({ answer: 'fine' });
  const request = { prompt: 'Say\u200B some\u{E0061}\u{E0062}thing.\u202E', about: null };
  const attempt = await callOf(agent, {
    request: {
      ...request,
      permission: 'read-only',
      role: null,
      schema: null,
      model: null,
      resume: null,
    },
  });
  expect(await folder.read('turns/1/prompt.md')).toBe('Say something.');
  expect(attempt.receipt.notes).toContain('removed 4 invisible characters from its request');
});

test('a failed run has a receipt with the reason, and no answer', async () => {
  const attempt = await callOf(fakeAgent('crash'));
  expect(attempt).toMatchObject({
    ended: 'failed',
    failure: { category: 'crashed', agent: 'fake' },
  });
  expect(await folder.list('turns/1')).not.toContain('answer.json');
  expect(await folder.list('turns/1')).toContain('receipt.json');
  expect(attempt.receipt).toMatchObject({ exit_code: 3, failure: { category: 'crashed' } });
});

test('an agent that is missing is not started, and costs nothing', async () => {
  const missing = fakeAgent('vendor', [], { path: '/nowhere/agent' });
  const attempt = await callOf(missing, { reserve: noneLeft });
  expect(attempt).toMatchObject({ ended: 'failed', failure: { category: 'not-installed' } });
  expect(reports).toEqual(['started']);
  expect(await folder.list('turns/1')).toEqual(['prompt.md']);
});

test('a call that a person skips ends as cancelled', async () => {
  const skip = new AbortController();
  const report = {
    started: () => undefined,
    acted: () => skip.abort(),
    spent: () => undefined,
  };
  const attempt = await callOf(fakeAgent('slow', ['20000']), { skip: skip.signal, report });
  expect(attempt).toMatchObject({ ended: 'failed', failure: { category: 'cancelled' } });
});

test('a call without room in the budget rejects before the agent is asked', async () => {
  const over = new Stopped({ reason: 'usage', message: 'no money left' });
  const reserve = () => Promise.reject(over);
  await expect(callOf(await speaker({ answer: 'fine' }), { reserve })).rejects.toBe(over);
  expect(reports).toEqual([]);
});

test('a call that uses up the budget is ended, unless its answer is complete', async () => {
  const usage = { kind: 'usage', tokens: { input: 9, output: 9 }, cost_usd: 1 };
  const over = new Stopped({ reason: 'usage', message: 'the budget is used up' });
  let ends = 0;
  const reserve = async (): Promise<RunningCall> => {
    const stop = new AbortController();
    return { over: stop.signal, use: () => stop.abort(over), end: () => (ends += 1) };
  };
  const endless = await speaker({ events: [usage], delay_ms: 20_000, answer: 'late' });
  await expect(callOf(endless, { reserve })).rejects.toBe(over);
  // In one piece, as the call may be ended between what it used and its end.
  const whole = [{ kind: 'message', text: 'in time', partial: false }, usage];
  const lines = [...whole, { kind: 'completed', text: null }].map((one) => JSON.stringify(one));
  const quick = await speaker({ chunks: [`${lines.join('\n')}\n`] });
  expect(await callOf(quick, { reserve })).toMatchObject({ ended: 'answered', value: 'IN TIME' });
  expect(ends).toBe(2);
});

test('work that was complete when the program was killed is kept without a call', async () => {
  const workspace = {
    cwd: room.folder,
    extraDirs: [],
    hidden: [],
    prepare: async ({ wasKilled }: { wasKilled: boolean }) => (wasKilled ? 'already done' : null),
  };
  const attempt = await callOf(fakeAgent('hang'), { workspace, wasKilled: true });
  expect(attempt).toMatchObject({ ended: 'answered', value: 'already done' });
  expect(reports).toEqual([]);
});

const nothing = { input_tokens: 0, output_tokens: 0, cost_usd: 0 };
const workspace = () => ({
  cwd: room.folder,
  extraDirs: [],
  hidden: [],
  keep: async (text: string) => text.toUpperCase(),
  keepLeft: async (text: string) => `${text}, kept`,
});
const since = () => new Date(Date.now() - 5).toISOString();

describe('an answer that was complete when the program was killed', () => {
  test('is taken from the raw output, and nobody is asked', async () => {
    const before = { since: since(), spent: nothing };
    await callOf(await speaker({ answer: 'fine' }));
    reports.length = 0;
    spendings.length = 0;
    const again = { workspace: workspace(), wasKilled: true, interrupted: before };
    const attempt = await callOf(fakeAgent('hang'), again);
    expect(attempt).toMatchObject({ ended: 'answered', value: 'fine, kept' });
    expect(attempt.receipt.notes).toEqual([
      'its answer was complete when the program was killed, and is kept',
    ]);
    expect(attempt.receipt).toMatchObject({ model: 'm-1', exit_code: null });
    expect(reports).toEqual([]);
    // The killed program had not written down what it used.
    expect(spendings).toEqual([{ agent: 'fake', input_tokens: 3, output_tokens: 1, cost_usd: 0 }]);
  });

  test('counts once, where the killed program had written down what it used', async () => {
    const before = { since: since(), spent: { ...nothing, input_tokens: 3, output_tokens: 1 } };
    await callOf(await speaker({ answer: 'fine' }));
    spendings.length = 0;
    await callOf(fakeAgent('hang'), { workspace: workspace(), interrupted: before });
    expect(spendings).toEqual([]);
  });

  test.each([
    { kind: 'is of an earlier run', action: { answer: 'old' }, later: 60_000 },
    { kind: 'has no end', action: { chunks: ['{"kind":"message","text":"a"}\n'] }, later: 0 },
    { kind: 'is a failure', action: { exit: 1, stderr: 'overloaded' }, later: 0 },
  ])('is not taken from an output that $kind', async ({ action, later }) => {
    const before = { since: new Date(Date.now() - 5 + later).toISOString(), spent: nothing };
    await callOf(await speaker(action));
    const attempt = await callOf(await speaker({ answer: 'new' }), { interrupted: before });
    expect(attempt).toMatchObject({ ended: 'answered', value: 'NEW' });
  });

  test('has its secrets taken out first', async () => {
    const before = { since: since(), spent: nothing };
    const key = `sk-ant-api03-${'x1'.repeat(40)}`;
    await folder.write(
      'turns/1/events.jsonl',
      `${JSON.stringify({ kind: 'completed', text: key })}\n`,
    );
    await callOf(fakeAgent('hang'), { workspace: workspace(), interrupted: before });
    expect(await folder.read('turns/1/events.jsonl')).not.toContain(key);
  });
});
