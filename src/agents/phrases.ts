// Lists known phrases on an error stream with their meaning.
import { stripVTControlCharacters } from 'node:util';
import type { FailureCategory } from '../model/agent-event.ts';

interface StatedFailure {
  readonly category: FailureCategory;
  /** The line with the phrase. */
  readonly line: string;
  /** The wait in ms, if the text names one. */
  readonly retryAfterMs: number | null;
}

/**
 * Determines why a program failed, by known phrases in its output, or null. The last matching line
 * counts, because programs log faults that they overcame before those that ended them.
 */
export function failureIn(text: string): StatedFailure | null {
  const lines = stripVTControlCharacters(text.slice(-32_768)).split('\n');
  for (const line of lines.toReversed()) {
    const told = phrases.find(([, phrase]) => phrase.test(line));
    if (told === undefined) continue;
    const [category] = told;
    const limit = category === 'rate-limited' ? limitIn(text) : { category, retryAfterMs: null };
    return { ...limit, line: saidIn(line.trim()) };
  }
  return null;
}

/**
 * The line in which a program that ended says why: its last one that starts like an error, because
 * a crash ends with places in the code and version numbers; or else the last line.
 */
export function errorLine(text: string): string {
  const lines = stripVTControlCharacters(text).trimEnd().split('\n');
  const said = lines.findLast((line) => namesError.test(line));
  return (said ?? lines.at(-1) ?? '').trim();
}

/** Matches `SyntaxError: …`, `TypeError [CODE]: …`, `java.io.IOException: …`, `error: …`, `panic: …`. */
const namesError = /^(?:[\w.]*(?:Error|Exception)|error|fatal|panic)\b[^:]{0,40}: ?\S/i;

// In a log line, the message is one field among others.
function saidIn(line: string): string {
  return /\blevel=\S+ .*?\berror="([^"]+)"/.exec(line)?.[1] ?? line;
}

/** Tells whether a limit is temporary, and the wait in ms if the text names one. */
export function limitIn(
  text: string,
  asked: number | null = null,
): Pick<StatedFailure, 'category' | 'retryAfterMs'> {
  const retryAfterMs = asked ?? retryAfterIn(text);
  const isUsedUp =
    retryAfterMs === null &&
    (longQuota.test(text) || (planLimit.test(text) && !/per[ _-]?minute/i.test(text)));
  return { category: isUsedUp ? 'quota-used-up' : 'rate-limited', retryAfterMs };
}

