// Defines the port `View`, and numbers and dates events on their way to it.
import type { WorkAhead } from '../model/agreement.ts';
import type { StyleCount } from '../model/commit-style.ts';
import type { Clarification, Decision, PlanRejection, PlanVerdict } from '../model/decision.ts';
import type { Emit, Event, SessionEvent } from '../model/event.ts';
import type {
  CodeReview,
  ExecuteAnswer,
  ExecutionResult,
  ResultAnswer,
} from '../model/execution.ts';
import type { SavedComment } from '../model/plan-edit.ts';
import type { Synthesis } from '../model/synthesis.ts';
import type { QuestionBackground } from '../phases/discussion/clarify.ts';
import type { ProposedSetUp } from '../phases/execution/propose-set-up.ts';
import type { AnotherRound } from '../phases/present-options.ts';
import type { WrittenComment } from '../phases/planning/comments.ts';
import type { PlanDesk, PlanOnDesk } from '../phases/planning/plan-desk.ts';
import type { ReadingAlong } from '../phases/planning/reading/reading-along.ts';

export type { PlanDesk, PlanOnDesk } from '../phases/planning/plan-desk.ts';
export type { ReadingNews } from '../phases/planning/reading/reading-along.ts';

interface ClarificationQuestion {
  readonly round: number;
  readonly questions: readonly string[];
  /** The background of each question. */
  readonly backgrounds: readonly QuestionBackground[];
  /** True if the agents continue without an answer and state their assumptions. */
  readonly goesOn: boolean;
}

interface DecisionQuestion {
  /** The number of the decision, from 1. */
  readonly number: number;
  readonly synthesis: Synthesis;
  /** What is uncertain, if the agents did not converge. */
  readonly uncertainty: string | null;
  /** Questions of agents that nobody answered. */
  readonly questions: readonly string[];
  /** True if an agent with a model is ready for more analysis. */
  readonly canDiscuss: boolean;
  /** The user’s last request for more analysis; null if there was none. */
  readonly asked: string | null;
  readonly another: AnotherRound;
}

/** A plan with a blocking finding cannot be approved: such a verdict leaves it unapproved. */
interface ApprovalQuestion {
  readonly desk: PlanDesk;
  /** The plan as the desk read it for this question. */
  readonly seen: PlanOnDesk;
  /** The planning agent that is ready for `revise`; null if there is none. */
  readonly planner: string | null;
  /** The rejection of the plan; null unless it is rejected now. */
  readonly rejected: PlanRejection | null;
  /** The reading of the plan by other agents during the review; absent if there is none. */
  readonly reading?: ReadingAlong;
}

/** The agents that are ready for an execution, by name, in the order in which they would be asked. */
export interface ReadyTeam {
  /** The agents that can edit files. */
  readonly executors: readonly {
    readonly name: string;
    /** The reviewer of its work if none is named for that; null if no other agent is ready. */
    readonly reviewer: string | null;
    /** True if that one is of another vendor, so that it is proposed. */
    readonly isProposed?: boolean;
  }[];
  readonly reviewers: readonly string[];
}

type ExecuteNow = Extract<ExecuteAnswer, { kind: 'now' }>;

/** An approved plan that could be executed now. */
export interface ExecuteQuestion extends WorkAhead {
  /** The number of the execution, from 1. */
  readonly number: number;
  /** The answer chosen with the option, which is proposed first. */
  readonly preset: Pick<ExecuteNow, 'execution_method'> & {
    /** Null if neither an answer nor a setting says who reviews: then a person is offered another vendor. */
    readonly code_review_tool: ExecuteNow['code_review_tool'] | null;
  };
  readonly who: ReadyTeam;
  /** The set-up that the project suggests and the settings lack. */
  readonly setUp?: ProposedSetUp | null;
  /** The conventional commits found in the history, offered as a style if none is set. */
  readonly commits?: StyleCount | null;
  /** The reason why it cannot be executed now; null if it can. */
  readonly obstacle: string | null;
  /** The command with which a person hands the plan to an agent instead; null if there is none. */
  readonly byHand: string | null;
}

/** The result of an execution that could be brought home to the user’s work tree. */
interface ApplyQuestion {
  readonly result: ExecutionResult;
  readonly review: CodeReview | null;
  /** A conflict with the checked-out commit; null or absent if there is none. */
  readonly conflict?: ApplyConflict | null;
  /** The agents that could do a failed task again, by name. */
  readonly executors?: readonly string[];
  /** Reads the diff of a task, or of the whole result if none is named. */
  readonly readChanges: (task: string | null) => Promise<string>;
  /** What a person wrote about lines of it; a retry of the tasks that they are about sends it along. */
  readonly comments?: () => readonly SavedComment[];
  /** Saves a comment at once; one without a text is removed. */
  readonly comment?: (comment: WrittenComment) => Promise<readonly SavedComment[]>;
}

/** A result that git cannot merge into the checked-out commit. */
export interface ApplyConflict {
  readonly files: readonly string[];
  /** The agents that could resolve it, by name; empty if the work began with uncommitted files. */
  readonly resolvers: readonly string[];
  /** The command with which a person merges it. */
  readonly byHand: string;
}

/**
 * A question with a few answers. It contains all of its texts, so that every face can show it and take its
 * answer from these fields; a new question of this kind needs no code in the faces.
 */
