import { describe, expect, test } from 'vitest';
import { type BadEnd, classifyEnd, recoveryFor } from '../../src/agents/classify.ts';
import { retryAfterIn, failureIn } from '../../src/agents/phrases.ts';
import { notStarted } from '../../src/agents/process/start-program.ts';
import { errorOf } from '../../src/model/make-events.ts';
import type { AgentFailure, FailureCategory } from '../../src/model/agent-event.ts';
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
    process: { ...notStarted, exitCode: 1, ...process },
    error: null,
    retrying: null,
    plainOutput: '',
    text: '',
    reasoning: '',
    completed: false,
    ...more,
  };
}

const errorEvent = (category: FailureCategory, text = 'it failed', wait: number | null = null) =>
  errorOf(category, text, wait);

/** What programs say on stderr, by category; after `=>` the wait in ms. */
const texts = {
  'empty-answer': String.raw`
    The model returned an empty response with no text or thoughts.
  `,
  'content-filtered': String.raw`
    Incomplete response returned, reason: content_filter
  `,
  'answer-cut': String.raw`
    Incomplete response returned, reason: max_output_tokens
    Model response was truncated because it exceeded the token limit.
  `,
  'timed-out': String.raw`
    Reached maximum number of turns (3)
  `,
  'request-refused': String.raw`
    To use Codex with your ChatGPT plan, upgrade to Plus: https://x
    The model "gpt-9" does not exist or you do not have access to it.
    Execution failed: CAPIError: 400 The requested model is not supported.
    Failed to load models: access denied by Copilot policy.
  `,
  'not-logged-in': String.raw`
    Error: Not logged in · Please run /login
    No authentication information found.
    Invalid auth method selected.
    HTTP 403 Forbidden
    Your access token has expired, sign in again
    API key not found in the environment
    When using it, you must specify the FAKE_API_KEY environment variable.
    When using Vertex AI, you must specify either:
    OAuth token revoked · Please run /login
  `,
  'session-lost': String.raw`
    Error: thread/resume failed: no rollout found for thread id 01a1 (code -32600)
    No conversation found with session ID: 01a1
    Error resuming session: No previous sessions found for this project.
  `,
  'rate-limited': String.raw`
    Selected model is at capacity. Please try a different model.
    status: 429 Too Many Requests
    Rate limit reached. Please try again in 20.5s. => 20500
    429 Too Many Requests (retry-after: 30) => 30000
    Overloaded (status 529)
    Quota exceeded, "retryDelay": "34s" => 34000
    You've hit your usage limit. Try again in 3 days 4 hours 5 minutes. => 273900000
    usage limit reached, resets in 2h 30m => 9000000
    [API Error: Resource has been exhausted (e.g. check quota).]
    Quota exceeded for GenerateContentRequestsPerMinute
  `,
  'quota-used-up': String.raw`
    You’ve hit your usage limit. Visit https://x or try again at 11:43 AM.
    Quota exceeded for GenerateRequestsPerDay, retry in 12s
    You have exhausted your daily quota. Please retry in 5s.
    Credit balance is too low
    5-hour limit reached ∙ resets 3pm
    Opus weekly limit reached ∙ resets Oct 6, 1pm
  `,
  network: String.raw`
    We’re currently experiencing high demand, which may cause temporary errors.
    Connection failed: error sending request
    JSON parsing failed
    getaddrinfo ENOTFOUND api.example.invalid
    socket hang up
    error sending request: connection closed before message completed
    stream disconnected before completion
    status code 503: Service Unavailable
    self-signed certificate in certificate chain
    Failed to log in: getaddrinfo EAI_AGAIN auth.example.invalid
  `,
  'permission-refused': String.raw`
    tool write_file was denied by policy
    ! permission requested: external_directory; auto-rejecting
    This command requires approval
    Not inside a trusted directory and --skip-git-repo-check was not specified.
    blocked by the sandbox policy
  `,
} as const;
const cells = Object.entries(texts).flatMap(([category, lines]) =>
  lines
    .trim()
    .split('\n')
    .map((line) => {
      const [text = '', wait = null] = line.trim().split(' => ');
      return { category, text, wait: wait === null ? null : Number(wait) };
    }),
);

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
  test.each(cells)('$text', ({ text, category, wait }) => {
    const failure = classifyEnd(
      bad({ stderrTail: `some noise\n${text}\n    at run (main.js:1:1)\n` }),
    );
    expect(failure).toMatchObject({ category, agent: 'fake', retry_after_ms: wait });
    expect(failure.detail).toContain(text.slice(0, 20));
  });

  test.each(harmless)('is no known failure: %s', (stderrTail) => {
    expect(classifyEnd(bad({ stderrTail })).category).toBe('crashed');
    expect(failureIn(stderrTail)).toBe(null);
  });

  test('counts also in plain text on stdout', () => {
    const plainOutput = 'Please run /login';
    expect(classifyEnd(bad({}, { plainOutput })).category).toBe('not-logged-in');
  });

  test('is judged by its last telling line', () => {
    const stderrTail =
      'connect ECONNREFUSED 127.0.0.1:9 (mcp server)\nretrying\nNot logged in\nbye';
    expect(classifyEnd(bad({ stderrTail })).category).toBe('not-logged-in');
  });
});

const start = (code: string) => ({ exitCode: null, spawnError: { code, message: 'x' } });
const stderr = (stderrTail: string, more = {}) => ({ stderrTail, ...more });

