// Sends requests to a model’s address, by a proxy where one is set, and makes answers readable.
import { Agent as PlainAgent, type IncomingMessage, request as plainRequest } from 'node:http';
import { Agent as SafeAgent, request as safeRequest } from 'node:https';
import { isObject, jsonIn } from '../../model/json.ts';
import type { Address } from './api-setup.ts';
import { NoModelAnswer } from './model-errors.ts';

interface Reach extends Pick<Address, 'address' | 'query' | 'source'> {
  readonly key: string | null;
  /** The environment, which names the proxies. */
  readonly environment: NodeJS.ProcessEnv;
  /** Counts the bytes of each request. */
  readonly onSend: (bytes: number) => void;
}

/**
 * Makes a `fetch` for one address: with its query and through the proxy, and without following
 * redirects. Refuses a web page instead of an answer, and any answer that is too long.
 */
export function guardedFetch(reach: Reach): typeof fetch {
  const { address, query, source, key, onSend } = reach;
  return async (url, init) => {
    const target = new URL(url instanceof Request ? url.url : url);
    for (const [name, value] of new URLSearchParams(query)) target.searchParams.set(name, value);
    const headers = new Headers(init?.headers);
    // Azure accepts a deployment’s key only in this header; the usual header is for tokens.
    if (key !== null && target.searchParams.has('api-version')) headers.set('api-key', key);
    if (typeof init?.body === 'string') onSend(Buffer.byteLength(init.body));
    const response = await send(target, { ...init, headers, redirect: 'manual' }, reach);
    const { status } = response;
    const where = response.headers.get('location');
    if (status >= 300 && status < 400) {
      throw new NoModelAnswer(
        `${address} leads elsewhere (${where ?? `status ${status}`}); put that address into ${source}`,
      );
    }
    const type = response.headers.get('content-type') ?? '';
    if (response.ok && /\btext\/html\b/i.test(type)) {
      throw new NoModelAnswer(
        `${address} answered with a web page, not with an answer of a model; check ${source}`,
      );
    }
    return response.ok && /\bjson\b/i.test(type)
      ? await asStream(response)
      : copyResponse(response, limitStream(response));
  };
}

async function send(url: URL, init: RequestInit, { environment }: Reach): Promise<Response> {
  const isLoopback = /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname);
  const hasProxy = ['HTTP_PROXY', 'HTTPS_PROXY'].some(
    (name) => (environment[name] ?? environment[name.toLowerCase()] ?? '') !== '',
  );
  if (isLoopback || !hasProxy) return await fetch(url, init);
  return await sendThroughProxy(url, init, environment);
}

/** The most bytes of one line in a stream, and of an answer that comes in one piece. */
const longestLine = 4 * 1024 * 1024;
/** The most bytes of a stream, in which each token takes some 300; the SDK reads ahead without limit. */
const longestStream = 24 * 1024 * 1024;

/** Reads an answer that came in one piece: an error gets its status, anything else becomes a stream. */
async function asStream(response: Response): Promise<Response> {
  const text = await new Response(limitStream(response)).text();
  const told = jsonIn(text);
  const { error = null, choices } = isObject(told) ? told : {};
  if (error !== null) {
    const code = Number(isObject(error) ? (error['code'] ?? error['status']) : NaN);
    return copyResponse(response, text, code >= 400 && code < 600 ? code : 500);
  }
  if (!Array.isArray(choices)) return copyResponse(response, text);
  const pieces = choices.map((one) => (isObject(one) ? { ...one, delta: one['message'] } : one));
  const chunk = JSON.stringify({ ...Object(told), choices: pieces });
  return copyResponse(response, limitStream(new Response(`data: ${chunk}\n\ndata: [DONE]\n\n`)));
}

/** Makes a response like another one, with another body and perhaps another status. */
function copyResponse(
  { status, statusText, headers }: Response,
  body: string | ReadableStream | null,
  other = status,
): Response {
  return new Response(body, { status: other, statusText, headers });
}

/** Limits a stream to the length of an answer, and adds the end that some servers leave out. */
function limitStream({ body }: Response): ReadableStream<Uint8Array> | null {
  let [bytes, line, tail, isEnded] = [0, 0, '', false];
  const end = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.length;
      const last = chunk.lastIndexOf(newline);
      line = last === -1 ? line + chunk.length : chunk.length - last;
      if (line > longestLine) throw tooLarge(longestLine);
      if (bytes > longestStream) throw tooLarge(longestStream);
      const text = tail + Buffer.from(chunk).toString('latin1');
      isEnded ||= /"(?:finish_reason"\s*:\s*"|error"\s*:)/.test(text);
      tail = text.slice(-64);
      controller.enqueue(chunk);
    },
    flush(controller) {
      if (isEnded || !/data: ?\[DONE\]\s*$/.test(tail)) return;
      controller.enqueue(Buffer.from(`data: ${JSON.stringify(end)}\n\n`));
    },
  });
  return body?.pipeThrough(limit) ?? null;
}

const newline = 0x0a;

function tooLarge(bytes: number): NoModelAnswer {
  return new NoModelAnswer(
    `its server sent over ${bytes / 1024 / 1024} MB at once, which cannot be an answer of a model`,
  );
}

/**
 * Sends a request through HTTP_PROXY or HTTPS_PROXY, except to the hosts in NO_PROXY. Node’s own
 * `fetch` could do so only for the whole process, which may be another program that uses this
 * library.
 */
async function sendThroughProxy(
  url: URL,
  { method, headers, body, signal }: RequestInit,
  proxyEnv: NodeJS.ProcessEnv,
): Promise<Response> {
  const isEncrypted = url.protocol === 'https:';
  const agent = isEncrypted ? new SafeAgent({ proxyEnv }) : new PlainAgent({ proxyEnv });
  const options = { method, headers: Object.fromEntries(new Headers(headers)), agent };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = (isEncrypted ? safeRequest : plainRequest)(
      url,
      { ...options, ...(signal ? { signal } : {}) },
      resolve,
    );
    sent.on('error', reject).end(body);
  });
  const told = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const { statusCode: status = 502, statusMessage: statusText = '' } = answer;
  return new Response(streamOf(answer), { status, statusText, headers: told });
}

/** A stream as the web defines it, which reads on only when it is read. */
function streamOf(answer: IncomingMessage): ReadableStream {
  const chunks = answer[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(stream) {
      const { done, value } = await chunks.next();
      if (done === true) stream.close();
      else stream.enqueue(value);
    },
    cancel: () => void answer.destroy(),
  });
}
