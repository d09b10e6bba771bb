// Defines the port `View`, and numbers and dates events on their way to it.
import type { WorkAhead } from '../model/agreement.ts';
import type { StyleCount } from '../model/commit-style.ts';
import type { Clarification, Decision, PlanRejection, PlanVerdict } from '../model/decision.ts';
import type { Emit, Event } from '../model/event.ts';
import type {
  CodeReview,
  ExecuteAnswer,
  ExecutionResult,
  ResultAnswer,
} from '../model/execution.ts';
import type { FoundSetUp } from '../context/package/set-up-tools.ts';
import type { Synthesis } from '../model/synthesis.ts';
import type { QuestionBackground } from '../phases/discussion/clarify.ts';
import type { AnotherRound } from '../phases/present-options.ts';
import type { PlanDesk, PlanOnDesk } from '../phases/planning/plan-desk.ts';
import type { ReadingAlong } from '../phases/planning/reading/reading-along.ts';

export type { PlanDesk, PlanOnDesk } from '../phases/planning/plan-desk.ts';
export type { ReadingNews } from '../phases/planning/reading/reading-along.ts';

interface ClarificationQuestion {
  readonly round: number;
  readonly questions: readonly string[];
  /** For each of them. */
  readonly backgrounds: readonly QuestionBackground[];
  /** True where the agents go on without an answer, and state their assumptions. */
  readonly goesOn: boolean;
}

interface DecisionQuestion {
  /** Counts the decisions of the session from 1. */
  readonly number: number;
  readonly synthesis: Synthesis;
  /** Set where the agents did not converge: what is uncertain. */
  readonly uncertainty: string | null;
  /** Asked by agents, and answered by nobody. */
  readonly questions: readonly string[];
  /** True where an agent with a model is ready for more analysis. */
  readonly canDiscuss: boolean;
  /** The last wish of the user for more analysis; null where there was none. */
  readonly asked: string | null;
  readonly another: AnotherRound;
}

/** A plan with a blocking finding cannot be approved: such a verdict leaves it unapproved. */
interface ApprovalQuestion {
  readonly desk: PlanDesk;
  /** The plan as the desk read it for this question. */
  readonly seen: PlanOnDesk;
  /** True where a planning agent is ready for `revise`. */
  readonly canRevise: boolean;
  /** The rejection of the plan, if it is rejected now. */
  readonly rejected: PlanRejection | null;
  /** The reading of the plan by others that goes on meanwhile; left out where there is none. */
  readonly reading?: ReadingAlong;
}

/** The agents that are ready for an execution, by name, the first that would be asked first. */
export interface ReadyTeam {
  /** Those that edit files, each with who reviews its work where nobody is named for that. */
  readonly executors: readonly { readonly name: string; readonly reviewer: string | null }[];
  readonly reviewers: readonly string[];
}

/** An approved plan that could be carried out now. */
export interface ExecuteQuestion extends WorkAhead {
  /** Counts the executions of the session from 1. */
  readonly number: number;
  /** Chosen with the option; the first proposal. */
  readonly preset: Pick<
    Extract<ExecuteAnswer, { kind: 'now' }>,
    'execution_method' | 'code_review_tool'
  >;
  readonly who: ReadyTeam;
  /** A set-up that a file of the project proposes, where the settings have none. */
  readonly setUp?: FoundSetUp | null;
  /** Conventional commits that could be taken, as the history has them; where nothing is set. */
  readonly commits?: StyleCount | null;
  /** Why it cannot be carried out now; null if it can. */
  readonly obstacle: string | null;
  /** The command by which a person hands the plan to an agent instead; null where there is none. */
  readonly byHand: string | null;
}

/** The result of an execution that could be brought home to the user’s work tree. */
export interface ApplyQuestion {
  readonly result: ExecutionResult;
  readonly review: CodeReview | null;
  /** A review was wanted, and nobody answered who could make it. */
  readonly isUnreviewed?: boolean;
  /** A conflict with what is checked out; null or left out where there is none. */
  readonly conflict?: ApplyConflict | null;
  /** Reads the diff of a task, or of the whole result where none is named. */
  readonly readChanges: (task: string | null) => Promise<string>;
}

/** A result that git cannot merge into what is checked out. */
export interface ApplyConflict {
  readonly files: readonly string[];
  /** The agents that could resolve it, by name; none where the work began with uncommitted files. */
  readonly resolvers: readonly string[];
  /** The command by which a person merges it. */
  readonly byHand: string;
}

