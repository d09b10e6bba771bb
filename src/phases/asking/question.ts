// Defines one request to whoever sits in a seat, and where it is worked on.
import type { z } from 'zod';
import type { Agent, AgentRequest, RunLimits } from '../../agents/agent.ts';
import type { Known } from '../../agents/answer/texts.ts';
import type { Permission, ToolKind } from '../../agents/permission.ts';
import type { CodebaseContext } from '../../model/context.ts';
import type { SchemaName } from '../../model/published.ts';
import type { Call } from '../../model/step.ts';

/** One question to whoever sits in a seat. `T` is the shape of the answer. */
export interface Question<T> {
  /** The steps that it takes, e.g. `steps.round(2).examine`. */
  readonly call: Call;
  readonly round: number;
  /** Where an agent’s prompt, answer and receipt go, relative to the session folder. */
  folderFor(agent: string): string;
  /** The meaning of the question, for the step’s input. */
  readonly meaning: unknown;
  readonly task: string;
  /** Null outside of planning, where no built-in analyst can answer. */
  readonly context: CodebaseContext | null;
  readonly constraints: readonly string[];
  /** Null where the answer is plain text, which `work` then makes something of. */
  readonly schema: SchemaName | null;
  readonly shape: z.ZodType<T>;
  /** Fields that the answer has to echo, so that no answer is taken for another question’s. */
  readonly expected: Readonly<Record<string, string | number>>;
  /** The name of each solution by the label that an answer may use. */
  readonly labels?: Known['labels'];
  /** What no schema can say against an answer, for a repair. */
  faultsOf?(answer: T): readonly string[];
  promptFor(agent: Agent): Promise<string>;
  /** One line for people: what was answered. */
  summaryOf(answer: T): string;
  /** Where it is done apart from the user’s work tree, which is then not watched. */
  readonly work?: ApartWork<T>;
}

/** Where an agent works that does not plan, what it may do there, and what is kept of it. */
interface ApartWork<T> {
  /** Absolute. */
  readonly cwd: string;
  readonly permission: Permission;
  readonly denied: readonly ToolKind[];
  readonly limits: RunLimits;
  /** The agent’s own session to go on with. */
  resume?(agent: Agent): AgentRequest['resume'];
  /**
   * Makes the place ready for a call. Where the one before was killed, returns what it left, if that
   * was complete; null where it was not.
   */
  begin?(call: { readonly wasKilled: boolean }): Promise<T | null>;
  /** What is kept of a call, by its final text. */
  keep?(text: string): Promise<T>;
}
