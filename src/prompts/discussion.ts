// Writes the requests that propose and that examine solutions, with labels instead of names.
import type { CodebaseContext } from '../model/context.ts';
import type { PlannedFile, SolutionTask } from '../model/proposal.ts';
import { redactFile } from '../model/secrets.ts';
import type { CheckedClaim, Solution } from '../model/synthesis.ts';
import { contextText } from './context-text.ts';
import { type Excerpts, excerptsText } from './excerpts.ts';
import {
  type LabelledText,
  type PromptInput,
  type UserRequest,
  bullets,
  promptText,
  requestParts,
} from './request.ts';

/** The input of both kinds of discussion prompts. */
export interface DiscussionRequest extends PromptInput, UserRequest {
  readonly context: CodebaseContext;
  readonly excerpts: Excerpts;
  /** See `conventionsText`. */
  readonly conventions: string;
}

/** The blind question of round 1, and of an agent that joins later. */
export function proposePrompt(question: DiscussionRequest): string {
  return promptText(question, {
    template: 'propose',
    phase: 'propose',
    request: requestParts(question),
    data: discussionData(question),
    cuttable: ['excerpts', 'context', 'conventions', 'feedback', 'constraints', 'task'],
  });
}

function discussionData({
  context,
  excerpts,
  conventions,
}: DiscussionRequest): Readonly<Record<'conventions' | 'context' | 'excerpts', LabelledText>> {
  return {
    conventions: ['conventions', conventions],
    context: ['codebase context', contextText(context)],
    excerpts: ['code', excerptsText(excerpts)],
  };
}

/** A solution under its neutral label; who proposed it, and how many, is never shown. */
type LabelledSolution = Pick<
  Solution,
  | 'label'
  | 'name'
  | 'summary'
  | 'effort'
  | 'risk'
  | 'implementation_plan'
  | 'dependencies'
  | 'technical_concerns'
  | 'pros'
  | 'cons'
  | 'claims'
>;

/** A claim that the check could not find, without who made it. */
type FailedClaim = Pick<CheckedClaim, 'statement' | 'path' | 'line' | 'quote' | 'note'> &
  Pick<Solution, 'label'>;

export interface ExamineRequest extends DiscussionRequest {
  /** The solutions to take a stance on, in the order in which this agent reads them. */
  readonly solutions: readonly LabelledSolution[];
  /** Which of them the receiver itself proposed, and whether it would build it. */
  readonly own: readonly { readonly label: string; readonly preferred: boolean }[];
  readonly failedClaims: {
    readonly own: readonly FailedClaim[];
    readonly others: readonly FailedClaim[];
  };
  readonly disagreements: readonly string[];
  /**
   * Names of agents, models and vendors that must not be recognised in other agents' words. No
   * ordinary words (as the names of built-in analysts are): they would be missed in the prose.
   */
  readonly hide: readonly string[];
}

/** The question from round 2 on: derive again, check the evidence, then judge each solution. */
export function examinePrompt(question: ExamineRequest): string {
  const { own, failedClaims, solutions, disagreements } = question;
  const neutral = neutralWords(question.hide, question.task);
  const shown = solutions.map(
    (solution) => `Solution ${solution.label}\n${solutionText(solution, neutral)}`,
  );
  return promptText(question, {
    template: 'examine',
    phase: 'examine',
    own: {
      labels: solutions.map(({ label }) => label).join(', ') || '(none)',
    },
    request: requestParts(question),
    data: {
      ...discussionData(question),
      own: ['your solutions', bullets(own.map(ownText))],
      own_failed: ['your failed claims', failedText(failedClaims.own, neutral)],
      solutions: ['solutions', shown.join('\n\n')],
      other_failed: ['failed claims', failedText(failedClaims.others, neutral)],
      disagreements: ['disagreements', bullets(disagreements.map(neutral))],
    },
    cuttable: [
      'excerpts',
      'context',
      'conventions',
      'own',
      'other_failed',
      'own_failed',
      'disagreements',
      'solutions',
      'feedback',
      'constraints',
      'task',
    ],
  });
}

function ownText({ label, preferred }: ExamineRequest['own'][number]): string {
  return `Solution ${label} is yours${preferred ? '; you said that you would build it' : ''}`;
}

