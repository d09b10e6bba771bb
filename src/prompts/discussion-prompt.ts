// Writes the requests that propose, compare and examine solutions, with labels instead of names.
import type { CodebaseContext } from '../model/context.ts';
import type { PlannedFile, ProposedSolution, SolutionTask } from '../model/proposal.ts';
import { redactFile } from '../model/secrets.ts';
import {
  type AffectedFile,
  type CheckedClaim,
  type HeldAssumption,
  type HeldStance,
  type Remark,
  type Solution,
  type Version,
  referenceWords,
} from '../model/synthesis.ts';
import { type ProjectWords, contextText, placesText, wordsData } from './context-text.ts';
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
export interface DiscussionRequest extends PromptInput, UserRequest, ProjectWords {
  readonly context: CodebaseContext;
  readonly excerpts: Excerpts;
}

/** The blind request of round 1, and for an agent that joins later. */
export function proposePrompt(input: DiscussionRequest): string {
  return promptText(input, {
    template: 'propose',
    phase: 'propose',
    request: requestParts(input),
    data: discussionData(input),
  });
}

export function discussionData(
  input: DiscussionRequest,
): Readonly<Record<keyof ProjectWords | 'context' | 'excerpts', LabelledText>> {
  return {
    ...wordsData(input),
    context: ['codebase context', contextText(input.context)],
    excerpts: ['code', excerptsText(input.excerpts)],
  };
}

/** A solution under its neutral label; who proposed it, and how many did, is never shown. */
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
  | 'versions'
> & {
  /** The remarks of others; those that only the receiver made are among what it said before. */
  readonly remarks: readonly Remark[];
};

/** A claim that the check could not find, without its author. */
type FailedClaim = Pick<CheckedClaim, 'statement' | 'path' | 'line' | 'quote' | 'note'> &
  Pick<Solution, 'label'>;

export interface ExamineRequest extends DiscussionRequest {
  /** The solutions to take a stance on, in the order in which this agent reads them. */
  readonly solutions: readonly LabelledSolution[];
  /** The solutions that the receiver itself proposed, and whether it would build each. */
  readonly own: readonly {
    readonly label: string;
    readonly preferred: boolean;
    /** The name of its own version, if the words are those of another author. */
    readonly version: string | null;
  }[];
  /** The stances that the receiver took in earlier rounds. */
  readonly saidBefore: readonly (Pick<HeldStance, 'stance'> & {
    readonly label: string;
    /** What only the receiver said about the solution. */
    readonly remarks: readonly Remark[];
    /** Why its vote did not count; null if it did. */
    readonly no_vote: string | null;
    readonly preferred: boolean;
  })[];
  /** Files that the check did not find as stated. */
  readonly failedFiles: readonly (Pick<AffectedFile, 'file' | 'note'> & {
    readonly label: string;
    readonly isOwn: boolean;
  })[];
  readonly failedClaims: {
    readonly own: readonly FailedClaim[];
    readonly others: readonly FailedClaim[];
  };
  readonly disagreements: readonly string[];
  readonly assumptions: readonly HeldAssumption[];
  /**
   * Names of agents, models and vendors that must not be recognised in other agents' words.
   * Ordinary words (such as the names of built-in analysts) are left out, because they would be
   * missed in the prose.
   */
  readonly hide: readonly string[];
}

/** The request from round 2 on: derive again, check the evidence, then judge each solution. */
export function examinePrompt(input: ExamineRequest): string {
  const { own, saidBefore, failedClaims, failedFiles, solutions, disagreements } = input;
  const neutral = neutralWords(input.hide, input.task);
  const shown = solutions.map(
    (solution) => `Solution ${solution.label}\n${solutionText(solution, neutral)}`,
  );
  const ownFailed = failedFiles.filter(({ isOwn }) => isOwn);
  const otherFailed = failedFiles.filter(({ isOwn }) => !isOwn);
  return promptText(input, {
    template: 'examine',
    phase: 'examine',
    own: {
      labels: solutions.map(({ label }) => label).join(', ') || '(none)',
      relations: relationRule.replaceAll(/^/gm, '   '),
    },
    request: requestParts(input),
    data: {
      ...discussionData(input),
      context: ['codebase context', placesText(input.context)],
      own: ['your solutions', bullets(own.map(ownText))],
      said: ['what you said before', bullets(saidBefore.map((one) => stanceText(one, neutral)))],
      own_failed: ['your failed claims', failedText(failedClaims.own, ownFailed, neutral)],
      solutions: ['solutions', shown.join('\n\n')],
      other_failed: ['failed claims', failedText(failedClaims.others, otherFailed, neutral)],
      disagreements: ['disagreements', bullets(disagreements.map(neutral))],
      assumptions: ['assumptions', bullets(assumptionLines(input, neutral))],
    },
  });
}