/** The wait in ms that a rate-limit text asks for; null if it names none or the quota is daily. */
export function retryAfterIn(text: string): number | null {
  if (longQuota.test(text)) return null;
  const inMs = /retry[-_ ]?after[-_ ]?ms["'\s:=]+(\d+)/i.exec(text)?.[1];
  if (inMs !== undefined) return Number(inMs);
  const told = waitPhrases
    .map((phrase) => phrase.exec(text)?.[1])
    .find((part) => part !== undefined);
  return told === undefined ? null : durationOf(told);
}

// A status code counts only next to a word like “status”: logs are full of numbers.
const statusCode = (codes: string) =>
  `\\b(?:https?(?:/[\\d.]+)?|status(?:[ _]?code)?|code|\\w*error|response)\\b[\\s"':=(]{0,4}(?:${codes})\\b`;

// The order matters within one line: "429 … check your plan" is a limit, not a login.
const phrases: readonly (readonly [FailureCategory, RegExp])[] = [
  ['answer-cut', /output token maximum|reason: max_output_tokens|response was truncated/i],
  ['content-filtered', /reason: content_filter|response was blocked/i],
  ['refused', /unable to respond to this request|violates? our usage policy/i],
  // Only Claude Code capitalises it, for a whole turn that timed out.
  ['timed-out', /maximum number of turns|max session turns|^(?:API Error: )?Request timed out/],
  ['empty-answer', /returned an empty response|no final response text|no response was returned/i],
  [
    'session-lost',
    any([
      '\\bno (?:rollout|conversation|session|previous sessions) found\\b|\\bsession not found\\b',
      '\\binvalid session identifier\\b|\\bno session, task, or name matched\\b|does not match any session',
    ]),
  ],
  [
    'rate-limited',
    any([
      statusCode('429|529'),
      '\\b429\\b.{0,40}too many|too many requests|rate.?limit|overloaded|resource.?exhausted|at capacity',
      'quota (?:was |is |has been )?(?:exceeded|reached|exhausted)|(?:exceeded|exhausted|reached|over|out of|insufficient).{0,40}\\bquota',
      '(?:usage|request|token|message|plan|hour|weekly)s? limit.{0,20}(?:reached|exceeded|hit)|hit your .{0,20}limit|insufficient_quota',
      '(?:reached|hit|exceeded).{0,30}(?:usage|request|plan) limit|quota.{0,20}used up',
      'credit balance|\\bno quota\\b|retry[-_ ]?after|premium request|ai credits|exceeded.{0,40}token usage',
    ]),
  ],
  [
    'network',
    any([
      '\\bE(?:CONNREFUSED|CONNRESET|CONNABORTED|NOTFOUND|TIMEDOUT|AI_AGAIN|NETUNREACH|HOSTUNREACH|PROTO)\\b',
      'UND_ERR_|ERR_(?:NETWORK|INTERNET|NAME_NOT_RESOLVED|CONNECTION)|getaddrinfo|socket hang up|fetch failed',
    ]),
  ],
  [
    'request-refused',
    any([
      'ModelNotFoundError\\b|\\bmodel_not_(?:found|supported)|\\bmodel not found|require an explicit model',
      '\\bmodels?\\b.{0,60}(?:does not exist|\\b(?:is|was) not (?:available|supported|found))',
      'no (?:supported )?model available|access denied by .{0,20}policy|policy to be enabled',
      'context window|prompt (?:as|is) too long|prompt budget|invalid schema|plan, upgrade to',
      'is not supported (?:with|for|when)|upgrade to the latest|entity was not found',
    ]),
  ],
  [
    'not-logged-in',
    any([
      statusCode('401|403'),
      '\\b40[13]\\b.{0,20}(?:unauthori[sz]ed|forbidden)|unauthori[sz]ed|unauthenticated|authentication_error',
      'IneligibleTier|no longer supported for gemini code assist',
      'not (?:logged|signed) in|not authenticated|login required|\\bno(?:t .{0,20})? authentication (?:info|credentials)',
      '(?:please|must|need to|to|first) (?:run )?[\\w\\s`"\'/-]{0,24}\\b(?:log ?in|sign ?in|authenticate)\\b|(?:^|\\s)/login\\b',
      '(?:invalid|incorrect|missing|expired|no|bad|unknown|revoked)\\b.{0,20}\\bapi[ _-]?key',
      'api[ _-]?key.{0,40}(?:not (?:valid|found|set|configured)|missing|invalid|required|expired|incorrect)',
      'authentication (?:failed|required|error|cancelled)|failed.{0,40}: 40[13]\\b|failed to authenticate|invalid auth method|set an auth method',
      '(?:credentials?|(?:access|auth|authentication|oauth|refresh) token).{0,24}(?:expired|missing|invalid|not found|could not be|revoked)',
      'missing environment variable|refresh token has already been used|must specify the \\w*(?:KEY|TOKEN)\\b',
      'when using .{1,20}, you must specify either|no providers are available',
    ]),
  ],
  [
    'permission-refused',
    any([
      '(?:denied|blocked|refused|rejected|forbidden|disallowed) by (?:\\w+ ){0,3}(?:policy|sandbox|permissions?|rules?|user|settings)',
      'permission (?:requested|required).{0,60}(?:reject|denied|refused)|auto-?reject',
      '(?:requires?|needs?|waiting for|without) (?:your |user |an? )?(?:approval|permission)|approval (?:is )?(?:required|needed)',
      'not (?:inside|in|running in) a trusted (?:directory|folder|workspace)|untrusted (?:directory|folder|workspace)',
      'operation not permitted by|tool .{0,40}(?:is not allowed|was denied|is denied)',
    ]),
  ],
  [
    'network',
    any([
      statusCode('50[0234]'),
      'internal server error|bad gateway|service (?:is )?(?:temporarily )?unavailable|gateway time-?out',
      'network (?:error|failure|request failed|is unreachable|timeout|connection)|no internet|dns (?:error|lookup)',
      'connection.{0,20}(?:refused|reset|closed|lost|aborted|failed|terminated|timed out|error)|^terminated$',
      'could not resolve host|(?:unable to|could not) connect|socket connection|request timed out|high demand',
      'stream (?:disconnected|closed|ended) (?:before|unexpectedly)|certificate (?:has expired|verify failed)|self-signed certificate',
      'malformed response|premature close|(?:not valid|incomplete) json|json pars|failed to parse .{0,40}stream|failed native model http request',
    ]),
  ],
];

// Providers name a wait of some seconds even if the daily quota is used up.
const longQuota =
  /(?:per|this|each|a|every)[ _-]?(?:day|week|month)\b|PerDay|\b(?:daily|weekly|monthly)\b|\bRPD\b|insufficient_quota|credit balance|billing/i;
// A limit per minute is temporary.
const planLimit =
  /(?:usage|hour) limit|hit your .{0,20}limit|quota exceeded|quota.{0,20}used up|\b(?:exceeded|no|out of)\b.{0,20}\bquota|\bcredits?\b|premium request/i;

const unit =
  '(?:milliseconds?|msecs?|ms|days?|d|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s)(?![a-z])';
const duration = `\\d+(?:\\.\\d+)?(?:\\s*${unit})?(?:[\\s,]*(?:and\\s+)?\\d+(?:\\.\\d+)?\\s*${unit})*`;
const waitPhrases = [
  new RegExp(`retry[-_ ]?(?:after|delay)["'\\s:=]+(${duration})`, 'i'),
  new RegExp(
    `(?:try again|retry(?:ing)?|wait(?:ing)?|resets?|available(?: again)?)\\s+(?:again\\s+)?(?:in|after|for)\\s+(?:about\\s+|at least\\s+)?(${duration})`,
    'i',
  ),
];

function durationOf(text: string): number | null {
  let total = 0;
  for (const [, amount, name] of text.matchAll(
    new RegExp(`(\\d+(?:\\.\\d+)?)\\s*(${unit})?`, 'gi'),
  )) {
    total += Number(amount) * msOf(name?.toLowerCase() ?? 's');
  }
  return Number.isSafeInteger(Math.ceil(total)) ? Math.ceil(total) : null;
}

// A number without a unit means seconds.
function msOf(name: string): number {
  if (name.startsWith('ms') || name.startsWith('milli')) return 1;
  if (name.startsWith('d')) return 86_400_000;
  if (name.startsWith('h')) return 3_600_000;
  return name.startsWith('m') ? 60_000 : 1_000;
}

function any(parts: readonly string[]): RegExp {
  return new RegExp(parts.join('|'), 'i');
}
