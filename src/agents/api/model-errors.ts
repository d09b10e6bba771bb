// Says why a model behind an API gave no answer, from what the SDK throws.
import type { AgentEventOf } from '../../model/agent-event.ts';
import { errorOf } from '../../model/make-events.ts';
import { isObject, jsonIn } from '../../model/json.ts';
import { oneLine } from '../../model/wording.ts';
import { errorEvent } from '../cli/adapter-parts.ts';
import { retryAfterIn } from '../phrases.ts';

type ErrorEvent = AgentEventOf<'error'>;

/** An answer of a server that does not come from a model, e.g. a web page. */
export class NoModelAnswer extends Error {}

/**
 * The error event for what the SDK threw or put into its stream. Anything without the status of a
 * refusal is a connection fault: it was interrupted, or the answer cannot be read.
 */
export function modelError(error: unknown): ErrorEvent {
  const { status, text, wait } = factsOf(error);
  const { category } = errorEvent(text, status);
  return errorOf(category === 'unknown' ? 'network' : category, text, wait ?? retryAfterIn(text));
}

interface ErrorFacts {
  readonly status: number | null;
  readonly text: string;
  readonly wait: number | null;
}

function factsOf(error: unknown): ErrorFacts {
  const own = error instanceof Error && error.cause instanceof NoModelAnswer ? error.cause : error;
  if (own instanceof NoModelAnswer) return { status: 400, text: own.message, wait: null };
  if (!isObject(error)) return { status: null, text: String(error), wait: null };
  const { statusCode, responseHeaders, responseBody, message } = error;
  const told = typeof message === 'string' ? message : JSON.stringify(error);
  const status = typeof statusCode === 'number' && statusCode >= 400 ? statusCode : null;
  const wait = isObject(responseHeaders) ? waitIn(responseHeaders) : null;
  const facts = {
    status,
    wait: wait ?? (typeof responseBody === 'string' ? retryAfterIn(responseBody) : null),
  };
  if (status !== null) return { ...facts, text: withWords(told, responseBody) };
  if (typeof statusCode === 'number')
    return { ...facts, text: 'the connection broke off in the middle of the answer' };
  return { ...facts, text: reasonOf(error, told) };
}

/**
 * The longest refusal that is read, in characters: no server says more, and nothing this short is
 * nested too deeply.
 */
const longestRefusal = 16_384;

/** The message that the SDK found, with everything that the server said, at any depth. */
function withWords(message: string, refusal: unknown): string {
  if (typeof refusal !== 'string' || refusal.trim() === '') return message;
  const body = refusal.slice(0, longestRefusal);
  const told = jsonIn(body);
  const found = [...new Set(wordsIn(told))].join(': ');
  const words = oneLine(found || pageText(body));
  const all = words.includes(message) ? words : `${message}: ${words}`;
  return all.slice(0, 500);
}

/** The text of a web page; what it says again, such as its title, is said once. */
function pageText(page: string): string {
  const pieces = page.split(/<[^<>]*>/).map((piece) => piece.trim());
  return [...new Set(pieces)].join(' ');
}

const wordFields = /^(?:errors?|message|msg|details?|reason|title|loc|metadata|raw)$/i;

function wordsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') {
    const inner = jsonIn(value);
    return isObject(inner) ? wordsIn(inner) : [value];
  }
  if (Array.isArray(value)) {
    // The path of a field, e.g. ["body", "tools", 0].
    return value.some(isObject) ? value.flatMap(wordsIn) : [value.join('.')];
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, one]) =>
    wordFields.test(name) ? wordsIn(one) : [],
  );
}

function reasonOf(error: object, message: string): string {
  const causes = causesOf(error).join(' ');
  if (/WRONG_VERSION_NUMBER|packet length too long|wrong version number/i.test(causes)) {
    return 'its address begins with https, but the server there speaks plain http (connection failed)';
  }
  if (/^(?:Type validation failed|JSON parsing failed|Expected a normalized)/.test(message)) {
    return `malformed response: ${oneLine(message).slice(0, 200)}`;
  }
  return causes === '' ? message : `${message} (${causes.slice(0, 200)})`;
}

function causesOf(error: object): readonly string[] {
  const cause = 'cause' in error ? error.cause : undefined;
  if (!(cause instanceof Error)) return [];
  const code = 'code' in cause && typeof cause.code === 'string' ? [cause.code] : [];
  return [...code, ...(/validation|zod/i.test(cause.name) ? [] : causesOf(cause))];
}

/** Reads the wait that the provider asks for in a header, in ms. */
function waitIn(headers: Readonly<Record<string, unknown>>): number | null {
  const inMs = Number(headers['retry-after-ms'] ?? NaN);
  if (Number.isFinite(inMs)) return inMs;
  const asked = headers['retry-after'];
  if (typeof asked !== 'string') return null;
  const seconds = Number(asked);
  if (Number.isFinite(seconds)) return seconds * 1_000;
  const date = Date.parse(asked);
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}

/**
 * A part of a request that a server may not support: its tools, the schema of its answer, the
 * request for usage.
 */
export type RequestPart = 'tools' | 'schema' | 'usage';

/** The parts of a request that a refusal names, those first whose pattern is the most specific. */
export function refusedParts({ category, message }: ErrorEvent): readonly RequestPart[] {
  if (category !== 'request-refused' && category !== 'network') return [];
  return partNames.flatMap(([part, name]) => (name.test(message) ? part : []));
}

// A refusal of the schema may say that it does not work together with tools.
const partNames: readonly (readonly [RequestPart, RegExp])[] = [
  ['usage', /stream[_ ]?options|include_usage/i],
  [
    'schema',
    /response[_ .]?(?:format|mime|schema|json)|json[_ ]?schema|structured output|output_(?:config|format)|text\.format/i,
  ],
  ['tools', /\btools?\b|function[_ ]?call|tool[_ ]?choice|--jinja/i],
];
