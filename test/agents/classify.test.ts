import { describe, expect, test } from 'vitest';
import { classifyEnd, type BadEnd } from '../../src/agents/classify.ts';
import { retryAfterIn, toldFailure } from '../../src/agents/phrases.ts';
import type { FailureCategory } from '../../src/model/agent-failure.ts';
import { cpuFloors } from '../helpers/cpu-floors.ts';
import { noLimits } from './agent-room.ts';

const adapter = {
  name: 'fake',
  command: 'fakecli',
  install: 'npm install -g fakecli',
  login: 'fakecli login',
};

function bad(process: Partial<BadEnd['process']> = {}, more: Partial<BadEnd> = {}): BadEnd {
  return {
    adapter,
    limits: { ...noLimits, firstOutputMs: 60_000, idleMs: 1_500 },
    process: {
      exitCode: 1,
      signal: null,
      timedOut: null,
      cancelled: false,
      spawnError: null,
      stderrTail: '',
      outputBytes: 0,
      durationMs: 1,
      notes: [],
      ...process,
    },
    error: null,
    retrying: null,
    plainOutput: '',
    hasText: false,
    completed: false,
    ...more,
  };
}

const errorEvent = (
  category: FailureCategory,
  text = 'it failed',
  retry_after_ms: number | null = null,
) => ({
  kind: 'error' as const,
  category,
  text,
  retry_after_ms,
});

// What programs say on stderr, the category, and the wait in ms.
type Cell = readonly [string, FailureCategory, (number | null)?];
const texts: readonly Cell[] = [
  ['Error: Not logged in · Please run /login', 'not-logged-in'],
  ['Invalid API key · Fix external API key', 'not-logged-in'],
  ['No authentication information found.', 'not-logged-in'],
  ['Invalid auth method selected.', 'not-logged-in'],
  ['Missing environment variable: `OPENAI_API_KEY`.', 'not-logged-in'],
  ['unexpected status 401 Unauthorized: bad token', 'not-logged-in'],
  [
    'Error: thread/resume failed: no rollout found for thread id 01a1 (code -32600)',
    'session-lost',
  ],
  ['No conversation found with session ID: 01a1', 'session-lost'],
  ['Error resuming session: Invalid session identifier "01a1".', 'session-lost'],
  ['Error resuming session: No previous sessions found for this project.', 'session-lost'],
  ['HTTP 403 Forbidden', 'not-logged-in'],
  [
    '{"error":{"code":401,"message":"Request had invalid authentication credentials."}}',
    'not-logged-in',
  ],
  ['Your access token has expired, sign in again', 'not-logged-in'],
  ['You must first run "fake auth login"', 'not-logged-in'],
  ['API key not found in the environment', 'not-logged-in'],
  ['Please set an Auth method in your settings.json', 'not-logged-in'],
  ['When using it, you must specify the FAKE_API_KEY environment variable.', 'not-logged-in'],
  ['When using Vertex AI, you must specify either:', 'not-logged-in'],
  ['OAuth token revoked · Please run /login', 'not-logged-in'],
  ['status: 429 Too Many Requests', 'rate-limited', null],
  ['Rate limit reached. Please try again in 20.5s.', 'rate-limited', 20_500],
  ['429 Too Many Requests (retry-after: 30)', 'rate-limited', 30_000],
  ['rate_limit_error: retry after 5 minutes', 'rate-limited', 300_000],
  ['Overloaded (status 529)', 'rate-limited', null],
  ['RESOURCE_EXHAUSTED: Please retry in 12.345s.', 'rate-limited', 12_345],
  ['Quota exceeded, "retryDelay": "34s"', 'rate-limited', 34_000],
  [
    "You've hit your usage limit. Try again in 3 days 4 hours 5 minutes.",
    'rate-limited',
    273_900_000,
  ],
  ['usage limit reached, resets in 2h 30m', 'rate-limited', 9_000_000],
  ['Too many requests, retry-after-ms: 1500', 'rate-limited', 1_500],
  ['Quota exceeded for GenerateRequestsPerDay, retry in 12s', 'rate-limited', null],
  ['You have exhausted your daily quota. Please retry in 5s.', 'rate-limited', null],
  ['Error: insufficient_quota, check your plan and billing details', 'rate-limited', null],
  ['Credit balance is too low', 'rate-limited', null],
  ['connect ECONNREFUSED 127.0.0.1:443', 'network'],
  ['getaddrinfo ENOTFOUND api.example.invalid', 'network'],
  ['read ETIMEDOUT', 'network'],
  ['socket hang up', 'network'],
  ['TypeError: fetch failed', 'network'],
  ['network error: the connection was lost', 'network'],
  ['error sending request: connection closed before message completed', 'network'],
  ['stream disconnected before completion', 'network'],
  ['status code 503: Service Unavailable', 'network'],
  ['500 Internal Server Error', 'network'],
  ['self-signed certificate in certificate chain', 'network'],
  ['Failed to log in: getaddrinfo EAI_AGAIN auth.example.invalid', 'network'],
  ['tool write_file was denied by policy', 'permission-refused'],
  ['! permission requested: external_directory; auto-rejecting', 'permission-refused'],
  ['This command requires approval', 'permission-refused'],
  [
    'Not inside a trusted directory and --skip-git-repo-check was not specified.',
    'permission-refused',
  ],
  ['blocked by the sandbox policy', 'permission-refused'],
];