function ownText({ label, preferred, version }: ExamineRequest['own'][number]): string {
  const whose =
    version === null
      ? `Solution ${label} is yours`
      : `Your “${version}” was found like Solution ${label}, which somebody else wrote`;
  return `${whose}${preferred ? '; you said that you would build it' : ''}`;
}

export function stanceText(
  { label, stance, remarks, preferred, no_vote: noVote }: ExamineRequest['saidBefore'][number],
  neutral: Neutral,
): string {
  const vote = noVote === null ? '' : `; it was no vote, as ${noVote}`;
  const said = `Solution ${label}: ${stance}${preferred ? ', and you would build it' : ''}${vote}`;
  return [said, ...remarks.map((one) => remarkLine(one, neutral))].join('\n');
}

function assumptionLines({ assumptions }: ExamineRequest, neutral: Neutral): readonly string[] {
  return assumptions.map(
    ({ question, assumption }) => `${neutral(question)}\nAssumed: ${neutral(assumption)}`,
  );
}

function failedText(
  claims: readonly FailedClaim[],
  files: ExamineRequest['failedFiles'],
  neutral: Neutral,
): string {
  return bullets([
    ...claims.map(
      ({ label, statement, path, line, quote, note }) =>
        `Solution ${label}: "${neutral(statement)}" at ${path}:${line}, quote ${JSON.stringify(redactFile(path, quote))}: ${neutral(note)}`,
    ),
    ...files.map(({ label, file, note }) => `Solution ${label}: file ${file}: ${neutral(note)}`),
  ]);
}

/**
 * Shows one solution, with only what an engineer would judge: nothing says who proposed it, how
 * sure they are or how many support it, since that makes agents agree.
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
      'Found like it, in the words of others',
      (solution.versions ?? []).map((version) => versionText(version, neutral)),
    ),
    section(
      'Evidence',
      solution.claims.map((claim) => claimLine(claim, neutral)),
    ),
    section(
      'Said of it by examiners',
      solution.remarks.map((remark) => remarkLine(remark, neutral)),
    ),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function versionText({ name, summary, implementation_plan: plan }: Version, neutral: Neutral) {
  const tasks = plan.tasks.map((task) => taskLine(task, neutral)).join('; ');
  return `${neutral(name)}: ${neutral(summary)}\nApproach: ${neutral(plan.approach)}\nTasks: ${tasks}`;
}

export function taskLine(task: SolutionTask, neutral: Neutral): string {
  const after = task.depends_on.length === 0 ? '' : ` (after ${task.depends_on.join(', ')})`;
  const key = task.key_point === null ? '' : ` — ${neutral(task.key_point)}`;
  return `${task.id} ${neutral(task.name)}${after}: ${task.files.map(filePart).join(', ')}${key}`;
}

function filePart({ file, line, action }: PlannedFile): string {
  return `${action} ${file}${line === undefined ? '' : `:${line}`}`;
}

function claimLine(claim: CheckedClaim, neutral: Neutral): string {
  const { statement, path, line, found_line: found, quote, status, inside } = claim;
  const where = inside === undefined ? '' : ` in ${inside}`;
  return `${neutral(statement)} (${path}:${found ?? line}, quote ${JSON.stringify(redactFile(path, quote))}) [${referenceWords[status]}${where}]`;
}

/** A remark without its author; its evidence with what the check found. */
export function remarkLine(remark: Remark, neutral: Neutral): string {
  const { id, kind, state, text, evidence, replies = [] } = remark;
  const where = evidence.map(
    ({ path, line, found_line: found, status }) =>
      `${path}:${found ?? line} [${status === 'failed' ? 'not found' : 'found'}]`,
  );
  const places = where.length === 0 ? '' : ` (${where.join(', ')})`;
  const answers = replies.map(
    ({ verdict, why }) => `Answered: ${verdict}${why.trim() === '' ? '' : `, ${neutral(why)}`}`,
  );
  return [`${id}, ${kind}${stateNote[state]}: ${neutral(text)}${places}`, ...answers].join('\n');
}

