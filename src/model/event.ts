// Defines the events that a session emits while it runs.
import { z } from 'zod';
import { AgentEvent, FailureCategory, tokenCounts } from './agent-event.ts';
import { Bill } from './bill.ts';
import { BriefObjection, NamedPlace, ToldCritique } from './critique.ts';
import { event, executionEvents } from './execution.ts';
import { Form } from './form.ts';
import { AgentQuestion } from './input-event.ts';
import { PresentedOption } from './option.ts';
import { phaseNames } from './phase.ts';
import { FindingSummary } from './plan-reading.ts';
import { DroppedProof, ToldProof, Unproven } from './proof.ts';
import { RunMode } from './session.ts';
import { Recommendation } from './synthesis.ts';

const agentRun = { agent: z.string(), seat: z.string(), step: z.string() };
const whoRan = {
  kind: z.enum(['model', 'analyst']),
  model: z.string().nullable().describe('As far as it is known; null for an analyst.'),
};
const spent = { tokens: tokenCounts.nullable(), cost_usd: z.number().nullable() };

const budget = z
  .object({ usd: z.number().optional(), tokens: z.number().optional() })
  .optional()
  .describe('What the session may use; left out where it has no limit.');

const defaultAgent = {
  agent: z.string().optional().describe('The default agent, as people call it, if one is set.'),
  model: z.string().nullable().optional().describe('Its model; null for its own default.'),
};

const taskList = z
  .array(z.object({ id: z.string(), title: z.string() }))
  .optional()
  .describe('The same tasks.');

const Forecast = z.object({ tokens: z.int(), cost_usd: z.number() });
export type Forecast = z.infer<typeof Forecast>;

