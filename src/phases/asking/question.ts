// Defines one request to the agent in a seat, and where it is worked on.
import type { z } from 'zod';
import type { Agent, RunLimits, Workspace } from '../../agents/agent.ts';
import type { AgentSession } from '../../agents/agent-session.ts';
import type { Permission, ToolKind } from '../../agents/permission.ts';
import type { CodebaseContext } from '../../model/context.ts';
import type { SchemaName } from '../../model/published.ts';
import type { Call } from '../../model/step.ts';
import type { RequestPhase } from '../../model/steps.ts';
import type { Tools } from '../phase-tools.ts';

/** One question to the agent in a seat; `T` is the shape of the answer. */
export interface Question<T> {
  /** The steps of the call, e.g. `steps.round(2).examine`. */
  readonly call: Call<RequestPhase>;
  readonly round: number;
  /** The folder of an agent’s prompt, answer and receipt, relative to the session folder. */
  folderFor(agent: string): string;
  /** The meaning of the question, which is part of the step’s input. */
  readonly meaning: unknown;
  readonly task: string;
  /** Null outside of planning, where no built-in analyst can answer. */
  readonly context: CodebaseContext | null;
  readonly constraints: readonly string[];
  /** Null if the answer is plain text, which the workspace turns into a value. */
  readonly schema: SchemaName | null;
  readonly shape: z.ZodType<T>;
  /** Fields that the answer has to echo, so that it cannot be mistaken for the answer to another question. */
  readonly expected: Readonly<Record<string, string | number>>;
  /** Lists the faults of an answer that the schema does not find, for a repair. */
  faultsOf?(answer: T, agent: string): readonly string[];
  /**
   * Lists what a usable answer lacks; the agent is asked for it once, only in its own session, and may leave it
   * out.
   */
  wishesOf?(answer: T, agent: string): Promise<readonly string[]>;
  /** The answer without the votes that are still unclear after the repair. */
  withoutUnclear?(answer: T): T;
  promptFor(agent: Agent): Promise<string>;
  /** Summarizes the answer in one line for people. */
  summaryOf(answer: T): string;
  /** Absent while planning, which reads the user’s work tree. */
  readonly work?: Work<T>;
}

/** The agent’s work in a separate folder, and what it may do there. */
interface Work<T> {
  readonly workspace: Workspace<T>;
  readonly permission: Permission;
  readonly denied: readonly ToolKind[];
  readonly limits: RunLimits;
  /** The session that its agent may resume. */
  readonly session: AgentSession | null;
}

/** The folder in which a question is answered: its own workspace, or the user’s work tree. */
export function workspaceOf<T>(
  { work }: Pick<Question<T>, 'work'>,
  { repository, hidden }: Pick<Tools, 'repository' | 'hidden'>,
): Workspace<T> {
  return work?.workspace ?? { cwd: repository.root, extraDirs: [], hidden };
}