/**
 * A question with a few answers. It says all of itself, so that every face shows it and takes its
 * answer by what stands here: a further one is only asked.
 */
export interface ChoiceQuestion {
  /** The session that it is about. */
  readonly session: string;
  /** A word for it, e.g. `Adopt`. */
  readonly name: string;
  /** Names the session or its task, and ends with the question. */
  readonly asks: string;
  /** To be read first, e.g. all that would be done. */
  readonly lines: readonly string[];
  readonly choices: readonly OfferedAnswer[];
  /** Leaves everything as it is; it is proposed, and taken where nobody is there to answer. */
  readonly usual: OfferedAnswer;
}

/** As in `yes`, `Adopt`, `it goes on as your own session`, `adopt it`. */
interface OfferedAnswer {
  /** As it is typed and recorded. */
  readonly word: string;
  readonly name: string;
  readonly means: string;
  readonly does: string;
}

/** The questions to the user: what each is asked with, and what is answered. */
export interface Questions {
  /** Skipped questions leave it to the agents, or else to the options. */
  readonly clarify: { readonly asks: ClarificationQuestion; readonly answer: Clarification };
  readonly decide: { readonly asks: DecisionQuestion; readonly answer: Decision };
  /** Asked again where the plan on disk is not the one that was approved. */
  readonly approve: { readonly asks: ApprovalQuestion; readonly answer: PlanVerdict };
  readonly execute: { readonly asks: ExecuteQuestion; readonly answer: ExecuteAnswer };
  /** Asks for bringing the result home now; it can be done at any time later. */
  readonly apply: { readonly asks: ApplyQuestion; readonly answer: ResultAnswer };
  /** The word of an answer. */
  readonly choose: { readonly asks: ChoiceQuestion; readonly answer: string };
}

export type QuestionKind = keyof Questions;

/** The parts that are looked up only for somebody who is asked: until agents say that they are ready, seconds may pass. */
interface LookedUp {
  readonly decide: 'canDiscuss';
  readonly approve: 'canRevise';
  readonly execute: 'who' | 'limits' | 'setUp' | 'commits';
  readonly apply: 'conflict';
}

/** A question as it is put to whoever answers. */
type Put<Kind extends QuestionKind, Asks = Questions[Kind]['asks']> = Kind extends keyof LookedUp
  ? Omit<Asks, LookedUp[Kind]> & {
      readonly lookUp: () => Promise<Pick<Asks, LookedUp[Kind] & keyof Asks>>;
    }
  : Asks;

/** The question with what is looked up for it. */
export async function wholeQuestion<Known, Part>(
  question: Known & { readonly lookUp: () => Promise<Part> },
): Promise<Known & Part> {
  return { ...question, ...(await question.lookUp()) };
}

/** Answers every question: a person at a face, or flags. */
export type Answers = {
  readonly [Kind in QuestionKind]: (
    question: Put<Kind>,
    signal: AbortSignal,
  ) => Promise<Questions[Kind]['answer']>;
};

/** Answers some questions only; any other one is refused. */
export function answersOr(refuse: () => Promise<never>, some: Partial<Answers>): Answers {
  return {
    clarify: refuse,
    decide: refuse,
    approve: refuse,
    execute: refuse,
    apply: refuse,
    choose: refuse,
    ...some,
  };
}

/** A face of a session: shows what happened and asks for decisions. */
export interface View extends Answers {
  readonly show: (event: Event) => void;
  /** True where a person sees what others find in a plan as it comes; else they are waited for. */
  readonly readsAlong?: boolean;
  /** True where a person can have tasks done again, so that a result without changes is shown, too. */
  readonly steers?: boolean;
  /** True where a person at a terminal may let a check run without its confinement. */
  readonly letsUnconfined?: boolean;
  /** True where a person can log an agent in while its seat waits; else the next agent takes it. */
  readonly logsIn?: boolean;
}

/**
 * Numbers and dates every event on its way to the view. Events that come from recorded steps
 * are marked as replayed, so that a face does not show a resumed session as news: all until the
 * first step that runs, then those that say so themselves.
 */
export function emitter(view: View, replaying: () => boolean): Emit {
  let seq = 0;
  return (event, fromRecord = replaying()) => {
    seq += 1;
    view.show({ ...event, seq, at: new Date().toISOString(), replayed: fromRecord });
  };
}
