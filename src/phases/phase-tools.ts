// Defines what the phases of a session work with, and their recorded calculations.
import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import type { z } from 'zod';
import type { Agent, RunLimits } from '../agents/agent.ts';
import type { Confinement } from '../agents/process/confinement.ts';
import type { AgentPool } from '../agents/pool.ts';
import type { TreeWatch } from '../agents/tree-watch.ts';
import type { ContextProvider, SearchLimits } from '../context/provider.ts';
import type { Repository } from '../git/repository.ts';
import type { Worktrees } from '../git/worktrees.ts';
import type { ProjectFact } from '../model/context.ts';
import type { Emit } from '../model/event.ts';
import type { ExecutionSettings } from '../model/settings.ts';
import type { SchemaName } from '../model/published.ts';
import { type PhaseChoices, choiceForCall } from '../model/phase-choice.ts';
import type { Step } from '../model/step.ts';
import type { RequestPhase } from '../model/steps.ts';
import type { Synthesis } from '../model/synthesis.ts';
import type { PromptInput } from '../prompts/request.ts';
import type { JournalRecord } from '../store/journal.ts';
import type { Staging } from '../store/staging.ts';
import type { SchemaCheck } from '../store/published-schemas.ts';
import { foldSteps } from '../store/recorded-steps.ts';
import type { SessionFolder } from '../store/session-folder.ts';
import type { Steps } from '../store/steps-port.ts';
import type { SessionBudget } from './asking/reserve-budget.ts';
import type { SharedSetUp } from './execution/shared-set-up.ts';

/** The tools that the phases of one session work with; made once by the wiring, never by a phase. */
export interface Tools {
  readonly folder: SessionFolder;
  /** Holds what agents write until all have answered; null if there is no such place. */
  readonly apart: Staging | null;
  /** Absolute folders with the answers of agents in this and other sessions, which agents must not read. */
  readonly hidden: readonly string[];
  readonly repository: Repository;
  readonly steps: Steps;
  readonly agents: AgentPool;
  /** True if the seats of the first round were chosen explicitly. */
  readonly seatsAreChosen: boolean;
  readonly providers: readonly ContextProvider[];
  readonly search: Omit<SearchLimits, 'signal'> & {
    /** The project’s own texts from its settings, as opposed to the user’s. */
    readonly facts?: readonly ProjectFact[];
  };
  /** The folder in which the user works, relative to the root; empty for the root. */
  readonly standing?: string;
  readonly schemas: SchemaCheck;
  readonly limits: RunLimits;
  readonly budget: SessionBudget;
  readonly execution: ExecutionTools;
  readonly skips: Skips;
  readonly logins: Logins;
  readonly watch: TreeWatch;
  /** The start of the mark of every agent run in this session. */
  readonly markPrefix: string;
  /** The model that the user chose for an agent, or null for the CLI’s own. */
  modelFor(agent: string): string | null;
  /** The agents that the user chose for phases. */
  readonly phases: PhaseChoices;
  /** False if the user wants no proof. */
  readonly proves: boolean;
  /** The number of other vendors that read a plan. */
  readonly planReaders: number;
  /** The instructions of the role that agents take when they plan; null without a role. */
  readonly role: string | null;
  readonly emit: Emit;
}

/** The additional tools of an execution. */
interface ExecutionTools {
  readonly settings: ExecutionSettings;
  /** The set-up that its work trees share. */
  readonly shared: SharedSetUp;
  /** Saves choices for this repository in the user’s settings; returns the reason if it could not. */
  remember(choices: {
    readonly setup?: readonly string[] | undefined;
    readonly copy?: readonly string[] | undefined;
    readonly commit_style?: string | undefined;
    readonly code_before_approval?: 'on' | 'off' | undefined;
  }): Promise<string | null>;
  /** The environment of this program. */
  readonly environment: NodeJS.ProcessEnv;
  /** Confines checks and the set-up to their work trees; null if nothing does. */
  readonly confinement: Confinement | null;
  /** The absolute path of the user’s file about the confinement of code before approval. */
  readonly confinementFile: string;
  /** Paths, absolute or relative to the home folder, that hold secrets of ours and of the agents. */
  readonly secrets: readonly string[];
  /** The journal’s records at the time when the session was opened. */
  readonly records: readonly JournalRecord[];
  /** Opens the work trees on the first call. */
  worktrees(signal: AbortSignal): Promise<Worktrees>;
}

/**
 * Lets a person skip the calls and waits of an agent in one group of steps, e.g. `round-2/codex`, or of all agents
 * in it, e.g. `round-2`.
 */
