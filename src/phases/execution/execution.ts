import { z } from 'zod';
import type { Worktrees } from '../../git/worktrees.ts';
import type { ContextPackage } from '../../model/context-package.ts';
import type { ExecutionMethod } from '../../model/decision.ts';
import { ExecutorAssignment, type TaskOutcome } from '../../model/execution.ts';
import type { Plan } from '../../model/plan.ts';
import type { Task } from '../../model/task.ts';
import type { UserRequest } from '../../prompts/question.ts';
import type { Tools } from '../tools.ts';

/** What all tasks of an execution share. */
export interface Job {
  readonly tools: Tools;
  readonly trees: Worktrees;
  /** Of the execution, from 1. */
  readonly number: number;
  readonly request: UserRequest;
  readonly package: ContextPackage;
  readonly signal: AbortSignal;
}

/** One task with what it builds on. */
export interface TaskJob extends Job {
  readonly task: Task;
  /** Who carries it out, then who stands in, in order. */
  readonly executors: readonly string[];
  /** The commit with the work of all that it depends on. */
  readonly start: string;
  readonly earlier: readonly TaskOutcome[];
  /** That of the task before it, where they are a chain. */
  readonly session: AgentSession | null;
}

/** An agent’s own session, with what it used so far, which its next call may go on with. */
export interface AgentSession extends NonNullable<TaskOutcome['agent_session']> {
  readonly agent: string;
  /** Whether it was made in this task’s work tree. */
  readonly isHere: boolean;
}

/** An approved plan, and who may carry it out. */
export interface Execution extends Job {
  readonly plan: Plan;
  readonly tasks: readonly Task[];
  readonly method: ExecutionMethod;
  /** The default agent, then who else may be asked, in order. */
  readonly names: readonly string[];
}

/** What is settled before the first task begins. */
export const Opened = z.object({
  start: z.string(),
  carried: z.array(z.string()),
  byTask: z.record(z.string(), ExecutorAssignment),
  ready: z.array(z.string()),
});
export type Opened = z.infer<typeof Opened>;

/** Who carries that task out, then who stands in, in order. */
export function executorsFor(id: string, { byTask, ready }: Opened): readonly string[] {
  const { executor = '' } = byTask[id] ?? {};
  return [executor, ...ready.filter((name) => name !== executor)];
}
