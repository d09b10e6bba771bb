// Takes one turn of a conversation as a job.
import { talk } from '../app/conversations.ts';
import { readOutputFormat } from '../app/output-format.ts';
import { openWorkplace } from '../app/workplace.ts';
import type { TurnFacts } from '../conversation/turn-facts.ts';
import type { JobRequest, JobState } from './job-request.ts';

interface TurnJob {
  readonly environment: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  /** Begins the marks of its processes. */
  readonly id: string;
  /** Says what it does, in a few words. */
  readonly tell: (doing: string) => void;
}

/** Takes the turn to its end; returns how the job stands then. */
export async function runTurn(
  request: Extract<JobRequest, { kind: 'work' | 'consult' }>,
  { environment, signal, id, tell }: TurnJob,
): Promise<Partial<JobState>> {
  const { kind, folder: cwd, agent, text, session, role, context } = request;
  const workplace = await openWorkplace({ cwd, environment, flags: [] });
  const mayWrite = request.kind === 'work' && request.mayWrite;
  const end = await talk({
    ...workplace,
    cwd,
    tool: kind,
    agent,
    model: null,
    question: text,
    session,
    role,
    context,
    cliFlags: request.kind === 'work' ? request.cliFlags : [],
    permission: mayWrite ? 'edit-and-shell' : 'read-only',
    allowed: [],
    denied: [],
    maxTurns: null,
    form: await readOutputFormat(request.kind === 'consult' ? request.format : 'text', {
      cwd,
      name: 'output_format',
    }),
    signal,
    markPrefix: `${id}.`,
    now: () => new Date(),
    onEvent: (event) => tell(event.kind),
    onWait: () => tell('waiting for another turn of this conversation'),
  });
  const { facts, text: answer, number } = end;
  const result = { session: end.session, turn: number, text: answer, ...facts };
  const isAnswered = end.state === 'answered';
  return {
    state: isAnswered ? 'done' : 'failed',
    session: end.session,
    message: isAnswered ? null : whyFailed(agent, facts.failure),
    result,
  };
}

function whyFailed(agent: string, failure: TurnFacts['failure']): string {
  const { category, reason } = failure ?? { category: 'unknown', reason: 'unknown' };
  return `${agent} ${category === 'not-logged-in' ? 'is not logged in' : 'failed'}: ${reason}`;
}
