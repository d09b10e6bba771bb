// Runs a model behind an API once: its key, its tools, its schema, its requests, its end.
import { Agent as PlainAgent, type IncomingMessage, request as plainRequest } from 'node:http';
import { Agent as SafeAgent, request as safeRequest } from 'node:https';
import { openRepository } from '../../git/open-repository.ts';
import type { Repository } from '../../git/repository.ts';
import type { AgentEvent } from '../../model/agent-event.ts';
import { isObject, jsonIn } from '../../model/json.ts';
import { estimateTokens } from '../../model/text-size.ts';
import { compactSchema } from '../../prompts/request.ts';
import type { AgentEnd, AgentRequest } from '../agent.ts';
import { strictSchema } from '../cli/strict-schema.ts';
import { isOtherModel } from '../cli/run-end.ts';
import { toolsOf } from '../permission.ts';
import { type OpenRun, openRun } from './api-run.ts';
import {
  type Address,
  type ApiSetup,
  addressOf,
  answerRoom,
  findKey,
  keyRemedy,
  longestPrompt,
  providerOf,
} from './api-setup.ts';
import { NoModelAnswer, type RequestPart, refusedParts } from './model-errors.ts';
import { type ReadingTools, readingTools } from './reading-tools.ts';
import { runProgram } from '../../store/run-program.ts';

/** The most tokens that one run reads. */
const mostRead = 60_000;

/** A model with what is known of its server. */
interface ModelOrder extends ApiSetup {
  readonly repository: Repository;
  /** The parts of a request that its server has refused, by the model; grows with each refusal. */
  readonly refused: Map<string, Set<RequestPart>>;
}

