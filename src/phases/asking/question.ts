// Defines one request to whoever sits in a seat, and where it is worked on.
import type { z } from 'zod';
import type { Agent, RunLimits } from '../../agents/agent.ts';
import type { AgentSession } from '../../agents/agent-session.ts';
import type { Permission, ToolKind } from '../../agents/permission.ts';
import type { Workspace } from '../../agents/workspace.ts';
import type { CodebaseContext } from '../../model/context.ts';
import type { SchemaName } from '../../model/published.ts';
import type { Call } from '../../model/step.ts';
import type { RequestPhase } from '../../model/steps.ts';
import type { Tools } from '../phase-tools.ts';

/** One question to whoever sits in a seat. `T` is the shape of the answer. */
export interface Question<T> {
  /** The steps that it takes, e.g. `steps.round(2).examine`. */
  readonly call: Call<RequestPhase>;
  readonly round: number;
  /** The folder of an agent’s prompt, answer and receipt, relative to the session folder. */
  folderFor(agent: string): string;
  /** The meaning of the question, for the step’s input. */
  readonly meaning: unknown;
  readonly task: string;
  /** Null outside of planning, where no built-in analyst can answer. */
  readonly context: CodebaseContext | null;
  readonly constraints: readonly string[];
  /** Null where the answer is plain text, of which the workspace makes something. */
  readonly schema: SchemaName | null;
  readonly shape: z.ZodType<T>;
  /** Fields that the answer has to echo, so that no answer is taken for another question’s. */
  readonly expected: Readonly<Record<string, string | number>>;
  /** Lists the faults of an answer that no schema finds, for a repair. */
  faultsOf?(answer: T, agent: string): readonly string[];
  /** Lists what an answer that can be used lacks: asked for once, only in the agent’s own session, and it may stay away. */
  wishesOf?(answer: T, agent: string): Promise<readonly string[]>;
  /** The answer without the votes that are still unclear after the repair. */
  withoutUnclear?(answer: T): T;
  promptFor(agent: Agent): Promise<string>;
  /** One line for people: what was answered. */
  summaryOf(answer: T): string;
  /** Absent while planning, which reads the user’s work tree. */
  readonly work?: Work<T>;
}

/** An agent’s work in a folder of its own, and what it may do there. */
interface Work<T> {
  readonly workspace: Workspace<T>;
  readonly permission: Permission;
  readonly denied: readonly ToolKind[];
  readonly limits: RunLimits;
  /** The session that its agent may go on with. */
  readonly session: AgentSession | null;
}

/** The folder in which a question is answered: its own, or the user’s work tree. */
export function workspaceOf<T>(
  { work }: Pick<Question<T>, 'work'>,
  { repository, hidden }: Pick<Tools, 'repository' | 'hidden'>,
): Workspace<T> {
  return work?.workspace ?? { cwd: repository.root, extraDirs: [], hidden };
}
