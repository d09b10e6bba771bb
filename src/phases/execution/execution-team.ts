// Holds what the tasks of an execution share: who works on which task, and what they may do.
import { z } from 'zod';
import type { Permission } from '../../agents/permission.ts';
import type { AgentPool } from '../../agents/pool.ts';
import type { Worktrees } from '../../git/worktrees.ts';
import type { CheckRecord } from '../../model/check-record.ts';
import type { CommitStyle } from '../../model/commit-style.ts';
import type { ContextPackage } from '../../model/context-package.ts';
import type { ExecutionMethod } from '../../model/decision.ts';
import { ExecutorAssignment, type TaskOutcome } from '../../model/execution.ts';
import { agentOfMethod } from '../../model/team.ts';
import type { Plan } from '../../model/plan.ts';
import type { PackagedProof } from '../../model/proof.ts';
import { type Task, checksOf } from '../../model/task.ts';
import { listed } from '../../model/wording.ts';
import type { UserRequest } from '../../prompts/request.ts';
import { findReadyModels } from '../asking/ask-seat.ts';
import type { Tools } from '../phase-tools.ts';
import type { CheckTurns } from './check-turns.ts';

/** The data that all tasks of an execution share. */
export interface Job {
  readonly tools: Tools;
  readonly trees: Worktrees;
  /** The number of the execution, from 1. */
  readonly number: number;
  readonly request: UserRequest;
  readonly package: ContextPackage;
  /** The commands of checks that run; if absent, all of them. */
  readonly commands?: 'all' | 'named' | undefined;
  /** The checks that a person lets run unconfined, by the texts that identify them. */
  readonly unconfined: readonly string[];
  readonly commitStyle: CommitStyle;
  /** The commands that prepare each work tree, as `commandsIn` reads them; empty for none. */
  readonly setup: readonly string[];
  /** The turns of checks that run side by side; absent where nothing else runs. */
  readonly turns?: CheckTurns;
  /** The agent on whose machine the checks run, if that is elsewhere; absent for checks that run here. */
  readonly checksWith?: string | undefined;
  /** The runs of checks on the start, before any task began. */
  readonly rehearsed?: readonly CheckRecord[];
  /** The user’s ignored files and folders that each work tree gets a copy of. */
  readonly copy: readonly string[];
  readonly signal: AbortSignal;
}

/** One task with the tasks that it builds on. */
export interface TaskJob extends Job {
  readonly task: Task;
  /** The agent that executes the task, followed by its stand-ins in order. */
  readonly executors: readonly string[];
  /** The commit from which the execution began. */
  readonly base: string;
  /** The commit with the work of all tasks that it depends on. */
  readonly parent: string;
  /** The same with the proofs of the task. */
  readonly start: string;
  readonly laid: readonly PackagedProof[];
  /** All proofs of the plan. */
  readonly proofs: readonly PackagedProof[];
  readonly plan: Pick<Plan, 'proofs'>;
  readonly earlier: readonly TaskOutcome[];
  /** True if all other tasks come before it. */
  readonly isLast: boolean;
}

/** An attempted merge; `commit` is null if there are conflicts that could not be resolved. */
export const Merged = z.object({
  commit: z.string().nullable(),
  conflicts: z.array(z.string()).readonly(),
});
export type Merged = z.infer<typeof Merged>;

/** The merges of an execution by what they join, so that no merge is made or paid for twice. */
type Merges = Map<string, { readonly task: string; readonly merged: Promise<Merged> }>;

/** An approved plan, and the agents that may execute it. */
export interface Execution extends Job {
  readonly plan: Plan;
  /** With the proofs that they take among their checks. */
  readonly tasks: readonly Task[];
  /** The proofs of the plan with their code. */
  readonly proofs: readonly PackagedProof[];
  readonly method: ExecutionMethod;
  /** The user’s choice for the phase, the default agent, then the other agents that may be asked, in order. */
  readonly names: readonly string[];
}

/** The decisions made before the first task begins. */
export const ExecutionStart = z.object({
  start: z.string(),
  carried: z.array(z.string()),
  byTask: z.record(z.string(), ExecutorAssignment),
  /** The stand-ins for a failed executor, in order. */
  ready: z.array(z.string()),
});
export type ExecutionStart = z.infer<typeof ExecutionStart>;

/** An execution that has begun. */
export interface OpenExecution extends Execution, ExecutionStart {
  readonly merges: Merges;
}

export function taskWith(id: string, tasks: readonly Task[]): Task {
  const found = tasks.find((task) => task.id === id);
  if (found === undefined) throw new Error(`there is no task ${id}`);
  return found;
}