function failedText(claims: readonly FailedClaim[], neutral: Neutral): string {
  return bullets(
    claims.map(
      ({ label, statement, path, line, quote, note }) =>
        `Solution ${label}: "${neutral(statement)}" at ${path}:${line}, quote ${JSON.stringify(redactFile(path, quote))}: ${neutral(note)}`,
    ),
  );
}

/**
 * One solution for a prompt. Only what an engineer would judge: nothing says who proposed it, how
 * sure they are or how many stand behind it, since that draws agents to agree.
 */
function solutionText(solution: LabelledSolution, neutral: Neutral): string {
  const { implementation_plan: plan, dependencies } = solution;
  return [
    `Name: ${neutral(solution.name)}`,
    `Effort ${solution.effort}, risk ${solution.risk}`,
    `Summary: ${neutral(solution.summary)}`,
    `Approach: ${neutral(plan.approach)}`,
    section(
      'Tasks',
      plan.tasks.map((task) => taskLine(task, neutral)),
    ),
    `Order: ${plan.execution_flow}`,
    section('Milestones', plan.milestones.map(neutral)),
    section('Needs inside the repository', dependencies.internal),
    section('Needs from outside', dependencies.external),
    section('Concerns', solution.technical_concerns.map(neutral)),
    section('Pros', solution.pros.map(neutral)),
    section('Cons', solution.cons.map(neutral)),
    section(
      'Evidence',
      solution.claims.map((claim) => claimLine(claim, neutral)),
    ),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function taskLine(task: SolutionTask, neutral: Neutral): string {
  const after = task.depends_on.length === 0 ? '' : ` (after ${task.depends_on.join(', ')})`;
  const key = task.key_point === null ? '' : ` — ${neutral(task.key_point)}`;
  return `${task.id} ${neutral(task.name)}${after}: ${task.files.map(filePart).join(', ')}${key}`;
}

function filePart({ file, line, action }: PlannedFile): string {
  return `${action} ${file}${line === undefined ? '' : `:${line}`}`;
}

function claimLine(claim: CheckedClaim, neutral: Neutral): string {
  const { statement, path, line, found_line: found, quote, status } = claim;
  return `${neutral(statement)} (${path}:${found ?? line}, quote ${JSON.stringify(redactFile(path, quote))}) [${status}]`;
}

function section(title: string, entries: readonly string[]): string {
  return entries.length === 0 ? '' : `${title}:\n${bullets(entries)}`;
}

/** Takes the names out of a piece of another agent's prose. */
type Neutral = (text: string) => string;

/**
 * Replaces the names of agents, models and vendors by "an agent", whatever their case, also inside
 * a model's name ("gemini-2.5-pro"). What must stay exact stays: paths, file names, identifiers,
 * and any name that the task itself is about, where it is the subject.
 */
export function neutralWords(hide: readonly string[], task: string): Neutral {
  const subject = task.toLowerCase();
  const names = hide
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && !subject.includes(name));
  const words = new Set(names.filter((name) => !name.includes(' ')));
  const phrases = names.filter((name) => name.includes(' ')).map(phrasePattern);
  return (text) =>
    phrases
      .reduce((shown, phrase) => shown.replace(phrase, stranger), text)
      .replace(/[\w@][\w@./-]*/g, (token) => neutralToken(token, words));
}

const stranger = 'an agent';

function neutralToken(token: string, names: ReadonlySet<string>): string {
  let end = token.length;
  while ('./-'.includes(token.charAt(end - 1))) end -= 1;
  const word = token.slice(0, end).toLowerCase();
  return isName(word, names) ? stranger + token.slice(end) : token;
}

function isName(word: string, names: ReadonlySet<string>): boolean {
  if (names.has(word)) return true;
  if (word.includes('/')) return word.split('/').every((part) => names.has(part));
  const fileName = /\.[a-z]\w*$/.test(word);
  return !fileName && word.split('-').some((part) => names.has(part));
}

function phrasePattern(name: string): RegExp {
  return new RegExp(`\\b${name.replace(/[^\w\s]/g, '\\$&').replace(/\s+/g, '\\s+')}\\b`, 'gi');
}