/** Asks once, until an answer or a failure. */
export async function* runModel(
  setup: ModelOrder,
  request: AgentRequest,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, AgentEnd, undefined> {
  const { name, api, settings } = setup;
  const model = request.model ?? api.model;
  const totalMs = settings.timeoutMs ?? request.limits.totalMs;
  const asked = { ...request, model, limits: { ...request.limits, totalMs } };
  const { environment } = setup;
  const login = `conclave login ${name}`;
  const open = openRun({ name, request: asked, login, signal, environment });
  try {
    const refusal = whyRefused(asked, longestPrompt(setup));
    if (refusal !== null) return open.fail(refusal);
    const key = await keyFor(setup, open.signal);
    open.hide(key);
    yield* open.note({ type: 'started', agentSession: null, model, version: null });
    yield* askInForms(open, { setup, request: asked, key });
  } catch (error) {
    if (error instanceof NoKey) {
      const detail = `${error.message}. ${keyRemedy(setup)}`;
      return open.fail({ category: 'not-logged-in', detail });
    }
    if (!open.signal.aborted) throw error;
  } finally {
    open.close();
  }
  if (signal.aborted) yield* open.note({ type: 'cancelled', what: open.calling() });
  const end = open.end({ askedModel: isOtherModel(model, open.model()) ? model : null });
  if (!end.ok && end.failure.category === 'not-logged-in') forgetKey(setup);
  return end;
}

function whyRefused(request: AgentRequest, maxBytes: number) {
  const tools = toolsOf(request);
  const widening = (['file_write', 'shell', 'git', 'web'] as const).find((tool) => tools.has(tool));
  if (widening !== undefined) {
    const detail =
      'a model behind an API only reads: it has no tool that edits files or runs commands';
    return { category: 'permission-refused', detail } as const;
  }
  const bytes = Buffer.byteLength(request.prompt);
  if (bytes <= maxBytes) return null;
  const detail = `the prompt has ${bytes} bytes, of which it would take only ${maxBytes} (context_tokens)`;
  return { category: 'request-refused', detail } as const;
}

interface Question {
  readonly setup: ModelOrder;
  readonly request: AgentRequest & { readonly model: string };
  readonly key: string | null;
}

/**
 * Asks with tools and schema; parts that the endpoint has refused are left out, which the run then
 * reports.
 */
async function* askInForms(
  open: OpenRun,
  question: Question,
): AsyncGenerator<AgentEvent, void, undefined> {
  const { setup, request } = question;
  const { model } = request;
  const strict = request.schema === null ? null : strictSchema(request.schema);
  const whole = { tools: await toolsFor(open, question), schema: strict, usage: true };
  const refused = setup.refused.get(model) ?? new Set();
  setup.refused.set(model, refused);
  for (;;) {
    const form = {
      tools: refused.has('tools') ? null : whole.tools,
      schema: refused.has('schema') ? null : whole.schema,
      usage: !refused.has('usage'),
    };
    const { error, isAnswering } = yield* ask(open, { ...question, ...form });
    const named = error === null || isAnswering ? [] : refusedParts(error);
    const part = named.find((one) => form[one] !== null && !refused.has(one));
    if (error === null || part === undefined) break;
    refused.add(part);
    const text = `${setup.name} is asked without ${leftOut[part]}, which its endpoint refused: ${error.message}`;
    yield* open.note({ type: 'warning', message: text });
  }
  for (const part of ['schema', 'tools'] as const) {
    if (!refused.has(part) || whole[part] === null) continue;
    open.degrade(`it was asked without ${leftOut[part]}, which its endpoint refused`);
  }
}

const leftOut: Readonly<Record<RequestPart, string>> = {
  tools: 'the tools that read the repository',
  schema: 'the schema of the answer',
  usage: 'the wish to tell its usage',
};

async function toolsFor(open: OpenRun, { request, setup }: Question): Promise<ReadingTools | null> {
  if (!toolsOf(request).has('file_read')) return null;
  const { contextTokens = Infinity } = setup.api;
  const used = estimateTokens(Buffer.byteLength(request.prompt)) + answerRoom(contextTokens);
  const tokens = Math.max(0, Math.min(mostRead, contextTokens - used));
  const { signal } = open;
  const { repository } = setup;
  const { cwd: root } = request;
  const tree =
    root === repository.root
      ? repository
      : await openRepository({ root, base: null, snapshots: null, signal });
  return readingTools({ tree, tokens, signal });
}

type Asked = Question & {
  readonly tools: ReadingTools | null;
  readonly schema: Readonly<Record<string, unknown>> | null;
  readonly usage: boolean;
};

/** Asks once. Returns the remaining error, and whether any part of an answer came before it. */
async function* ask(open: OpenRun, { setup, request, key, tools, schema, usage }: Asked) {
  const provider = providerOf(setup);
  const reach = addressOf(setup);
  const environment = { ...setup.environment, ...setup.settings.env };
  const model = await provider.open({
    model: request.model,
    baseUrl: reach.address,
    key,
    usage,
    fetch: guardedFetch({ ...reach, key, environment, onSend: (bytes) => open.send(bytes) }),
  });
  const { streamModel } = await import('./stream-model.ts');
  const { prompt, role } = request;
  // Some models on a user's own server know no system message.
  const [start, system] = provider.isOwnServer ? [role, null] : [null, role];
  const needsSchema = schema === null && request.schema !== null && !provider.isOwnServer;
  const end =
    needsSchema && `JSON Schema of the answer:\n${JSON.stringify(compactSchema(request.schema))}`;
  const told = [start, prompt, end].filter(Boolean).join('\n\n');
  const news = streamModel({
    model,
    prompt: told,
    role: system,
    schema,
    tools,
    effort: request.effort ?? null,
    maxTurns: request.maxTurns ?? null,
    signal: open.signal,
  });
  const prices = setup.api.prices?.get(request.model) ?? null;
  const estimate = provider.isOwnServer ? estimateTokens(Buffer.byteLength(told)) : null;
  return yield* open.follow(news, { prices, estimate });
}

/** Thrown if a program could not give a key; the message is for people. */
class NoKey extends Error {}

/** A key that a program is printing or has printed. */
interface PrintedKey {
  readonly key: Promise<string>;
  /** The number of calls that wait for it. */
  waiting: number;
  /** Ends the program; does nothing once it has ended. */
  stop(): void;
}

/** The keys by program and its variables, until they are refused; a key is kept nowhere else. */
const printed = new Map<string, PrintedKey>();

/**
 * The key for a model; null if none is needed. A program that prints one is run once in this
 * process for all who need it, and ended when nobody waits any more. Throws `NoKey`.
 */
async function keyFor(setup: ApiSetup, signal: AbortSignal): Promise<string | null> {
  const found = findKey(setup);
  switch (found.state) {
    case 'found':
      return found.key;
    case 'not-needed':
      return null;
    case 'missing':
      throw new NoKey(found.why);
    case 'command':
      return await keyOf(found.command, setup, signal);
  }
}

async function keyOf(
  command: readonly [string, ...string[]],
  setup: ApiSetup,
  signal: AbortSignal,
): Promise<string> {
  signal.throwIfAborted();
  const { environment, settings } = setup;
  const name = printedName(command, setup);
  const asked = printed.get(name) ?? startPrinting(command, { ...environment, ...settings.env });
  printed.set(name, asked);
  const aborted = Promise.withResolvers<never>();
  const leave = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', leave, { once: true });
  asked.waiting += 1;
  try {
    return await Promise.race([asked.key, aborted.promise]);
  } catch (error) {
    // A program that failed once may work next time, e.g. after a keyring was opened.
    const isLast = asked.waiting === 1;
    if ((isLast || !signal.aborted) && printed.get(name) === asked) printed.delete(name);
    if (isLast) asked.stop();
    throw error;
  } finally {
    asked.waiting -= 1;
    signal.removeEventListener('abort', leave);
  }
}

/** Forgets a printed key that was refused, perhaps because it has expired; the next run has it printed again. */
function forgetKey(setup: ApiSetup): void {
  const found = findKey(setup);
  if (found.state === 'command') printed.delete(printedName(found.command, setup));
}

function printedName(command: readonly string[], { settings }: ApiSetup): string {
  return JSON.stringify([command, settings.env ?? {}]);
}

function startPrinting(
  command: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
): PrintedKey {
  const nobody = new AbortController();
  const key = printKey(command, env, nobody.signal);
  // Nobody may still be waiting to hear of a failure.
  key.catch(() => undefined);
  return { key, waiting: 0, stop: () => nobody.abort() };
}

const keyMs = 60_000;

async function printKey(
  [command, ...args]: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
  stopped: AbortSignal,
): Promise<string> {
  const time = AbortSignal.timeout(keyMs);
  const signal = AbortSignal.any([stopped, time]);
  const call = { command, args, env, maxOutput: 64 * 1024, signal };
  const end = await runProgram(call).catch((error: unknown) => {
    if (!time.aborted) throw error;
    throw new NoKey(`key_command "${command}" did not end within ${keyMs / 1000} s`);
  });
  const key = end.stdout.toString('utf8').split('\n', 1)[0]?.trim() ?? '';
  if (end.exitCode !== 0) {
    const how = end.exitCode === null ? 'could not be run' : `ended with exit code ${end.exitCode}`;
    throw new NoKey(`key_command "${command}" ${how}`);
  }
  if (key === '') throw new NoKey(`key_command "${command}" printed no key`);
  return key;
}

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
function guardedFetch(reach: Reach): typeof fetch {
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

/** Reads an answer that came in one piece: choices become a stream, any other object is an error. */
async function asStream(response: Response): Promise<Response> {
  const text = await new Response(limitStream(response)).text();
  const told = jsonIn(text);
  if (!isObject(told)) return copyResponse(response, text);
  const { error, choices } = told;
  if ((error ?? null) !== null || !Array.isArray(choices)) {
    const code = Number(isObject(error) ? (error['code'] ?? error['status']) : NaN);
    return copyResponse(response, text, code >= 400 && code < 600 ? code : 500);
  }
  const pieces = choices.map((one) => (isObject(one) ? { ...one, delta: one['message'] } : one));
  const chunk = JSON.stringify({ ...told, choices: pieces });
  return copyResponse(response, limitStream(new Response(`data: ${chunk}\n\ndata: [DONE]\n\n`)));
}

/** Makes a response like another one, with another body and perhaps another status, which has no name. */
function copyResponse(
  { status, statusText, headers }: Response,
  body: string | ReadableStream | null,
  other = status,
): Response {
  const name = other === status ? { statusText } : {};
  return new Response(body, { status: other, ...name, headers });
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