// What must not be taken for more than it is.
const harmless = [
  'TypeError: Cannot read properties of undefined',
  'took 401 ms for 429 files',
  'Ripgrep is not available. Falling back to GrepTool.',
  'Loaded cached credentials.',
  'Reading additional input from stdin...',
  'Warning: 256-color support not detected.',
  '[STARTUP] Phase: load_settings 403.12 ms',
  'at Object.<anonymous> (/app/dist/login-form.js:500:21)',
];

describe('what a program says on stderr', () => {
  test.each(texts.map((cell) => ({ text: cell[0], cell })))('$text', ({ cell }) => {
    const [stderrTail, category, retryAfterMs = null] = cell;
    const failure = classifyEnd(
      bad({ stderrTail: `some noise\n${stderrTail}\n    at run (main.js:1:1)\n` }),
    );
    expect(failure).toMatchObject({ category, agent: 'fake', retry_after_ms: retryAfterMs });
    expect(failure.detail).toContain(stderrTail.slice(0, 20));
  });

  test.each(harmless)('is no known failure: %s', (stderrTail) => {
    expect(classifyEnd(bad({ stderrTail })).category).toBe('crashed');
    expect(toldFailure(stderrTail)).toBe(null);
  });

  test('counts also where the exit code is 0, and also in plain text on stdout', () => {
    expect(classifyEnd(bad({ exitCode: 0, stderrTail: 'socket hang up' })).category).toBe(
      'network',
    );
    expect(classifyEnd(bad({}, { plainOutput: 'Please run /login' })).category).toBe(
      'not-logged-in',
    );
  });

  test('is judged by its last telling line', () => {
    const stderrTail =
      'connect ECONNREFUSED 127.0.0.1:9 (mcp server)\nretrying\nNot logged in\nbye';
    expect(classifyEnd(bad({ stderrTail })).category).toBe('not-logged-in');
  });
});

describe('the order of reasons', () => {
  const rateLimited = errorEvent('rate-limited', 'slow down', 2_000.4);
  const cells: readonly (readonly [string, BadEnd, FailureCategory, (number | null)?])[] = [
    [
      'a cancellation comes before all',
      bad({ cancelled: true }, { error: rateLimited }),
      'cancelled',
    ],
    [
      'an error event comes before a limit',
      bad({ timedOut: 'total' }, { error: rateLimited }),
      'rate-limited',
      2_001,
    ],
    [
      'and before stderr',
      bad({ stderrTail: 'ECONNREFUSED' }, { error: errorEvent('permission-refused') }),
      'permission-refused',
    ],
    [
      'its wait may stand in its text',
      bad({}, { error: errorEvent('rate-limited', 'try again in 5m') }),
      'rate-limited',
      300_000,
    ],
    [
      'a daily quota has no wait',
      bad({}, { error: errorEvent('rate-limited', 'daily quota, retry in 5s') }),
      'rate-limited',
      null,
    ],
    [
      'an unknown error event is read for words',
      bad({}, { error: errorEvent('unknown', '401 Unauthorized') }),
      'not-logged-in',
    ],
    [
      'and gives way to a limit',
      bad({ timedOut: 'idle' }, { error: errorEvent('unknown') }),
      'timed-out',
    ],
    [
      'and to stderr',
      bad({ stderrTail: 'fetch failed' }, { error: errorEvent('unknown') }),
      'network',
    ],
    [
      'be it for the name of a class there',
      bad({ stderrTail: 'ModelNotFoundError: no such' }, { error: errorEvent('unknown') }),
      'request-refused',
    ],
    ['and to a bad exit', bad({}, { error: errorEvent('unknown') }), 'crashed'],
    [
      'but is unknown where nothing else tells',
      bad({ exitCode: 0 }, { error: errorEvent('unknown') }),
      'unknown',
    ],
    [
      'a limit comes before stderr',
      bad({ timedOut: 'first-output', stderrTail: '429 Too many requests' }),
      'timed-out',
    ],
    [
      'a failed start is not installed',
      bad({ exitCode: null, spawnError: { code: 'ENOENT', message: 'x' } }),
      'not-installed',
    ],
    [
      'nor is what may not be executed',
      bad({ exitCode: null, spawnError: { code: 'EACCES', message: 'x' } }),
      'not-installed',
    ],
    [
      'any other failed start is a crash',
      bad({ exitCode: null, spawnError: { code: 'E2BIG', message: 'x' } }),
      'crashed',
    ],
    [
      'a launcher without its interpreter is not installed',
      bad({ exitCode: 127, stderrTail: 'env: node: No such file' }),
      'not-installed',
    ],
    [
      'a bad exit is a crash',
      bad({ exitCode: 3, stderrTail: 'sh: foo: command not found' }),
      'crashed',
    ],
    ['so is a signal', bad({ exitCode: null, signal: 'SIGSEGV' }), 'crashed'],
    ['so is an end that nobody saw', bad({ exitCode: null }), 'crashed'],
    ['a good exit without text is empty', bad({ exitCode: 0 }), 'empty-answer'],
    ['also after a completion', bad({ exitCode: 0 }, { completed: true }), 'empty-answer'],
    ['a text without a completion is unknown', bad({ exitCode: 0 }, { hasText: true }), 'unknown'],
  ];

  test.each(cells.map((cell) => ({ name: cell[0], cell })))('$name', ({ cell }) => {
    const [, end, category, retryAfterMs = null] = cell;
    expect(classifyEnd(end)).toMatchObject({ category, retry_after_ms: retryAfterMs });
  });
});