const stateNote: Readonly<Record<Remark['state'], string>> = {
  open: '',
  revised: ', the solution was revised since',
  met: ', met by a revision',
  withdrawn: ', withdrawn since',
};

function section(title: string, entries: readonly string[]): string {
  return entries.length === 0 ? '' : `${title}:\n${bullets(entries)}`;
}

/** The one definition of how two solutions relate, for every request that asks for it. */
const relationRule = [
  '- `same`: whoever builds the one has built the other: users and callers see the same in every case that the texts settle. Words, order and detail make no difference.',
  '- `variant`: the same idea, but in some case users or callers see something else (an error, not a warning), or one has a part more. If in doubt, say `variant`.',
  '- `different`: another idea.',
].join('\n');

interface CompareRequest extends PromptInput {
  readonly task: string;
  /**
   * The solutions under neutral labels; shown is only what they do, not who wrote them or how sure
   * the authors are.
   */
  readonly solutions: readonly {
    readonly label: string;
    readonly solution: Pick<ProposedSolution, 'name' | 'summary' | 'implementation_plan'>;
  }[];
  /** The pairs to compare, as two labels each. */
  readonly pairs: readonly (readonly [string, string])[];
}

export function comparePrompt(input: CompareRequest): string {
  const { task, solutions, pairs } = input;
  const shown = solutions.map(({ label, solution }) =>
    [
      `Solution ${label}`,
      `Name: ${solution.name}`,
      `Summary: ${solution.summary}`,
      `Approach: ${solution.implementation_plan.approach}`,
      // A part that only one solution has is often mentioned only here.
      `Tasks: ${solution.implementation_plan.tasks.map(({ name }) => name).join('; ')}`,
    ].join('\n'),
  );
  return promptText(input, {
    template: 'compare',
    phase: 'compare',
    own: {
      pairs: pairs.map(([first, second]) => `${first} and ${second}`).join('; '),
      relations: relationRule,
      example: `[${solutions[0]?.label}] warns about a bad value, [${solutions[1]?.label}] refuses it`,
    },
    request: { subject: ['task', task] },
    data: { solutions: ['solutions', shown.join('\n\n')] },
  });
}

/** Removes the names from a piece of another agent's prose. */
type Neutral = (text: string) => string;

/**
 * Replaces the names of agents, models and vendors by "an agent", in any case and also inside a
 * model's name ("gemini-2.5-pro"). What must be exact is kept: paths, file names, identifiers, any
 * name that the task itself is about, and ordinary words.
 */
export function neutralWords(hide: readonly string[], task: string): Neutral {
  const subject = task.toLowerCase();
  const names = hide
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && !ordinary.has(name) && !subject.includes(name));
  const words = new Set(names.filter((name) => !name.includes(' ')));
  const phrases = names.filter((name) => name.includes(' ')).map(phrasePattern);
  return (text) =>
    phrases
      .reduce((shown, phrase) => shown.replace(phrase, stranger), text)
      .replace(/[\w@][\w@./-]*/g, (token) => neutralToken(token, words))
      .replaceAll(strangers, 'several agents');
}

const stranger = 'an agent';
/**
 * Words that people use as names of their own agents. They are kept: "an agent rule in an agent
 * place" would be meaningless, and "one" reveals nobody.
 */
const ordinary: ReadonlySet<string> = new Set(
  `agent agents another api auto best better big cheap cli client code coder default dev editor fast
  first five four free home judge large last local main mine mini model models my new next old one
  other others own planner prod remote review reviewer reader second server six slow small test tests
  third three two work writer`.split(/\s+/),
);
const strangers = /\ban agent(?:(?:, an agent)* and an agent|, an agent)\b/g;

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