/** The agent that executes this task, followed by its stand-ins in order. */
export function executorsFor(
  id: string,
  { byTask, ready }: Pick<ExecutionStart, 'byTask' | 'ready'>,
): readonly string[] {
  const { executor = '', last = [] } = byTask[id] ?? {};
  const others = ready.filter((name) => name !== executor);
  return [
    executor,
    ...others.filter((name) => !last.includes(name)),
    ...others.filter((name) => last.includes(name)),
  ];
}

interface AssignmentInput extends Pick<Execution, 'method' | 'names' | 'signal'> {
  readonly plan: Pick<Plan, 'complexity' | 'proofs'>;
  readonly tasks: readonly Pick<Task, 'id' | 'meta' | 'proves'>[];
  readonly agents: Pick<AgentPool, 'get' | 'models'> & Partial<Pick<AgentPool, 'modelOf'>>;
}

/** Assigns an executor to each task; null if no agent with a model is ready. */
export async function assignExecutors(
  given: AssignmentInput,
): Promise<Pick<ExecutionStart, 'byTask' | 'ready'> | null> {
  const { plan, tasks, names, agents, signal } = given;
  const asked = [...tasks.map((task) => wantedFor(task, given).executor), ...names];
  const able = asked.filter((name) => agents.get(name)?.traits.edits !== false);
  const ready = await findReadyModels(able, agents, signal);
  const [first] = names.filter((name) => ready.includes(name)).concat(ready);
  if (first === undefined) return null;
  const byTask = tasks.map((task): [string, ExecutorAssignment] => {
    const one = wantedFor(task, given);
    const { executor: wanted } = one;
    const vendors = proofVendors(task, plan);
    const last = ready.filter((name) =>
      vendors.has(agents.get(name)?.vendorOf(agents.modelOf?.(name) ?? null) ?? null),
    );
    const isNew = (name: string) => !last.includes(name);
    const executor = [first, ...ready].find(isNew) ?? first;
    const isNamed = Object.values(reasons).includes(one.reason);
    const made = !ready.includes(wanted)
      ? { executor, reason: whyNot(wanted, agents), instead_of: wanted }
      : isNamed || isNew(wanted) || !isNew(executor)
        ? one
        : { executor, reason: `${wanted} wrote its proofs` };
    return [task.id, { ...made, ...(last.length > 0 && { last }) }];
  });
  return { byTask: Object.fromEntries(byTask), ready };
}

/** The vendors that wrote the proofs that a task turns green. */
export function proofVendors(
  { proves = [] }: Pick<Task, 'proves'>,
  { proofs = [] }: Pick<Plan, 'proofs'>,
): ReadonlySet<string | null> {
  const own = proofs.filter(({ id, vendor }) => proves.includes(id) && vendor !== null);
  return new Set(own.map(({ vendor }) => vendor));
}

const reasons = { ofTask: 'the task names it', ofPlan: 'chosen for the whole plan' };

function whyNot(name: string, agents: AssignmentInput['agents']): string {
  const wanted = agents.get(name);
  if (wanted?.kind === 'model') {
    return wanted.traits.edits
      ? `${name} is not ready`
      : `${name} is a model behind an API, which only reads and edits no file`;
  }
  const known = listed(agents.models().map((agent) => agent.name));
  return `there is no agent ${name}; known agents: ${known}`;
}

/** The executor that the task itself names, otherwise that of the execution method. */
function wantedFor(
  task: AssignmentInput['tasks'][number],
  { plan, method, names: [agent = ''], agents }: AssignmentInput,
): ExecutorAssignment {
  const { cli_tool: tool = 'auto', method: own } = task.meta?.execution_config ?? {};
  // A model has an agent of its own, whose name may differ.
  const nameOf = (wanted: string) => agents.get(wanted)?.name ?? wanted;
  if (own === 'agent')
    return { executor: agent, reason: 'the task asks for the first of your agents' };
  if (tool !== 'auto') return { executor: nameOf(tool), reason: reasons.ofTask };
  const executor = nameOf(agentOfMethod(method) ?? agent);
  if (method === 'Agent') return { executor, reason: 'first of your agents' };
  if (method !== 'Auto') return { executor, reason: reasons.ofPlan };
  return plan.complexity === 'Low'
    ? { executor: agent, reason: 'the plan is of low complexity' }
    : { executor, reason: 'the plan is not of low complexity' };
}

/** The permission for a task’s agent, which gets a shell only if the task needs one. */
export function permissionFor(task: Task): Permission {
  const needsShell = task.type !== 'docs' || checksOf(task).some(({ kind }) => kind === 'command');
  return needsShell ? 'edit-and-shell' : 'edit';
}