const detailOf = (...end: Parameters<typeof bad>) => classifyEnd(bad(...end)).detail;

describe('the detail', () => {
  test('is one safe, short line', () => {
    const stderrTail = `noise\n\u001b]0;owned\u0007${'👍'.repeat(600)}\u202e`;
    const detail = detailOf({ stderrTail });
    expect(detail).toMatch(/^it ended with exit code 1: 👍+…$/u);
    expect(detail.length).toBeLessThanOrEqual(500);
    expect(detail.isWellFormed()).toBe(true);
    expect(detailOf({}, { error: errorEvent('crashed', 'one\n\n  two\u001b[2J') })).toBe('one two');
  });

  test('names the limit, and what was retried meanwhile', () => {
    expect(detailOf({ timedOut: 'first-output' })).toBe('no output within 60 s');
    expect(detailOf({ timedOut: 'idle' }, { retrying: '529 overloaded' })).toBe(
      'no output for 1.5 s; it was retrying: 529 overloaded',
    );
  });

  test('takes a limit that is hit while it waits for a rate limit to pass for what it is', () => {
    for (const [retrying, category] of [
      ['1/5 (last status: 429 Too Many Requests)', 'rate-limited'],
      ['2/5 (stream disconnected)', 'timed-out'],
      [null, 'timed-out'],
    ] as const) {
      const end = bad({ timedOut: 'idle' }, { retrying });
      expect(classifyEnd(end).category).toBe(category);
    }
  });

  test('says how to install and how to log in', () => {
    expect(detailOf({ spawnError: { code: 'ENOENT', message: 'x' } })).toBe(
      '"fakecli" was not found; to install it: npm install -g fakecli',
    );
    expect(detailOf({ stderrTail: 'Not logged in' })).toBe(
      'Not logged in (to log in: fakecli login)',
    );
  });

  test('names signal and last words of a crash', () => {
    expect(detailOf({ exitCode: null, signal: 'SIGSEGV', stderrTail: 'a\nb\n' })).toBe(
      'it ended with signal SIGSEGV: b',
    );
  });
});

test.each([
  ['retry-after: 5', 5_000],
  ['Retry-After=2.5', 2_500],
  ['"retry_after": 7', 7_000],
  ['wait for 90 seconds', 90_000],
  ['try again in 1h2m3s', 3_723_000],
  ['try again in 2 hours and 5 minutes', 7_500_000],
  ['retrying in 250ms', 250],
  ['resets in 1 day', 86_400_000],
  ['available again in about 3 min', 180_000],
  ['try again later', null],
  ['100 requests per day, retry in 5s', null],
  [`try again in ${'9'.repeat(40)}s`, null],
])('the wait in "%s" is %s ms', (text, ms) => {
  expect(retryAfterIn(text)).toBe(ms);
});

test('hostile text is read in a moment', () => {
  const startedAt = cpuFloors();
  for (const part of [
    'try again in ',
    '1 ',
    'to a ',
    'please ',
    'over ',
    'token ',
    'status: ',
    'retry-after',
  ]) {
    toldFailure(part.repeat(20_000));
    retryAfterIn(part.repeat(5_000));
  }
  expect(cpuFloors() - startedAt).toBeLessThan(40);
});
