// Makes one tiny call to an agent, to see whether it answers.
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { filesIn } from '../../store/folder-files.ts';
import { type Agent, type RequestContent, textWorkspace } from '../agent.ts';
import { resumeIn, sessionAfter } from '../agent-session.ts';
import { extractJson } from '../answer/extract.ts';
import type { AgentCall } from '../attempt.ts';
import { callAgent } from '../call.ts';
import { emptyFolder } from './cli-readiness.ts';

/** The findings of one tiny call to an agent. */
export const Probe = z.strictObject({
  date: z.iso.datetime(),
  /** Why it did not answer; null if it did. */
  failure: z.string().nullable(),
  duration_ms: z.number(),
  model: z.string().nullable(),
  /** True if the answer fitted the schema. */
  fits_schema: z.boolean(),
  /** True if it resumed its session; null if that was not tried. */
  resumes: z.boolean().nullable(),
  /** The models that it says it offers; null if it does not say. */
  models: z.array(z.string()).nullable().default(null),
});
export type Probe = z.infer<typeof Probe>;

/** Asks a ready agent a tiny question and, if it answers, once more in the same session. */
export async function probe(
  agent: Agent,
  { signal, mark }: { readonly signal: AbortSignal; readonly mark: string },
): Promise<Probe> {
  const root = await emptyFolder();
  const cwd = join(root, 'project');
  const folder = filesIn({ root, existing: [] }, mark);
  const ask = (path: string, resume: RequestContent['resume']) => {
    const call: AgentCall<string> = {
      agent,
      request: { ...tinyRequest, resume },
      form: null,
      workspace: textWorkspace({ cwd, extraDirs: [] }),
      files: { folder, path, suffix: '' },
      limits: { firstOutputMs: limitMs, idleMs: limitMs, totalMs: limitMs, graceMs: 2_000 },
      mark: `${mark}.${path}`,
    };
    return callAgent(call, signal);
  };
  try {
    await mkdir(cwd);
    const first = await ask('first', null);
    const { receipt } = first;
    const isAnswered = first.ended === 'answered';
    const session = sessionAfter(receipt, { cwd, before: null });
    const resume = isAnswered ? resumeIn({ cwd, agent, session }) : null;
    const second = resume === null ? null : await ask('again', resume);
    return {
      date: receipt.started_at,
      failure: isAnswered ? null : `${first.failure.category}: ${first.failure.detail}`,
      duration_ms: receipt.duration_ms,
      model: receipt.model,
      fits_schema: isAnswered && fits(first.value),
      resumes: second === null ? null : second.ended === 'answered',
      models: null,
    };
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

const Answer = z.strictObject({ ok: z.boolean() });

const limitMs = 60_000;

const tinyRequest: RequestContent = {
  prompt: 'Answer with the JSON {"ok": true} and nothing else. Do not use any tool.',
  about: null,
  permission: 'read-only',
  role: null,
  schema: z.toJSONSchema(Answer),
  model: null,
  resume: null,
};

function fits(text: string): boolean {
  const answer = extractJson(text);
  return answer.ok && Answer.safeParse(answer.value.value).success;
}