export interface ChoiceQuestion {
  /** The session that the question is about. */
  readonly session: string;
  /** A word that names the question, e.g. `Adopt`. */
  readonly name: string;
  /** Names the session or its task, and ends with the question. */
  readonly asks: string;
  /** Lines to read first, e.g. everything that would be done. */
  readonly lines: readonly string[];
  readonly choices: readonly OfferedAnswer[];
  /** The answer that leaves everything as it is; it is proposed, and used if no person is present. */
  readonly usual: OfferedAnswer;
}

/** Example: word `yes`, name `Adopt`, means `it goes on as your own session`, does `adopt it`. */
interface OfferedAnswer {
  /** The word that is typed and recorded. */
  readonly word: string;
  readonly name: string;
  readonly means: string;
  readonly does: string;
  /** What the person is asked to write with it, which follows the word in the answer. */
  readonly writes?: string;
}

/** The questions to the user: what each of them contains, and what its answer contains. */
export interface Questions {
  /** A skipped question leaves the matter to the agents, or otherwise to the options. */
  readonly clarify: { readonly asks: ClarificationQuestion; readonly answer: Clarification };
  readonly decide: { readonly asks: DecisionQuestion; readonly answer: Decision };
  /** Asked again if the plan on disk is not the one that was approved. */
  readonly approve: { readonly asks: ApprovalQuestion; readonly answer: PlanVerdict };
  readonly execute: { readonly asks: ExecuteQuestion; readonly answer: ExecuteAnswer };
  /** Asks if the result is to be brought home now; it can be done at any later time. */
  readonly apply: { readonly asks: ApplyQuestion; readonly answer: ResultAnswer };
  /** The answer is the word of the chosen answer, followed by what was written with it. */
  readonly choose: { readonly asks: ChoiceQuestion; readonly answer: string };
}

export type QuestionKind = keyof Questions;

/**
 * The parts that are looked up only if a person is asked, because it may take seconds until agents report that
 * they are ready.
 */
interface LookedUp {
  readonly decide: 'canDiscuss';
  readonly approve: 'planner';
  readonly execute: 'who' | 'limits' | 'setUp' | 'commits';
  readonly apply: 'conflict' | 'executors';
}

/** A question as it is put to the face. */
export type Put<
  Kind extends QuestionKind,
  Asks = Questions[Kind]['asks'],
> = Kind extends keyof LookedUp
  ? Omit<Asks, LookedUp[Kind]> & {
      readonly lookUp: () => Promise<Pick<Asks, LookedUp[Kind] & keyof Asks>>;
    }
  : Asks;

/** Completes a question with the parts that are looked up for it. */
export async function wholeQuestion<Known, Part>(
  question: Known & { readonly lookUp: () => Promise<Part> },
): Promise<Known & Part> {
  return { ...question, ...(await question.lookUp()) };
}

type Answering<Kind extends QuestionKind> = (
  question: Put<Kind>,
  signal: AbortSignal,
) => Promise<Questions[Kind]['answer']>;

/** Answers every question: by a person at a face, or by flags. */
export type Answers = { readonly [Kind in QuestionKind]: Answering<Kind> };

/** Answers every question by what is made for its kind. */
export function answersBy(
  make: <Kind extends QuestionKind>(kind: Kind) => Answering<Kind>,
): Answers {
  return {
    clarify: make('clarify'),
    decide: make('decide'),
    approve: make('approve'),
    execute: make('execute'),
    apply: make('apply'),
    choose: make('choose'),
  };
}

/** Answers some questions only, and refuses all others. */
export function answersOr(refuse: () => Promise<never>, some: Partial<Answers>): Answers {
  return { ...answersBy(() => refuse), ...some };
}

/** A face of a session: shows what happened and asks for decisions. */
export interface View extends Answers {
  readonly show: (event: Event) => void;
  /** True if a person sees what others find in a plan as it comes in; otherwise the face waits for the readers. */
  readonly readsAlong?: boolean;
  /** True if a person can have tasks redone, so that a result without changes is shown, too. */
  readonly steers?: boolean;
  /** True if a person at a terminal may let a check run without its confinement. */
  readonly letsUnconfined?: boolean;
  /** True if a question reaches a person, or a program that stands for one, who may agree to code before approval. */
  readonly takesConsent?: boolean;
  /** True if a person can log an agent in while its seat waits; otherwise the next agent takes it. */
  readonly logsIn?: boolean;
}

/** Numbers events anew for a face that tells some of its own between those of the session. */
export function withOwnEvents(out: View['show']) {
  let seq = 0;
  const show = (event: Event) => {
    seq += 1;
    out({ ...event, seq });
  };
  const tell = (event: SessionEvent) =>
    show({ ...event, seq, at: new Date().toISOString(), replayed: false });
  return { show, tell };
}

/**
 * Numbers and dates every event on its way to the view. Events that come from recorded steps are marked as
 * replayed, so that a face does not show a resumed session as news: all until the first step that runs, then
 * those that say so themselves.
 */
export function emitter(view: View, replaying: () => boolean): Emit {
  let seq = 0;
  return (event, fromRecord = replaying()) => {
    seq += 1;
    view.show({ ...event, seq, at: new Date().toISOString(), replayed: fromRecord });
  };
}