describe('the order of reasons', () => {
  const limited = { error: errorEvent('rate-limited', 'slow down', 2_000.4) };
  const waits = (text: string) => ({ error: errorEvent('rate-limited', text) });
  const unknown = { error: errorEvent('unknown') };
  const unauthorised = { error: errorEvent('unknown', '401 Unauthorized') };
  const refused = { error: errorEvent('permission-refused') };

  test.each<
    [string, Partial<BadEnd['process']>, Partial<BadEnd>, FailureCategory, (number | null)?]
  >([
    ['a cancellation comes before all', { cancelled: true }, limited, 'cancelled'],
    ['an error event before a limit', { timedOut: 'total' }, limited, 'rate-limited', 2_001],
    ['and before stderr', stderr('ECONNREFUSED'), refused, 'permission-refused'],
    ['its wait may stand in its text', {}, waits('try again in 5m'), 'rate-limited', 300_000],
    [
      'a wait that is over is none',
      {},
      { error: { ...limited.error, retryAfter: -5 } },
      'rate-limited',
      0,
    ],
    ['a daily quota is used up', {}, waits('daily quota, retry in 5s'), 'quota-used-up'],
    ['silence before all output', { timedOut: 'first-output' }, {}, 'silent'],
    ['an unknown error event is read for words', {}, unauthorised, 'not-logged-in'],
    ['and gives way to a limit', { timedOut: 'idle' }, unknown, 'timed-out'],
    ['and to stderr', stderr('fetch failed'), unknown, 'network'],
    ['also to a class there', stderr('ModelNotFoundError: x'), unknown, 'request-refused'],
    ['and to a bad exit', {}, unknown, 'crashed'],
    ['but is unknown where nothing else tells', { exitCode: 0 }, unknown, 'unknown'],
    ['a limit before stderr', stderr('429 too many', { timedOut: 'idle' }), {}, 'timed-out'],
    ['a failed start is not installed', start('ENOENT'), {}, 'not-installed'],
    ['nor is what may not be executed', start('EACCES'), {}, 'not-installed'],
    ['any other failed start is a crash', start('E2BIG'), {}, 'crashed'],
    ['a missing interpreter', stderr('env: node: No', { exitCode: 127 }), {}, 'not-installed'],
    ['a bad exit is a crash', stderr('sh: foo: command not found'), {}, 'crashed'],
    ['so is a signal', { exitCode: null, signal: 'SIGSEGV' }, {}, 'crashed'],
    ['so is an end that nobody saw', { exitCode: null }, {}, 'crashed'],
    ['a good exit without text is empty', { exitCode: 0 }, {}, 'empty-answer'],
    ['also after a completion', { exitCode: 0 }, { completed: true }, 'empty-answer'],
    ['a text without a completion is unknown', { exitCode: 0 }, { text: 'x' }, 'unknown'],
  ])('%s', (_name, process, more, category, wait = null) => {
    expect(classifyEnd(bad(process, more))).toMatchObject({ category, retry_after_ms: wait });
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

  test.each([
    [
      'Node',
      'a.js:1\nlet x = ;\n        ^\n\nSyntaxError: Unexpected token\n    at f (a.js:1)\n\nNode.js v20.20.2',
    ],
    [
      'Node with a code',
      'x\nTypeError [ERR_X]: Unexpected token\n    at f {\n  code: "ERR_X"\n}\n\nNode.js v24.0.0',
    ],
    ['Python', 'Traceback (most recent call last):\n  File "a"\nValueError: Unexpected token'],
    ['Go', 'panic: Unexpected token\n\ngoroutine 1 [running]:\nmain.main()\nexit status 2'],
  ])('of a crash of %s is its error, not its last line', (_, stderrTail) => {
    expect(detailOf({ stderrTail })).toMatch(
      /^it ended with exit code 1: \S+.*: Unexpected token$/,
    );
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

describe('what is done about a failure', () => {
  type Case = readonly [FailureCategory, Partial<AgentFailure>, { readonly hasBackup: boolean }];
  const [free, alone] = [{ hasBackup: true }, { hasBackup: false }];
  const recovery = ([category, more, backup]: Case) =>
    recoveryFor({ category, agent: 'fake', detail: 'x', retry_after_ms: null, ...more }, backup);

  test.each<readonly [Case, number]>([
    [['crashed', {}, free], 250],
    [['silent', {}, free], 250],
    [['session-lost', {}, free], 250],
    [['network', {}, free], 250],
    [['rate-limited', { retry_after_ms: 20_000 }, alone], 20_000],
    [['rate-limited', {}, alone], 60_000],
  ])('%j is tried again after %d ms, spread by a tenth', (one, ms) => {
    const { kind, delayMs } = { delayMs: 0, ...recovery(one) };
    expect(kind).toBe('retry');
    expect(delayMs / ms).toBeGreaterThanOrEqual(1);
    expect(delayMs / ms).toBeLessThanOrEqual(1.1);
  });

  test.each<readonly [Case]>([
    [['network', { retried: true }, alone]],
    [['rate-limited', { retry_after_ms: 20_000 }, free]],
    [['rate-limited', { retry_after_ms: 601_000 }, alone]],
    [['quota-used-up', {}, alone]],
    [['timed-out', {}, alone]],
    [['not-logged-in', {}, alone]],
    [['request-refused', {}, alone]],
    [['not-asked', {}, alone]],
  ])('%j leads to the next agent', (one) => {
    expect(recovery(one)).toEqual({ kind: 'fall-back' });
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
    failureIn(part.repeat(20_000));
    retryAfterIn(part.repeat(5_000));
  }
  expect(cpuFloors() - startedAt).toBeLessThan(40);
});