export interface Skips {
  skip(key: string): void;
  signalFor(key: string): AbortSignal;
}

/** Logins by a person while an agent’s seat waits; the keys are the same as those of skips. */
export interface Logins {
  /** True if a person is present who can log agents in. */
  readonly areOffered: boolean;
  /** The agents whose login was refused in this run, with the words of the refusal. */
  readonly refused: Map<string, string>;
  /** Signals that the agent is to be asked again. */
  done(key: string): void;
  /** Rejects with the reason of the signal. */
  waitFor(key: string, signal: AbortSignal): Promise<void>;
}

export function openLogins(areOffered: boolean): Logins {
  const told = new EventEmitter();
  return {
    areOffered,
    refused: new Map(),
    done: (key) => void told.emit(key),
    async waitFor(key, signal) {
      await once(told, key, { signal });
    },
  };
}

/** Opens the skips of a session, none of which is set. */
export function openSkips(): Skips {
  const asked = new Map<string, AbortController>();
  const controllerFor = (key: string): AbortController => {
    const controller = asked.get(key) ?? new AbortController();
    asked.set(key, controller);
    return controller;
  };
  return {
    skip: (key) => controllerFor(key).abort(),
    signalFor(key) {
      const group = key.split('/')[0] ?? key;
      return AbortSignal.any([controllerFor(key).signal, controllerFor(group).signal]);
    },
  };
}

/** Runs a step that calculates or asks the user; its recorded result is used again on a resume. */
export async function recordStep<T>(
  step: {
    readonly tools: Pick<Tools, 'steps'>;
    readonly step: Step;
    readonly input?: unknown;
    readonly shape: z.ZodType<T>;
    readonly signal: AbortSignal;
  },
  calculate: () => Promise<T>,
): Promise<T> {
  const { tools, input = {}, shape, signal } = step;
  return (await tools.steps.run({ ...step.step, input, shape, signal }, calculate)).value;
}

/** The model and the effort of an agent for a call; null for the agent’s own. */
export function modelOfCall(
  { phases, modelFor }: Pick<Tools, 'phases' | 'modelFor'>,
  call: RequestPhase,
  agent: string,
): { readonly model: string | null; readonly effort: string | null } {
  const { model, effort } = choiceForCall(phases, call, agent);
  return { model: model ?? modelFor(agent), effort };
}

/** The vendor of the model that an agent uses for a call, as its last answer told; null if unknown. */
export function vendorFor(
  tools: Pick<Tools, 'phases' | 'modelFor' | 'agents'>,
  {
    name,
    call,
    receipts,
  }: {
    readonly name: string;
    readonly call: RequestPhase;
    readonly receipts: Synthesis['receipts'];
  },
): string | null {
  const { model } = modelOfCall(tools, call, name);
  const answer = receipts.find(({ agent, failure }) => agent === name && failure === null);
  const told = model === tools.modelFor(name) ? answer?.vendor : null;
  return told ?? tools.agents.get(name)?.vendorOf(model) ?? null;
}

/** True if a step had a valid result in the journal when the session was opened. */
export function isRecorded(
  { execution }: Pick<Tools, 'execution'>,
  { key }: Pick<Step, 'key'>,
): boolean {
  return (foldSteps(execution.records).get(key)?.finished ?? null) !== null;
}

/** The common start of every prompt that asks for an answer in a schema. */
export function promptInput(
  tools: Tools,
  agent: Agent,
  { round, schema }: { readonly round: number; readonly schema: SchemaName },
): PromptInput {
  const own = tools.schemas.asked(schema);
  const schemaWay = agent.traits.schemaWay(own);
  return { ...promptBasics(tools, agent, round), schema: own, schemaWay };
}

const longestPrompt = 1_000_000;

/** The longest prompt, in bytes, that we send to an agent and that it still takes in full. */
export function promptLimit({ traits }: Pick<Agent, 'traits'>): number {
  return Math.min(traits.maxPromptBytes, longestPrompt);
}

/** Shortens the limits of a call that is not worth a longer wait, in ms. */
export function limitsWithin(limits: RunLimits, longest: number): RunLimits {
  const totalMs = Math.min(limits.totalMs, longest);
  return { ...limits, totalMs, firstOutputMs: Math.min(limits.firstOutputMs, longest) };
}

/** The common start of every prompt to this agent. */
export function promptBasics({ folder }: Pick<Tools, 'folder'>, agent: Agent, round: number) {
  const nonce = randomBytes(8).toString('hex');
  return { session: folder.id, round, nonce, maxBytes: promptLimit(agent) };
}
