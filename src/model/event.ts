// Defines the events that a session emits while it runs.
import { z } from 'zod';
import { Flag, Ordinal, Text, TextOrNull, Texts, Whole } from './plain-shapes.ts';
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
import { RunMode } from './run-settings.ts';
import { Recommendation } from './synthesis.ts';

const agentRun = { agent: Text, seat: Text, step: Text };
const whoRan = {
  kind: z.enum(['model', 'analyst']),
  model: TextOrNull.describe('As far as it is known; null for an analyst.'),
};
const spent = { tokens: tokenCounts.nullable(), cost_usd: z.number().nullable() };

const budget = z
  .object({
    usd: z.number().optional(),
    tokens: z.number().optional(),
    window: z.number().optional(),
  })
  .optional()
  .describe('What the session may use; left out where it has no limit.');

const defaultAgent = {
  agent: Text.optional().describe('The default agent, as people call it, if one is set.'),
  model: TextOrNull.optional().describe('Its model; null for its own default.'),
};

const taskList = z
  .array(z.object({ id: Text, title: Text }))
  .optional()
  .describe('The same tasks.');

const Forecast = z.object({
  tokens: Whole,
  cost_usd: z.number(),
  windows: Bill.shape.windows,
});
export type Forecast = z.infer<typeof Forecast>;

