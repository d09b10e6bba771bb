import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Agent, AgentAdapter, AgentEnd, AgentRequest } from './agent.ts';
import { extractJson } from './answer/extract.ts';
import { emptyFolder } from './cli-readiness.ts';
import { plainRequest } from './unknown-flags.ts';

/** What one tiny call to an agent showed. */
export const Probe = z.strictObject({
  date: z.iso.datetime(),
  /** Why it did not answer; null where it did. */
  failure: z.string().nullable(),
  duration_ms: z.number(),
  model: z.string().nullable(),
  /** Whether the answer fitted the schema. */
  fits_schema: z.boolean(),
  /** Whether it went on with its session; null where that was not tried. */
  resumes: z.boolean().nullable(),
});
export type Probe = z.infer<typeof Probe>;

/** Asks a ready agent for next to nothing, and where it answers, once more in the same session. */
export async function probe(
  { agent, adapter }: { readonly agent: Agent; readonly adapter: AgentAdapter },
  { signal, mark }: { readonly signal: AbortSignal; readonly mark: string },
): Promise<Probe> {
  const folder = await emptyFolder();
  const cwd = join(folder, 'project');
  const ask = (request: Partial<AgentRequest>) =>
    endOf(
      agent,
      { ...tinyRequest, cwd, mark, rawOutput: join(folder, 'events'), ...request },
      signal,
    );
  try {
    await mkdir(cwd);
    const first = await ask({});
    const { facts } = first;
    const resume = adapter.can.resume && first.ok ? sessionOf(first, cwd) : null;
    const second = resume === null ? null : await ask({ resume, mark: `${mark}.again` });
    return {
      date: facts.startedAt,
      failure: first.ok ? null : `${first.failure.category}: ${first.failure.detail}`,
      duration_ms: facts.durationMs,
      model: facts.model,
      fits_schema: first.ok && fits(first.text),
      resumes: second?.ok ?? null,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const Answer = z.strictObject({ ok: z.boolean() });

const limitMs = 60_000;

const tinyRequest: AgentRequest = {
  ...plainRequest(''),
  prompt: 'Answer with the JSON {"ok": true} and nothing else. Do not use any tool.',
  schema: z.toJSONSchema(Answer),
  limits: { firstOutputMs: limitMs, idleMs: limitMs, totalMs: limitMs, graceMs: 2_000 },
};

async function endOf(agent: Agent, request: AgentRequest, signal: AbortSignal): Promise<AgentEnd> {
  const run = agent.run(request, signal);
  for (;;) {
    const step = await run.next();
    signal.throwIfAborted();
    if (step.done === true) return step.value;
  }
}

function sessionOf({ facts: { agentSession, tokens } }: AgentEnd, cwd: string) {
  return agentSession === null
    ? null
    : { agentSession, cwd, ...(tokens === null ? {} : { spent: tokens }) };
}

function fits(text: string): boolean {
  const answer = extractJson(text);
  return answer.ok && Answer.safeParse(answer.value.value).success;
}
