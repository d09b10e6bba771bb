import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { errorEvent } from '../../../src/agents/cli/adapter-parts.ts';
import type { AgentAdapter } from '../../../src/agents/agent.ts';
import { classifyEnd } from '../../../src/agents/classify.ts';
import { adapters } from '../../../src/agents/cli/list.ts';
import { notStarted } from '../../../src/agents/process/start-program.ts';
import type { AgentEvent } from '../../../src/model/agent-event.ts';
import { noLimits } from '../agent-room.ts';

/** How each CLI reports an error on its own output, with no HTTP status beside it. */
const reports: Readonly<Record<string, (text: string) => object>> = {
  claude: (result) => ({ type: 'result', subtype: 'success', is_error: true, result }),
  codex: (message) => ({ type: 'turn.failed', error: { message } }),
  gemini: (message) => ({ type: 'result', status: 'error', error: { type: 'Error', message } }),
  copilot: (message) => ({ type: 'session.error', data: { message } }),
  opencode: (message) => ({ type: 'error', error: { name: 'UnknownError', data: { message } } }),
};

/** What users of the CLIs were told, and the public threads in which they quote it. */
const table = readFileSync(new URL('../../fixtures/real-errors.txt', import.meta.url), 'utf8');
const cells = table.split(/^# /m).flatMap((part) => {
  const [name = '', ...lines] = part.trim().split('\n');
  return lines.map((line) => {
    const [category = '', thread = '', ...words] = line.split(' | ');
    const [text = '', wait = null] = words.join(' | ').split(' => ');
    return { name, category, thread, text, wait: wait === null ? null : Number(wait) };
  });
});

test('there are many of them, of each CLI', () => {
  expect(cells.length).toBeGreaterThanOrEqual(30);
  const tried = adapters.filter(({ isUntried }) => isUntried !== true);
  expect([...new Set(cells.map(({ name }) => name))]).toEqual(tried.map(({ name }) => name));
});

test.each(cells)('$name, $thread: $text', ({ name, category, text, wait }) => {
  const adapter = adapters.find((one) => one.name === name);
  if (adapter === undefined) throw new Error(`nobody is called ${name}`);
  const expected = { category, retry_after_ms: wait };
  expect(failureOf(adapter, { stderr: text })).toMatchObject(expected);
  const line = JSON.stringify(reports[name]?.(text));
  expect(failureOf(adapter, { events: [adapter.read(line)].flat() })).toMatchObject(expected);
});

test.each([
  [400, 'token limit exceeded', 'request-refused'],
  [400, 'the body is not valid JSON', 'request-refused'],
  [400, 'API key not valid', 'not-logged-in'],
  [400, 'unauthorized client for this model', 'request-refused'],
  [null, 'API Error: 400 unauthorized field in the body', 'request-refused'],
  [403, 'connection closed error', 'not-logged-in'],
  [403, 'API rate limit exceeded', 'rate-limited'],
  [503, 'The model is overloaded', 'network'],
  [429, 'Your monthly quota is used up', 'quota-used-up'],
  [null, 'You have reached your usage limit', 'quota-used-up'],
  [null, 'Your refresh token has already been used', 'not-logged-in'],
  [null, 'API Error: Request timed out.', 'timed-out'],
  [null, 'request timed out', 'network'],
])('status %s and “%s” are %s: words only make a status more precise', (status, text, category) => {
  expect(errorEvent(text, status)).toMatchObject({ category });
});

function failureOf(
  adapter: AgentAdapter,
  { stderr = '', events = [] }: { stderr?: string; events?: readonly AgentEvent[] },
) {
  return classifyEnd({
    adapter,
    limits: noLimits,
    process: { ...notStarted, exitCode: 1, stderrTail: stderr },
    error: events.find((event) => event.type === 'error') ?? null,
    retrying: null,
    plainOutput: '',
    text: '',
    reasoning: '',
    completed: false,
  });
}