/** Something that happened in a session, sent to every view. `--json` prints one per line. */
export const SessionEvent = z.discriminatedUnion('type', [
  event('session.started', {
    session: Text,
    folder: Text,
    task: Text,
    version: Text,
    ...defaultAgent,
    forecast: Forecast.optional().describe('The medians of earlier sessions in this repository.'),
    budget,
  }),
  event('session.resumed', {
    session: Text,
    folder: Text,
    task: Text,
    finished_steps: Whole,
    kept: Texts.describe('Settings from its start that now differ in the files.'),
    changed: Texts.describe('Settings that flags change from the next round on.'),
    ...defaultAgent,
    budget,
  }),
  event('phase.entered', { phase: z.enum(phaseNames), round: Whole.nullable() }),
  event('context.fell', {
    provider: Text,
    reason: Text.describe('Why it did not answer, in one clause.'),
    ms: z.number().describe('How long it took.'),
  }),
  event('context.gathered', {
    provider: Text,
    degraded: Flag,
    files: Texts,
    reason: TextOrNull.describe('Why the result is degraded; null if it is not.'),
  }),
  event('round.started', {
    round: Whole,
    max_rounds: Whole,
    mode: RunMode,
    seats: Texts,
  }),
  event('agent.started', { ...agentRun, ...whoRan }),
  event('agent.acted', { ...agentRun, event: AgentEvent }),
  event('agent.answered', {
    ...agentRun,
    ...whoRan,
    machine: Text.exactOptional().describe('Where it ran, if not on this machine.'),
    duration_ms: z.number(),
    ...spent,
    summary: Text.describe('One line: what was answered.'),
  }),
  event('agent.failed', {
    ...agentRun,
    ...whoRan,
    machine: Text.exactOptional().describe('Where it ran, if not on this machine.'),
    duration_ms: z.number(),
    ...spent,
    category: FailureCategory,
    reason: Text,
  }),
  event('agent.retried', { ...agentRun, reason: Text, delay_ms: z.number() }),
  event('login.needed', {
    ...agentRun,
    login: Text.describe('The command that logs it in; its seat waits for a person.'),
  }),
  event('agent.replaced', {
    seat: Text.describe('The seat in a round; else the phase that the other agent was asked for.'),
    agent: Text.describe('The agent that takes the seat now.'),
    instead_of: Text,
    reason: Text,
  }),
  event('tree.changed', {
    files: Texts,
    agent: TextOrNull.describe('The agent proven to have written; null if unproven.'),
    beside: Text.optional().describe(
      'In an execution: the agent that worked meanwhile, in a work tree of its own.',
    ),
  }),
  event('round.finished', {
    round: Whole,
    score: z.number(),
    recommendation: Recommendation,
    solutions: Whole,
    agreements: Whole,
    disagreements: Whole,
    failed_references: Whole,
    reasons: Texts.describe('How the score and the recommendation came about.'),
    agreed: Texts,
    disagreed: Texts,
    names: Texts.describe('The names of its solutions, best first.'),
    new_solutions: Texts.describe('Names that the round before did not have.'),
    revised_solutions: Texts.describe('Names of those whose plan was changed.'),
    dropped_solutions: Texts.describe('Names that only earlier rounds have.'),
    synthesis: Text.describe('Path relative to the repository.'),
  }),
  event('question.asked', {
    questions: Texts,
    asked: z
      .array(AgentQuestion)
      .optional()
      .describe('The same, with who asks and what may be chosen.'),
  }),
  event('answer.awaited', {
    id: Text.describe('Id of this question, unique in this run of the program.'),
    ...Form.shape,
  }),
  event('input.refused', {
    line: Ordinal.describe('Number of the line on standard input.'),
    reason: Text,
  }),
  event('question.answered', {
    skipped: Flag.describe('True where the options follow at once.'),
    by: z.enum(['user', 'flags', 'nobody']),
    answered: Whole.describe('The number of questions that have an answer.'),
  }),
  event('options.presented', {
    uncertainty: TextOrNull,
    questions: Texts.describe('What agents asked and nobody answered.'),
    assumed: Texts.describe(
      'What agents assumed for each of these questions; empty if nobody said.',
    ),
    asked: TextOrNull.describe('What the user asked the agents to look into, if anything.'),
    replies: Texts.describe('What the agents answer to that.'),
    options: z.array(PresentedOption),
    agreements: Whole,
    disagreements: Whole,
    missing: TextOrNull.describe('Who did not answer, and why; null where all did.'),
  }),
  event('plan.judged', {
    ...ToldCritique.shape,
    places: z.array(NamedPlace).describe('Places that are not there as stated.'),
    places_there: Whole.describe('How many places are there as stated.'),
    objections: z.array(BriefObjection),
    changes: z.array(BriefObjection).describe('Wishes of those who support it.'),
    revised: TextOrNull.describe('Path relative to the repository.'),
    critique: Text.describe('Path relative to the repository.'),
  }),
  event('decision.made', {
    decision: Text,
    kind: z.enum(['approve', 'more-analysis', 'cancel']).optional(),
    option: z
      .object({ number: Whole, name: Text })
      .nullable()
      .optional()
      .describe('The option that was taken; null where none was.'),
    constraints: Texts.optional(),
    feedback: TextOrNull.optional(),
    by: Text,
  }),
  event('proof.written', {
    author: Text,
    note: Text.describe('What a person should know of the author; else empty.'),
    proofs: z.array(ToldProof),
    dropped: z.array(DroppedProof),
    unproven: z.array(Unproven),
  }),
  event('proof.skipped', { why: Text.describe('Why no test is written before the plan.') }),
  event('plan.written', {
    plan: Text,
    tasks: Whole,
    source: Text,
    titles: Texts.describe('Id and title of each task, in order.'),
    task_list: taskList,
  }),
  event('plan.checked', { blocking: Whole, warnings: Whole, findings: Texts }),
  event('plan.revised', {
    version: Whole,
    changes: Texts.describe('One line for each difference from the version before.'),
  }),
  event('plan.shown', {
    readers: Texts.describe('The agents that read the plan now.'),
  }),
  event('plan.read', {
    readers: z.array(
      z.object({
        agent: Text,
        tokens: Whole.nullable(),
        cost_usd: z.number().nullable(),
      }),
    ),
    unread: Text.describe('Why nobody read it although somebody should; else empty.'),
    notes: Texts,
    findings: z.array(FindingSummary),
  }),
  event('plan.edited', {
    task: TextOrNull.describe('Its id; null for the plan itself.'),
    field: Text.describe('With dots, e.g. "files.0.path"; or what was done, e.g. "split".'),
  }),
  event('plan.approved', {
    by: Text,
    hash: Text,
    unread: Text.optional().describe('Why nobody but its author read it.'),
  }),
  event('plan.left', { why: Text }),
  ...executionEvents,
  event('page.opened', {
    url: Text.describe(
      'Where it is; with the key that opens it once, if a terminal shows it to a person.',
    ),
    file: Text.describe('A private file on this machine that leads to it, with the key.'),
    tunnel: TextOrNull.describe(
      'The command that leads to it from another machine; null where nobody came by SSH.',
    ),
  }),
  event('page.answered', { where: z.enum(['browser', 'terminal']) }),
  event('usage.counted', { spent: Bill.describe('What the whole session has used so far.') }),
  event('warning.raised', { text: Text }),
  event('step.finished', { key: Text, replayed: Flag }),
  event('session.finished', {
    session: Text,
    end: z.enum(['done', 'failed', 'cancelled', 'interrupted']),
    exit_code: Whole,
    message: Text,
    plan: TextOrNull,
    tasks: Whole.nullable(),
    summary: TextOrNull.describe('What the plan does; null without one.'),
    titles: Texts.describe(
      'Id and title of each task, as the plan was approved or left; empty for other ends.',
    ),
    task_list: taskList,
    approved: Flag,
    next: TextOrNull.describe('What to type next: to carry the plan out, or to apply the result.'),
    program: Text.optional().describe(
      'The words that start this program, where they are not `conclave`.',
    ),
    by_hand: TextOrNull.optional().describe(
      'A command to copy that hands the approved plan to an agent.',
    ),
    spent: Bill.describe('What the whole session used.'),
  }),
]);
export type SessionEvent = z.infer<typeof SessionEvent>;

/** A line of `--json`: the event with its number, its time and whether it comes from the record. */
export const Event = z.intersection(
  z.object({ seq: Ordinal, at: z.iso.datetime(), replayed: Flag }),
  SessionEvent,
);
export type Event = z.infer<typeof Event>;

/** The event of one type. */
export type EventOf<Type extends Event['type']> = Extract<Event, { type: Type }>;

/** Emits an event; `fromRecord` says whether it comes from the record, if the caller knows that. */
export type Emit = (event: SessionEvent, fromRecord?: boolean) => void;
