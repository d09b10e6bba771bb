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
import type { PromptInput } from '../prompts/request.ts';
import type { JournalRecord } from '../store/journal.ts';
import type { Staging } from '../store/staging.ts';
import type { SchemaCheck } from '../store/published-schemas.ts';
import { foldSteps } from '../store/recorded-steps.ts';
import type { SessionFolder } from '../store/session-folder.ts';
import type { Steps } from '../store/steps-port.ts';
import type { SessionBudget } from './asking/reserve-budget.ts';
import type { SharedSetUp } from './execution/shared-set-up.ts';

/** The phases of one session work with these. Made once by the wiring, never by a phase. */
export interface Tools {
  readonly folder: SessionFolder;
  /** Holds what agents write until all have answered; null where there is no such place. */
  readonly apart: Staging | null;
  /** Absolute folders with what agents of this and other sessions said: not for agents to read. */
  readonly hidden: readonly string[];
  readonly repository: Repository;
  readonly steps: Steps;
  readonly agents: AgentPool;
  /** True where somebody said who sits in the first round. */
  readonly seatsAreChosen: boolean;
  readonly providers: readonly ContextProvider[];
  readonly search: Omit<SearchLimits, 'signal'> & {
    /** The project’s own words in its settings, which are not the user’s. */
    readonly facts?: readonly ProjectFact[];
  };
  /** The folder where the user stands, relative to the root; empty for the root. */
  readonly standing?: string;
  readonly schemas: SchemaCheck;
  readonly limits: RunLimits;
  readonly budget: SessionBudget;
  readonly execution: ExecutionTools;
  readonly skips: Skips;
  readonly logins: Logins;
  readonly watch: TreeWatch;
  /** Starts the mark of every agent run of this session. */
  readonly markPrefix: string;
  /** The model that the user chose for an agent, or null for the CLI’s own. */
  modelFor(agent: string): string | null;
  /** The agents that the user chose for phases. */
  readonly phases: PhaseChoices;
  /** The number of vendors that read a plan of another one. */
  readonly planReaders: number;
  /** The instructions of the role in which agents plan; null for none. */
  readonly role: string | null;
  readonly emit: Emit;
}

/** An execution works with these beside the rest. */
interface ExecutionTools {
  readonly settings: ExecutionSettings;
  /** The set-up that its work trees share. */
  readonly shared: SharedSetUp;
  /** Keeps what was chosen for this repository in the user’s settings; returns why it could not. */
  remember(choices: {
    readonly setup?: readonly string[] | undefined;
    readonly commit_style?: string | undefined;
  }): Promise<string | null>;
  /** The environment of this program. */
  readonly environment: NodeJS.ProcessEnv;
  /** Holds checks and the set-up to their work trees; null where nothing does. */
  readonly confinement: Confinement | null;
  /** Places of a home, or absolute ones, that hold secrets of ours and of the agents. */
  readonly secrets: readonly string[];
  /** Of the journal as it was when the session was opened. */
  readonly records: readonly JournalRecord[];
  /** Opened when it is first asked for. */
  worktrees(signal: AbortSignal): Promise<Worktrees>;
}

/** Skips by a person: the calls and waits of an agent in one group of steps, e.g. `round-2/codex`. */
export interface Skips {
  skip(key: string): void;
  signalFor(key: string): AbortSignal;
}

/** Logins by a person, while the seat of an agent waits; keys are those of skips. */
export interface Logins {
  /** True where a person is there to log agents in. */
  readonly areOffered: boolean;
  /** Tells that the agent is to be asked again. */
  done(key: string): void;
  /** Rejects with the reason of the signal. */
  waitFor(key: string, signal: AbortSignal): Promise<void>;
}

export function openLogins(areOffered: boolean): Logins {
  const told = new EventEmitter();
  return {
    areOffered,
    done: (key) => void told.emit(key),
    async waitFor(key, signal) {
      await once(told, key, { signal });
    },
  };
}

/** Nothing is skipped yet. */
export function openSkips(): Skips {
  const asked = new Map<string, AbortController>();
  const controllerFor = (key: string): AbortController => {
    const controller = asked.get(key) ?? new AbortController();
    asked.set(key, controller);
    return controller;
  };
  return {
    skip: (key) => controllerFor(key).abort(),
    signalFor: (key) => controllerFor(key).signal,
  };
}

/** A step that calculates or asks the user: its result is recorded, and counts on a resume. */
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

/** The model and the effort of an agent in a call; null for its own. */
export function modelOfCall(
  { phases, modelFor }: Pick<Tools, 'phases' | 'modelFor'>,
  call: RequestPhase,
  agent: string,
): { readonly model: string | null; readonly effort: string | null } {
  const { model, effort } = choiceForCall(phases, call, agent);
  return { model: model ?? modelFor(agent), effort };
}

/** True where a step has a result that counts, in the journal as it was when the session was opened. */
export function isRecorded(
  { execution }: Pick<Tools, 'execution'>,
  { key }: Pick<Step, 'key'>,
): boolean {
  return (foldSteps(execution.records).get(key)?.finished ?? null) !== null;
}

/** Every prompt that asks for an answer in a schema begins with this. */
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

/** The longest prompt that an agent takes whole and is given, in bytes. */
export function promptLimit({ traits }: Pick<Agent, 'traits'>): number {
  return Math.min(traits.maxPromptBytes, longestPrompt);
}

/** The limits of a call that is not worth waiting for longer, in ms. */
export function limitsWithin(limits: RunLimits, longest: number): RunLimits {
  const totalMs = Math.min(limits.totalMs, longest);
  return { ...limits, totalMs, firstOutputMs: Math.min(limits.firstOutputMs, longest) };
}

/** Every prompt to that agent begins with this. */
export function promptBasics({ folder }: Pick<Tools, 'folder'>, agent: Agent, round: number) {
  const nonce = randomBytes(8).toString('hex');
  return { session: folder.id, round, nonce, maxBytes: promptLimit(agent) };
}
