// Runs the job of one turn in a conversation.
import { answererOf } from '../app/conversation-agent.ts';
import { talk } from '../app/conversations.ts';
import { readOutputFormat } from '../app/output-format.ts';
import { openWorkplace, type Workplace } from '../app/workplace.ts';
import type { TurnFacts } from '../conversation/turn-facts.ts';
import { activityOf } from '../faces/short-forms.ts';
import { jsonIn } from '../model/json.ts';
import type { JobRequest, JobState } from './job-request.ts';

/** A job that runs in this process. */
export interface RunningJob {
  readonly environment: NodeJS.ProcessEnv;
  readonly stop: AbortController;
  readonly state: {
    /** Tells how far it is. A full disk then ends no job: what comes next is told again. */
    set(part: Partial<JobState>): Promise<void>;
  };
  /** Begins the marks of its processes. */
  readonly id: string;
}

type TurnRequest = Extract<JobRequest, { kind: 'work' | 'consult' }>;

/** Takes the turn to its end; returns how the job stands then. */
export async function runTurn(
  request: TurnRequest,
  { environment, stop, state, id }: RunningJob,
): Promise<Partial<JobState>> {
  const { kind, folder: cwd, agent, text, session, role, context, outside } = request;
  const opened = await openWorkplace({ cwd, environment, flags: [] });
  const { settings, way, program, ...who } = answererFor(request, opened);
  const workplace = { ...opened, settings };
  void state.set({ doing: `${who.agent} is asked` });
  const end = await talk({
    ...workplace,
    cwd,
    tool: kind,
    ...who,
    question: text,
    session,
    role,
    context,
    outside,
    cliFlags: request.kind === 'work' ? request.cliFlags : [],
    permission: kind === 'work' ? 'edit-and-shell' : 'read-only',
    allowed: [],
    denied: [],
    maxTurns: null,
    form: await readOutputFormat(request.kind === 'consult' ? request.format : 'text', {
      cwd,
      name: 'output_format',
    }),
    signal: stop.signal,
    markPrefix: `${id}.`,
    now: () => new Date(),
    // They stand in the result.
    onLimits: () => undefined,
    onEvent(event) {
      const activity = activityOf(event);
      if (activity !== null) void state.set({ doing: `${who.agent}: ${activity}` });
    },
    onWait: () => void state.set({ doing: 'waiting for another turn of this conversation' }),
  });
  const { facts, text: answer, number } = end;
  const isAnswered = end.state === 'answered';
  const hasForm = isAnswered && request.kind === 'consult' && request.format !== 'text';
  const result = {
    session: end.session,
    turn: number,
    text: answer,
    ...(hasForm ? { output: jsonIn(answer) } : {}),
    ...facts,
    notes: [
      ...(way === null ? [] : [`${way}; the name ${program} asks its program`]),
      ...facts.notes,
    ],
  };
  return {
    state: isAnswered ? 'done' : 'failed',
    session: end.session,
    message: isAnswered ? null : whyFailed(agent, facts.failure),
    result,
  };
}

/** A name that nobody is known for is left to the turn, which says so. */
function answererFor({ kind, agent }: TurnRequest, workplace: Workplace) {
  const asked = kind === 'consult' ? answererOf(agent, workplace) : null;
  return asked ?? { agent, model: null, settings: workplace.settings, way: null, program: null };
}

function whyFailed(agent: string, failure: TurnFacts['failure']): string {
  const { category, reason } = failure ?? { category: 'unknown', reason: 'unknown' };
  return `${agent} ${category === 'not-logged-in' ? 'is not logged in' : 'failed'}: ${reason}`;
}
