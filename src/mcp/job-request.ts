// Defines the arguments of the tools that start work, the work as its job receives it, and its state.
import { z } from 'zod';
import {
  Amount,
  FilledText,
  Flag,
  Ordinal,
  Text,
  TextOrNull,
  Texts,
} from '../model/plain-shapes.ts';
import { PlanParts } from '../model/proposal.ts';

/** Its description is created again for each list of tools. */
export const AgentName = Text.describe('An agent, or one of its models.');
export const ProjectFolder = Text.describe('The folder of the project, as an absolute path.');
export const SessionName = Text.describe('The id of the planning session.');
/** The seconds that a tool waits for its job. */
export const WaitSeconds = Amount.max(170)
  .default(45)
  .describe('Seconds to wait for the result; what is not finished then goes on as a job.');

const Context = Texts.default([]).describe('Files that are sent along.');
const conversation = {
  role: Text.default('default').describe('default, planner, codereviewer, or one of your own.'),
  session_id: TextOrNull.default(null).describe(
    'The conversation to go on with: the session of an earlier result, or a name of your own; null for a new one.',
  ),
  context: Context,
};
const planned = { session: SessionName, folder: ProjectFolder };

/** The arguments of each tool that starts work, by the kind of work. */
export const takes = {
  work: {
    agent: AgentName,
    task: FilledText.describe(
      'What is to be done, in full: it knows nothing of your conversation.',
    ),
    folder: ProjectFolder,
    ...conversation,
    cli_flags: z
      .array(Text.max(1000))
      .max(20)
      .default([])
      .describe(
        'Flags of its program, each with its value in one text: how hard its model thinks, e.g. --effort=high; others only where the user allows them.',
      ),
    wait_s: WaitSeconds,
  },
  consult: {
    model: AgentName,
    question: FilledText.describe('In full: it knows nothing of your conversation.'),
    folder: ProjectFolder,
    ...conversation,
    output_format: z
      .union([z.literal('text'), z.record(Text, z.unknown())])
      .default('text')
      .describe('text, or the JSON Schema of the answer, which then is one JSON object.'),
    wait_s: WaitSeconds,
  },
  discuss: {
    topic: FilledText.describe('The question that they discuss.'),
    models: z.array(AgentName).min(2).max(5).describe('Who discusses.'),
    rounds: Ordinal.max(5).default(2).describe('The most rounds that it takes.'),
    context: Context,
    folder: ProjectFolder,
    wait_s: WaitSeconds,
  },
  critique: {
    plan: FilledText.describe('The whole plan, as Markdown.'),
    task: Text.default('').describe('The request of the user, in their words.'),
    folder: ProjectFolder,
    host_vendor: TextOrNull.default(null).describe(
      'The vendor of your own model, such as anthropic, openai or google; it is not asked.',
    ),
    agents: z
      .array(AgentName)
      .default([])
      .describe('Who examines; empty for the user’s own choice.'),
    parts: PlanParts.nullable()
      .default(null)
      .describe(
        'The plan taken apart into tasks; null to have it taken apart by its headings and lists.',
      ),
    revise: Flag.default(false).describe(
      'Have a revised plan written beside this one, if places are wrong or objections are proven.',
    ),
    wait_s: WaitSeconds,
  },
  plan: {
    task: FilledText.describe('The change that is wanted, in the words of the user.'),
    folder: ProjectFolder,
    agents: z
      .array(AgentName)
      .default([])
      .describe('Who discusses; empty for the user’s own choice.'),
    constraints: Texts.default([]).describe('What the plan has to keep to.'),
    wait_s: WaitSeconds,
  },
  decide: {
    ...planned,
    solution: Ordinal.nullable().default(null).describe('The number of the option.'),
    feedback: TextOrNull.default(null).describe('What to analyse further.'),
    answers: Texts.default([]).describe('To the questions of the agents, in order.'),
    wait_s: WaitSeconds,
  },
  review: {
    ...planned,
    comments: Texts.default([]).describe(
      'What is to be changed in the plan. "ANCHOR=text" is about a line that has this anchor, "TASK-001: text" about a task.',
    ),
    approve: Flag.default(false).describe('True to approve the plan as it is.'),
    despite_findings: Flag.default(false).describe(
      'With approve: although a major finding of a reader is open.',
    ),
    wait_s: WaitSeconds,
  },
  execute: {
    ...planned,
    unconfined: Texts.default([]).describe(
      'Checks that a person lets run without their confinement, for this plan.',
    ),
    review: AgentName.nullable()
      .default(null)
      .describe('Who reviews the changes, or "skip"; null for another vendor, if one is ready.'),
    answers: Texts.default([]).describe(
      'Answers to the questions about failed tasks, in their order, as the job names them.',
    ),
    wait_s: WaitSeconds,
  },
};

const outside = Texts.describe('The real paths outside of the project that a person let through.');
const agreed = Text.optional().describe(
  'The hash of the question that a person agreed to, or empty; absent if nobody can be asked.',
);
const shown = TextOrNull.describe('The hash of the plan that is approved.');

/** The work of a job: the arguments of its tool, with what was determined when a person agreed. */
export const JobRequest = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('work'), ...takes.work, outside }),
  z.object({ kind: z.literal('consult'), ...takes.consult, outside }),
  z.object({ kind: z.literal('discuss'), ...takes.discuss }),
  z.object({ kind: z.literal('critique'), ...takes.critique }),
  z.object({ kind: z.literal('plan'), ...takes.plan }),
  z.object({ kind: z.literal('decide'), ...takes.decide, agreed }),
  z.object({ kind: z.literal('review'), ...takes.review, shown }),
  z.object({ kind: z.literal('execute'), ...takes.execute }),
]);
export type JobRequest = z.infer<typeof JobRequest>;

/** The work of a planning session. */
export type SessionRequest = Exclude<JobRequest, { kind: 'work' | 'consult' }>;

/** True for a turn in a conversation. */
export function isTalk(request: JobRequest): request is Exclude<JobRequest, SessionRequest> {
  return request.kind === 'work' || request.kind === 'consult';
}

/** The state that the process of the job writes. */
export const JobState = z.object({
  state: z.enum(['starting', 'running', 'waiting', 'done', 'failed', 'cancelled']),
  session: TextOrNull.describe('The session that it runs, once that is known.'),
  doing: Text.describe('The latest event, in a few words.'),
  waits_for: TextOrNull.describe('The question that it stopped at.'),
  message: TextOrNull.describe('Why it failed, or what it ended with.'),
  result: z.record(Text, z.unknown()).nullable(),
  started_at: Text,
  ended_at: TextOrNull,
});
export type JobState = z.infer<typeof JobState>;

export const jobEnds: ReadonlySet<string> = new Set(['waiting', 'done', 'failed', 'cancelled']);
