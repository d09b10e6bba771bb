// Runs a model behind an API once: its key, its tools, its schema, its end.
import { openRepository } from '../../git/open-repository.ts';
import type { Repository } from '../../git/repository.ts';
import type { AgentEvent } from '../../model/agent-event.ts';
import { estimateTokens } from '../../model/text-size.ts';
import { compactSchema } from '../../prompts/request.ts';
import type { AgentEnd, AgentRequest } from '../agent.ts';
import { strictSchema } from '../cli/strict-schema.ts';
import { isOtherModel } from '../model-names.ts';
import { toolsOf } from '../permission.ts';
import { openRun, type OpenRun } from './api-run.ts';
import {
  addressOf,
  answerRoom,
  type ApiSetup,
  keyRemedy,
  longestPrompt,
  providerOf,
} from './api-setup.ts';
import { guardedFetch } from './guarded-fetch.ts';
import { refusedParts } from './model-errors.ts';
import { keyFor, NoKey } from './model-key.ts';
import { type ReadingTools, readingTools } from './reading-tools.ts';

/** The most that one run reads, in tokens. */
const mostRead = 60_000;

interface Order {
  readonly setup: ApiSetup;
  readonly repository: Repository;
}

/** Asks once, to an answer or a failure. */
export async function* runModel(
  setup: ApiSetup & { readonly repository: Repository },
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
    yield open.note({ kind: 'started', agent_session: null, model, version: null });
    const { repository } = setup;
    yield* askInForms(open, { setup, repository, request: asked, key });
  } catch (error) {
    if (error instanceof NoKey) {
      const detail = `${error.message}. ${keyRemedy(setup)}`;
      return open.fail({ category: 'not-logged-in', detail });
    }
    if (!open.signal.aborted) throw error;
  } finally {
    open.close();
  }
  if (signal.aborted) yield open.note({ kind: 'cancelled', what: open.calling() });
  return open.end({ askedModel: isOtherModel(model, open.model()) ? model : null });
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

interface Question extends Order {
  readonly request: AgentRequest & { readonly model: string };
  readonly key: string | null;
}

/** Asks with tools and schema; what an endpoint refuses is left out, which the run then tells. */
async function* askInForms(
  open: OpenRun,
  question: Question,
): AsyncGenerator<AgentEvent, void, undefined> {
  const { setup, request } = question;
  const strict = request.schema === null ? null : strictSchema(request.schema);
  const form = { tools: await toolsFor(open, question), schema: strict };
  for (let tries = 0; tries < 3; tries += 1) {
    const { error, isAnswering } = yield* ask(open, { ...question, ...form });
    const refused = error === null || isAnswering ? [] : refusedParts(error);
    const part = refused.find((one) => form[one] !== null);
    if (error === null || part === undefined) return;
    form[part] = null;
    const what =
      part === 'tools' ? 'the tools that read the repository' : 'the schema of the answer';
    yield open.note({
      kind: 'warning',
      text: `${setup.name} was asked without ${what}, which its endpoint refused: ${error.text}`,
    });
    open.degrade(`it was asked without ${what}, which its endpoint refused`);
  }
}

async function toolsFor(
  open: OpenRun,
  { repository, request, setup }: Question,
): Promise<ReadingTools | null> {
  if (!toolsOf(request).has('file_read')) return null;
  const { contextTokens } = setup.api;
  const used = estimateTokens(Buffer.byteLength(request.prompt)) + answerRoom;
  const tokens = Math.max(0, Math.min(mostRead, (contextTokens ?? Infinity) - used));
  const { signal } = open;
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
};

/** Asks once. The end has the error that stands, and whether anything of an answer came before it. */
async function* ask(open: OpenRun, { setup, request, key, tools, schema }: Asked) {
  const provider = providerOf(setup);
  const { address, source } = addressOf(setup);
  const model = await provider.open({
    model: request.model,
    baseUrl: address,
    key,
    fetch: guardedFetch(address, source),
  });
  const { streamModel } = await import('./stream-model.ts');
  const isTold = schema !== null || request.schema === null || provider.isOwnServer;
  const { prompt, role } = request;
  const told = isTold
    ? prompt
    : `${prompt}\n\nJSON Schema of the answer:\n${JSON.stringify(compactSchema(request.schema ?? {}))}`;
  const news = streamModel({
    model,
    prompt: told,
    role,
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