/** Something that happened in a session, sent to every view. `--json` prints one per line. */
export const SessionEvent = z.discriminatedUnion('type', [
  event('session.started', {
    session: z.string(),
    folder: z.string(),
    task: z.string(),
    version: z.string(),
    ...defaultAgent,
    forecast: Forecast.optional().describe('The medians of earlier sessions in this repository.'),
    budget,
  }),
  event('session.resumed', {
    session: z.string(),
    folder: z.string(),
    task: z.string(),
    finished_steps: z.int(),
    kept: z.array(z.string()).describe('Settings from its start that now differ in the files.'),
    changed: z.array(z.string()).describe('Settings that flags change from the next round on.'),
    ...defaultAgent,
    budget,
  }),
  event('phase.entered', { phase: z.enum(phaseNames), round: z.int().nullable() }),
  event('context.fell', {
    provider: z.string(),
    reason: z.string().describe('Why it did not answer, in one clause.'),
    ms: z.number().describe('How long it took.'),
  }),
  event('context.gathered', {
    provider: z.string(),
    degraded: z.boolean(),
    files: z.array(z.string()),
    reason: z.string().nullable().describe('Why the result is degraded; null if it is not.'),
  }),
  event('round.started', {
    round: z.int(),
    max_rounds: z.int(),
    mode: RunMode,
    seats: z.array(z.string()),
  }),
  event('agent.started', { ...agentRun, ...whoRan }),
  event('agent.acted', { ...agentRun, event: AgentEvent }),
  event('agent.answered', {
    ...agentRun,
    ...whoRan,
    machine: z.string().exactOptional().describe('Where it ran, if not on this machine.'),
    duration_ms: z.number(),
    ...spent,
    summary: z.string().describe('One line: what was answered.'),
  }),
  event('agent.failed', {
    ...agentRun,
    ...whoRan,
    machine: z.string().exactOptional().describe('Where it ran, if not on this machine.'),
    duration_ms: z.number(),
    ...spent,
    category: FailureCategory,
    reason: z.string(),
  }),
  event('agent.retried', { ...agentRun, reason: z.string(), delay_ms: z.number() }),
  event('login.needed', {
    ...agentRun,
    login: z.string().describe('The command that logs it in; its seat waits for a person.'),
  }),
  event('agent.replaced', {
    seat: z
      .string()
      .describe('The seat in a round; else the phase that the other agent was asked for.'),
    agent: z.string().describe('The agent that takes the seat now.'),
    instead_of: z.string(),
    reason: z.string(),
  }),
  event('tree.changed', {
    files: z.array(z.string()),
    agent: z.string().nullable().describe('The agent proven to have written; null if unproven.'),
    beside: z
      .string()
      .optional()
      .describe('In an execution: the agent that worked meanwhile, in a work tree of its own.'),
  }),
  event('round.finished', {
    round: z.int(),
    score: z.number(),
    recommendation: Recommendation,
    solutions: z.int(),
    agreements: z.int(),
    disagreements: z.int(),
    failed_references: z.int(),
    reasons: z.array(z.string()).describe('How the score and the recommendation came about.'),
    agreed: z.array(z.string()),
    disagreed: z.array(z.string()),
    names: z.array(z.string()).describe('The names of its solutions, best first.'),
    new_solutions: z.array(z.string()).describe('Names that the round before did not have.'),
    revised_solutions: z.array(z.string()).describe('Names of those whose plan was changed.'),
    dropped_solutions: z.array(z.string()).describe('Names that only earlier rounds have.'),
    synthesis: z.string().describe('Path relative to the repository.'),
  }),
  event('question.asked', {
    questions: z.array(z.string()),
    asked: z
      .array(AgentQuestion)
      .optional()
      .describe('The same, with who asks and what may be chosen.'),
  }),
  event('answer.awaited', {
    id: z.string().describe('Id of this question, unique in this run of the program.'),
    ...Form.shape,
  }),
  event('input.refused', {
    line: z.int().min(1).describe('Number of the line on standard input.'),
    reason: z.string(),
  }),
  event('question.answered', {
    skipped: z.boolean().describe('True where the options follow at once.'),
    by: z.enum(['user', 'flags', 'nobody']),
    answered: z.int().describe('The number of questions that have an answer.'),
  }),
  event('options.presented', {
    uncertainty: z.string().nullable(),
    questions: z.array(z.string()).describe('What agents asked and nobody answered.'),
    assumed: z
      .array(z.string())
      .describe('What agents assumed for each of these questions; empty if nobody said.'),
    asked: z
      .string()
      .nullable()
      .describe('What the user asked the agents to look into, if anything.'),
    replies: z.array(z.string()).describe('What the agents answer to that.'),
    options: z.array(PresentedOption),
    agreements: z.int(),
    disagreements: z.int(),
    missing: z.string().nullable().describe('Who did not answer, and why; null where all did.'),
  }),
  event('plan.judged', {
    ...ToldCritique.shape,
    places: z.array(NamedPlace).describe('Places that are not there as stated.'),
    places_there: z.int().describe('How many places are there as stated.'),
    objections: z.array(BriefObjection),
    changes: z.array(BriefObjection).describe('Wishes of those who support it.'),
    revised: z.string().nullable().describe('Path relative to the repository.'),
    critique: z.string().describe('Path relative to the repository.'),
  }),
  event('decision.made', {
    decision: z.string(),
    kind: z.enum(['approve', 'more-analysis', 'cancel']).optional(),
    option: z
      .object({ number: z.int(), name: z.string() })
      .nullable()
      .optional()
      .describe('The option that was taken; null where none was.'),
    constraints: z.array(z.string()).optional(),
    feedback: z.string().nullable().optional(),
    by: z.string(),
  }),
  event('proof.written', {
    author: z.string(),
    note: z.string().describe('What a person should know of the author; else empty.'),
    proofs: z.array(ToldProof),
    dropped: z.array(DroppedProof),
    unproven: z.array(Unproven),
  }),
  event('proof.skipped', { why: z.string().describe('Why no test is written before the plan.') }),
  event('plan.written', {
    plan: z.string(),
    tasks: z.int(),
    source: z.string(),
    titles: z.array(z.string()).describe('Id and title of each task, in order.'),
    task_list: taskList,
  }),
  event('plan.checked', { blocking: z.int(), warnings: z.int(), findings: z.array(z.string()) }),
  event('plan.revised', {
    version: z.int(),
    changes: z.array(z.string()).describe('One line for each difference from the version before.'),
  }),
  event('plan.shown', {
    readers: z.array(z.string()).describe('The agents that read the plan now.'),
  }),
  event('plan.read', {
    readers: z.array(
      z.object({
        agent: z.string(),
        tokens: z.int().nullable(),
        cost_usd: z.number().nullable(),
      }),
    ),
    unread: z.string().describe('Why nobody read it although somebody should; else empty.'),
    notes: z.array(z.string()),
    findings: z.array(FindingSummary),
  }),
  event('plan.edited', {
    task: z.string().nullable().describe('Its id; null for the plan itself.'),
    field: z.string().describe('With dots, e.g. "files.0.path"; or what was done, e.g. "split".'),
  }),
  event('plan.approved', {
    by: z.string(),
    hash: z.string(),
    unread: z.string().optional().describe('Why nobody but its author read it.'),
  }),
  event('plan.left', { why: z.string() }),
  ...executionEvents,
  event('page.opened', {
    url: z
      .string()
      .describe(
        'Where it is; with the key that opens it once, if a terminal shows it to a person.',
      ),
    file: z.string().describe('A private file on this machine that leads to it, with the key.'),
    tunnel: z
      .string()
      .nullable()
      .describe(
        'The command that leads to it from another machine; null where nobody came by SSH.',
      ),
  }),
  event('page.answered', { where: z.enum(['browser', 'terminal']) }),
  event('usage.counted', { spent: Bill.describe('What the whole session has used so far.') }),
  event('warning.raised', { text: z.string() }),
  event('step.finished', { key: z.string(), replayed: z.boolean() }),
  event('session.finished', {
    session: z.string(),
    end: z.enum(['done', 'failed', 'cancelled', 'interrupted']),
    exit_code: z.int(),
    message: z.string(),
    plan: z.string().nullable(),
    tasks: z.int().nullable(),
    summary: z.string().nullable().describe('What the plan does; null without one.'),
    titles: z
      .array(z.string())
      .describe(
        'Id and title of each task, as the plan was approved or left; empty for other ends.',
      ),
    task_list: taskList,
    approved: z.boolean(),
    next: z
      .string()
      .nullable()
      .describe('What to type next: to carry the plan out, or to apply the result.'),
    program: z
      .string()
      .optional()
      .describe('The words that start this program, where they are not `conclave`.'),
    by_hand: z
      .string()
      .nullable()
      .optional()
      .describe('A command to copy that hands the approved plan to an agent.'),
    spent: Bill.describe('What the whole session used.'),
  }),
]);
export type SessionEvent = z.infer<typeof SessionEvent>;

/** A line of `--json`: the event with its number, its time and whether it comes from the record. */
export const Event = z.intersection(
  z.object({ seq: z.int().min(1), at: z.iso.datetime(), replayed: z.boolean() }),
  SessionEvent,
);
export type Event = z.infer<typeof Event>;

/** The event of one type. */
export type EventOf<Type extends Event['type']> = Extract<Event, { type: Type }>;

/** Emits an event; `fromRecord` says whether it comes from the record, if the caller knows that. */
export type Emit = (event: SessionEvent, fromRecord?: boolean) => void;
