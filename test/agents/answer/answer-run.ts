import { openSharedSetUp } from '../../../src/phases/execution/shared-set-up.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Agent,
  type AgentEnd,
  type AgentRequest,
  bareTraits,
} from '../../../src/agents/agent.ts';
import { openRepository } from '../../../src/git/open-repository.ts';
import { PlanAnswer } from '../../../src/model/plan.ts';
import type { Question } from '../../../src/phases/asking/question.ts';
import { askSeat, type SeatResult } from '../../../src/phases/asking/ask-seat.ts';
import { openBudget } from '../../../src/phases/asking/reserve-budget.ts';
import { treeWatch } from '../../../src/agents/tree-watch.ts';
import { openLogins, openSkips, type Tools } from '../../../src/phases/phase-tools.ts';
import { memorySteps } from '../../helpers/memory-steps.ts';
import { schemaCheck } from '../../../src/store/published-schemas.ts';
import { claimSession } from '../../../src/store/session-folder.ts';
import { codebaseContext } from '../../helpers/codebase-context.ts';
import { plainFacts } from '../agent-room.ts';
import { goodAnswers } from './imperfect-answers.ts';
import { steps } from '../../../src/model/steps.ts';

/** What an agent says to each call: its final text, or how it fails. */
type Reply = string | Extract<AgentEnd, { ok: false }>['failure'];

interface AskedOnce {
  readonly result: SeatResult<unknown>;
  /** What the agent was asked, call by call. */
  readonly requests: readonly AgentRequest[];
}

export interface AnswerRoom {
  /** Asks one agent for a plan, which gives these replies; the last one is repeated. */
  ask(replies: readonly Reply[], more?: { canResume?: boolean }): Promise<AskedOnce>;
  remove(): void;
}

/** The phases' own way of asking, with an agent that only says what it is told to. */
export async function answerRoom(): Promise<AnswerRoom> {
  const root = mkdtempSync(join(tmpdir(), 'conclave-answers-'));
  const { signal } = new AbortController();
  const folder = await claimSession({ root, task: 'Add a health endpoint', now: new Date() });
  const repository = await openRepository({ root, base: null, snapshots: null, signal });
  const common = {
    folder,
    repository,
    providers: [],
    search: { maxFiles: 1, timeoutMs: 1 },
    schemas: await schemaCheck({}),
    limits: { firstOutputMs: 1, idleMs: 1, totalMs: 1, graceMs: 1 },
    watch: treeWatch(repository),
    apart: null,
    hidden: [],
    markPrefix: 'answers-',
    skips: openSkips(),
    logins: openLogins(false),
    execution: {
      settings: {
        jobs: 1,
        isDestructive: false,
        codeBeforeApproval: 'ask' as const,
        taskMs: 1,
        checkMs: 1,
        setup: [],
        env: {},
        commitStyle: null,
        applyHooks: false,
        branchPrefix: 'conclave',
        apply: 'merge' as const,
        carries: true,
        at: 'head' as const,
        mayRun: [],
        confine: false,
        rehearses: false,
        rechecks: true,
        copy: [],
        link: [],
      },
      environment: {},
      confinement: null,
      confinementFile: '',
      secrets: [],
      shared: openSharedSetUp(),
      remember: async () => null,
      records: [],
      worktrees: () => Promise.reject(new Error('nothing is carried out')),
    },
    budget: openBudget({
      id: 'session',
      limits: {},
      records: [],
      warn: () => undefined,
    }),
    seatsAreChosen: true,
    modelFor: () => null,
    phases: {},
    proves: false,
    planReaders: 0,
    role: null,
    emit: () => undefined,
  };
  return {
    async ask(replies, { canResume = false } = {}) {
      const requests: AgentRequest[] = [];
      const plain = replying(replies, requests);
      const resumes = canResume ? 'anywhere' : 'never';
      const agent: Agent = { ...plain, traits: { ...plain.traits, resumes } };
      const tools: Tools = {
        ...common,
        steps: memorySteps(),
        agents: {
          get: () => agent,
          describe: () => undefined,
          loginOf: () => ({ state: 'unknown' }),
          logIn: () => Promise.resolve(),
          loginCommand: () => null,
          modelOf: () => null,
          models: () => [agent],
          analysts: [],
        },
      };
      const seat = { tools, names: [agent.name], signal };
      return { result: await askSeat({ ...seat, question }), requests };
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

const { session } = PlanAnswer.parse(goodAnswers['plan-answer']);

const question: Question<PlanAnswer> = {
  shape: PlanAnswer,
  call: steps.plan(1).ask,
  round: 1,
  folderFor: () => 'asked',
  meaning: {},
  task: 'Add a health endpoint',
  context: codebaseContext(),
  constraints: [],
  schema: 'plan-answer',
  expected: { session, phase: 'planning' },
  promptFor: () => Promise.resolve(askedPrompt),
  summaryOf: () => '',
};

/** The prompt of every question. */
export const askedPrompt =
  'conclave question: {}\n\nThe whole question.\n\n# Answer\n\nThe schema.';

const facts = {
  ...plainFacts,
  agentSession: 'session-1',
  model: 'fake-1',
  tokens: { input: 10, output: 10, cached: 0 },
};

function replying(replies: readonly Reply[], requests: AgentRequest[]): Agent {
  return {
    name: 'alpha',
    traits: bareTraits('alpha'),
    kind: 'model',
    ready: () => Promise.resolve({ state: 'ready', path: null, version: null }),
    vendorOf: () => 'vendor-alpha',
    async *run(request) {
      requests.push(request);
      yield await Promise.resolve({
        type: 'started',
        agentSession: 'session-1',
        model: 'fake-1',
        version: null,
      } as const);
      const reply = replies[Math.min(requests.length, replies.length) - 1] ?? '';
      return typeof reply === 'string'
        ? { ok: true, text: reply, facts }
        : { ok: false, failure: reply, facts };
    },
  };
}
