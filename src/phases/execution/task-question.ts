import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { AgentRequest } from '../../agents/agent.ts';
import { executePrompt, fixPrompt } from '../../prompts/execute.ts';
import { askSeat, type SeatAnswer } from '../asking/ask-seat.ts';
import type { Question } from '../asking/question.ts';
import { conventionsFor } from '../shown-code.ts';
import { promptLimit } from '../tools.ts';
import { checkName, checksOf } from './checks.ts';
import type { AgentSession, TaskJob } from './execution.ts';
import { permissionFor } from './executors.ts';
import { tellChanges, tellingChanges } from './live-diff.ts';
import type { TaskPlace } from './task-place.ts';

const Kept = z.object({ commit: z.string(), summary: z.string(), agent: z.string().default('') });
type Kept = z.infer<typeof Kept>;

interface Call {
  readonly name: 'work' | `fix-${number}`;
  /** Where the work tree stands when it begins. */
  readonly commit: string;
  readonly problems: readonly string[];
  /** What its agent may go on with. */
  readonly session: AgentSession | null;
}

type Answer =
  | { readonly kept: Kept; readonly session: AgentSession | null }
  | { readonly kept: null; readonly why: string };

/** One call of the executor, or of who stands in for it. */
export async function askTask(
  job: TaskJob & { readonly place: TaskPlace },
  call: Call,
): Promise<Answer> {
  const { tools, executor, backups, signal } = job;
  const question = questionFor(job, call);
  const taken = new Set([executor]);
  const asked = { tools, question, seat: executor, chain: backups, taken, signal };
  const { answer, failed } = await tellingChanges(job, askSeat(asked));
  if (answer !== null) {
    await tellChanges(job, { commit: answer.value.commit });
    const agent = answer.agent.name;
    return { kept: { ...answer.value, agent }, session: sessionAfter(call, answer) };
  }
  const whys = failed.map(({ failure }) => `${failure.agent}: ${failure.detail}`);
  return { kept: null, why: `nobody could do it (${whys.join('; ')})` };
}

/** What the next call may go on with; its tokens count from the begin of the session. */
function sessionAfter(
  { session: before }: Call,
  { agent, receipt: { agent_session: id, tokens } }: SeatAnswer<Kept>,
): AgentSession | null {
  if (id === null) return null;
  const here = { agent: agent.name, id, isHere: true };
  if (before?.id !== id || tokens === null) return { ...here, tokens };
  const { input = 0, output = 0, cached = 0 } = before.tokens ?? {};
  const all = {
    input: input + tokens.input,
    output: output + tokens.output,
    cached: cached + tokens.cached,
  };
  return { ...here, tokens: all };
}

function questionFor(job: TaskJob & { readonly place: TaskPlace }, call: Call): Question<Kept> {
  const { tools, trees, task, number, place, request } = job;
  const { name, commit, problems } = call;
  const group = `execution-${number}/${task.id}`;
  const trailer = `Conclave-Step: ${group}/${name}`;
  return {
    group,
    name,
    phase: 'execute',
    round: number,
    folderFor: (agent) => `execution/${number}/${task.id}/${name}-${agent}`,
    meaning: { task: task.id, commit, problems },
    task: request.task,
    context: null,
    constraints: request.constraints,
    schema: null,
    shape: Kept,
    expected: {},
    summaryOf: ({ summary }) => summary,
    promptFor: (agent) => promptFor(job, { ...call, agent }),
    work: {
      cwd: place.path,
      ...permissionFor(task),
      limits: { ...tools.limits, totalMs: tools.execution.settings.taskMs },
      resume: (agent) => resumed(job, call.session, agent),
      async begin({ wasKilled }) {
        const tip = wasKilled ? await trees.tip(task.id) : null;
        if (tip?.message.includes(trailer) === true) {
          return { commit: tip.commit, summary: '', agent: '' };
        }
        await place.at(commit);
        return null;
      },
      async keep(text) {
        const message = `${task.id}: ${name}\n\n${trailer}`;
        return {
          commit: await place.keep(commit, message),
          summary: text.slice(0, 4_000),
          agent: '',
        };
      },
    },
  };
}

/** Most find a session only from the folder that it was made in. */
function resumed(
  { tools, place }: TaskJob & { readonly place: TaskPlace },
  session: AgentSession | null,
  agent: string,
): AgentRequest['resume'] {
  if (session?.agent !== agent) return null;
  const adapter = tools.agents.adapterOf(agent);
  const canResume = session.isHere ? adapter?.can.resume : adapter?.resumesAnywhere;
  if (canResume !== true) return null;
  const { id: agentSession, tokens } = session;
  return { agentSession, cwd: place.path, ...(tokens === null ? {} : { spent: tokens }) };
}

async function promptFor(job: TaskJob, call: Call & { readonly agent: string }): Promise<string> {
  const { tools, trees, task, number, start, request, earlier } = job;
  const common = {
    session: tools.folder.id,
    round: number,
    nonce: randomBytes(8).toString('hex'),
    maxBytes: promptLimit(tools, call.agent),
    work: task,
    commands: checksOf(task).flatMap((check) => (check.kind === 'command' ? checkName(check) : [])),
  };
  if (call.name !== 'work') {
    const diff = await trees.diff(start, { commit: call.commit });
    return fixPrompt({ ...common, problems: call.problems, diff });
  }
  return executePrompt({
    ...common,
    request,
    package: job.package,
    before: earlier.map(({ task: id, title, summary }) => ({ id, title, summary })),
    conventions: conventionsFor(call.agent, job.package, tools),
  });
}
