// Makes the forms about an execution: whether and by whom a plan is carried out, and what becomes of its result.
import { agreementLines, workAgreement } from '../model/agreement.ts';
import { styleCountText } from '../model/commit-style.ts';
import type { ResultAnswer } from '../model/execution.ts';
import { applyCommand, isForPerson, objectionsTo } from '../model/execution-summary.ts';
import {
  type Form,
  type FormChoice,
  type FormField,
  type FormQuestion,
  type ReadValues,
  choiceField,
  choiceOf,
  textField,
  yes,
} from '../model/form.ts';
import { commentOf } from '../model/plan-edit.ts';
import { agentOfMethod, autoAgent, byHand, methodOfAgent, reviewByAgent } from '../model/team.ts';
import { counted, listed, oneLine } from '../model/wording.ts';
import { setUpText, settingsFrom } from '../phases/execution/propose-set-up.ts';
import type { Questions, ReadyTeam } from '../workflow/view-port.ts';
import { resultDocument } from '../phases/documents/result-document.ts';
import { textLines } from './document-text.ts';

type Asks<Kind extends keyof Questions> = Questions[Kind]['asks'];

/** What a face knows besides the question. */
export interface FormContext {
  readonly session: string;
  /** True right after the approval: then Enter alone executes nothing. */
  readonly isApprovedNow?: boolean;
  /** True if tasks can be accepted or done again at their result. */
  readonly steers?: boolean;
  /** The words that start this program, if others than `conclave`. */
  readonly program?: string;
}

/** Asks whether an approved plan is executed now, and by whom. */
export function executeForm(
  question: Asks<'execute'>,
  context: FormContext,
): FormQuestion<Questions['execute']['answer']> {
  const { session, isApprovedNow = false, program = 'conclave' } = context;
  const { obstacle, byHand: command, preset, who, setUp = null, commits = null } = question;
  const later = choiceOf('later', 'Later', {
    does: 'leave it for later',
    means: 'the plan stays approved',
    lines: [
      `Later: ${program} execute ${session}`,
      ...(command === null ? [] : [`By hand: ${command}`]),
    ],
  });
  const now = choiceOf('now', 'Now', {
    does: 'carry it out',
    means: worktreeNote,
    lines: agreementLines(workAgreement(question)),
  });
  const goesWith = ['now'];
  const team = (name: string, asks: string, choices: readonly FormChoice[], proposed: string) =>
    textField(name, asks, { choices: [...choices], isOpen: false, proposed, goesWith });
  const review = proposeReview(question, preset.execution_method);
  const form: Form = {
    kind: 'execute',
    name: 'Execute',
    asks:
      obstacle === null
        ? 'The plan is approved. Carry it out now?'
        : `The plan cannot be carried out now: ${oneLine(obstacle)}`,
    lines: [],
    fields: [
      choiceField(
        'Execute',
        obstacle === null ? [later, now] : [later],
        isApprovedNow || obstacle !== null ? 'later' : 'now',
      ),
      team('execution', 'Who should carry it out?', executorChoices(who), preset.execution_method),
      team(
        'review',
        'Who should review the code?',
        reviewerChoices(who, preset.execution_method),
        review,
      ),
      ...(setUp === null
        ? []
        : [
            yesField('set_up', `${setUpNote(setUp.source)} Should it run?`, {
              lines: [setUpText(setUp)],
              without: 'None',
              with: 'Taken: it runs once, and is remembered',
            }),
          ]),
      ...(commits === null
        ? []
        : [
            yesField('conventional_commits', 'Which form should the commits have?', {
              lines: [styleCountText(commits)],
              without: 'Plain',
              with: 'Conventional',
            }),
          ]),
    ],
    skip: { choice: 'later' },
  };
  return {
    form,
    after({ execution }) {
      const execution_method = typeof execution === 'string' ? execution : preset.execution_method;
      return executeForm({ ...question, preset: { ...preset, execution_method } }, context);
    },
    answer({ text }) {
      if (text('choice') !== 'now') return { kind: 'later' };
      const execution_method = text('execution') || preset.execution_method;
      return {
        kind: 'now',
        execution_method,
        code_review_tool: text('review') || proposeReview(question, execution_method),
        ...(text('set_up') === yes && setUp !== null ? settingsFrom(setUp) : {}),
        ...(text('conventional_commits') === yes ? { commit_style: 'conventional' as const } : {}),
        by: 'user',
      };
    },
  };
}

function yesField(
  name: string,
  asks: string,
  { lines, without, with: taken }: { lines: readonly string[]; without: string; with: string },
): FormField {
  const choices = [
    choiceOf('no', without, { does: 'leave it out', means: without }),
    choiceOf(yes, taken, { does: 'take it', means: taken }),
  ];
  const own = { lines: [...lines], choices, isOpen: false, proposed: 'no', goesWith: ['now'] };
  return textField(name, asks, own);
}

/** The agents that can be chosen to execute a plan: those that are ready. */
function executorChoices({ executors }: ReadyTeam): readonly FormChoice[] {
  const names = executors.map(({ name }) => name);
  const [first = 'nobody is ready'] = names;
  const auto = `${first} for a simple plan, ${autoAgent} for any other`;
  return [
    choiceOf('Agent', first, {
      does: `have ${first} carry it out`,
      means: names.length === 0 ? first : `${first}, unless a task names another agent`,
    }),
    ...names.map((name) =>
      choiceOf(methodOfAgent(name), `${name}, for the whole plan`, {
        does: `have ${name} carry it out`,
        means: `${name}, for the whole plan`,
      }),
    ),
    ...(names.includes(autoAgent) ? [choiceOf('Auto', auto, { does: auto })] : []),
  ];
}

/** The agents that can be chosen to review it: those that are ready. */
function reviewerChoices(
  { executors, reviewers }: ReadyTeam,
  method: string,
): readonly FormChoice[] {
  const { reviewer = null } = executorOf(executors, method) ?? {};
  const other = reviewer ?? 'nobody is ready';
  return [
    choiceOf('Skip', 'Nobody', { does: 'skip the review', means: 'nobody reviews the changes' }),
    choiceOf('Agent Review', other, {
      does: `have ${other} review it`,
      means: reviewer === null ? other : `${other}, when the tasks are done`,
    }),
    ...reviewers.map((name) =>
      choiceOf(reviewByAgent(name), name, {
        does: `have ${name} review it`,
        means: `${name}, when the tasks are done`,
      }),
    ),
  ];
}

/** The choice of reviewer that is proposed: what was said, else another vendor, else nobody. */
export function proposeReview(
  { preset, who: { executors } }: Pick<Asks<'execute'>, 'preset' | 'who'>,
  method: string,
): string {
  const isOther = executorOf(executors, method)?.isProposed === true;
  return preset.code_review_tool ?? (isOther ? 'Agent Review' : 'Skip');
}

function executorOf(executors: ReadyTeam['executors'], method: string) {
  const named = agentOfMethod(method);
  return executors.find(({ name }) => name === named) ?? executors[0];
}

/** The effect of an execution on the user’s files. */
const worktreeNote =
  'Each task has a work tree of its own, and its checks run there, without a shell. Yours stays as it is until you apply the result.';

function setUpNote(source: string): string {
  return `${source} proposes a set-up: it runs once, before the first checks, and is remembered for this repository.`;
}

/** Asks what becomes of a result: applied, kept, or a task of it done again. */
export function applyForm(
  question: Asks<'apply'>,
  context: FormContext,
): FormQuestion<ResultAnswer> {
  const { result, review, conflict = null } = question;
  const isEmpty = result.commit === result.start;
  const asks = isEmpty
    ? 'Nothing was changed.'
    : conflict === null
      ? 'Apply the result now?'
      : conflictText(conflict.files);
  const isProposed = context.steers === true && conflict === null && !isEmpty && isWhole(result);
  const document = resultDocument({ result, review });
  const form: Form = {
    kind: 'apply',
    name: conflict === null ? 'Apply' : 'Resolve it',
    asks,
    lines: [...textLines(document.blocks), ''],
    fields: [
      choiceField(
        conflict === null ? 'Apply' : 'Resolve it',
        resultChoices(question, context),
        isProposed ? 'now' : 'later',
      ),
      ...(context.steers === true ? steeringFields(question) : []),
    ],
    skip: { choice: 'later' },
  };
  const ids = result.tasks.map(({ task }) => task);
  return {
    form,
    // Its place is told beside the choice that keeps it.
    document: { ...document, blocks: document.blocks.slice(1) },
    after: (values) => {
      const accepted = {
        ...result.accepted,
        ...acceptedIn([values['accepted'] ?? []].flat(), ids),
      };
      return applyForm({ ...question, result: { ...result, accepted } }, context);
    },
    answer: (values) => resultAnswer(values, ids, commentsOn(question)),
  };
}

function resultChoices(
  { result, conflict = null, ...question }: Asks<'apply'>,
  { session, steers = false, program = 'conclave' }: FormContext,
): readonly FormChoice[] {
  const comments = commentsOn(question);
  const isEmpty = result.commit === result.start;
  const command = conflict === null ? applyCommand(result, { session }) : null;
  const apply = command?.replace(/^conclave/, program) ?? null;
  const name = result.branch ?? 'of the session';
  const later = choiceOf('later', 'Keep', {
    does: isEmpty ? 'leave it' : 'keep it for now',
    means: isEmpty ? 'leave the plan as it is' : 'leave it on its own branch for now',
    lines: [
      ...(isEmpty ? [`Again: ${program} execute ${session}`] : [`Branch: ${name}`]),
      ...(conflict === null ? [] : [`By hand: ${conflict.byHand}`]),
      ...(apply === null ? [] : [`Later: ${apply}`]),
      ...(isEmpty ? [] : [`Or: ${program} execute ${session} --discard`]),
    ],
  });
  const now = choiceOf('now', 'Apply', {
    does: 'apply it',
    means: 'merge its branch into the branch that is checked out',
  });
  const resolving = (conflict?.resolvers ?? []).map((agent) =>
    choiceOf(agent, agent, {
      does: `have ${agent} resolve it`,
      means: 'resolves it once; if all checks pass then, it is applied',
    }),
  );
  const retry = choiceOf('retry', 'Do again', {
    does: 'have a task done again',
    means: 'a task, and everything that builds on it, is done again',
  });
  const send = choiceOf('comments', `Send ${counted(comments.length, 'comment')} back`, {
    does: 'have their tasks done again',
  });
  return [
    later,
    ...(isEmpty ? [] : conflict === null ? [now] : resolving),
    ...(steers ? [retry] : []),
    ...(comments.length === 0 ? [] : [send]),
  ];
}

/** True if most people would apply the result. */
export function isWhole(result: Asks<'apply'>['result']): boolean {
  const { accepted = {}, tasks } = result;
  const isGood = ({ task, status }: (typeof tasks)[number]) =>
    status === 'completed' || (status === 'unproven' && task in accepted);
  return tasks.every(isGood) && objectionsTo(result).length === 0;
}

/** The fields by which a task is done again, and those that are accepted. */
function steeringFields({ result, executors = [] }: Asks<'apply'>): readonly FormField[] {
  const goesWith = ['retry'];
  const tasks = result.tasks
    .filter(({ status }) => status !== 'blocked')
    .map(({ task, title }) => offered(task, `${task} ${title}`));
  const agents = executors.map((agent) => offered(methodOfAgent(agent), agent));
  const trees = Object.values(result.kept ?? {});
  const own = trees.map((tree) => offered(byHand, `by hand, as changed in ${tree}`));
  return [
    textField('task', 'Which task is done again?', {
      choices: tasks,
      isOpen: false,
      isNeeded: true,
      goesWith,
    }),
    textField('text', 'A note for the agent', { goesWith }),
    textField('execution', 'Who does it?', {
      choices: [...agents, ...own],
      isOpen: false,
      goesWith,
    }),
    ...(result.tasks.some(isForPerson) ? [acceptedField] : []),
  ];
}

const acceptedField = textField(
  'accepted',
  'Tasks that you accept, each with what shows that it is done',
  { isMany: true },
);

function offered(value: string, name: string): FormChoice {
  return choiceOf(value, name, { does: name });
}

/** The accepted tasks in texts such as `TASK-001: I saw it run`. */
function acceptedIn(texts: readonly unknown[], ids: readonly string[]): Record<string, string> {
  const pairs = texts.map((one) => commentOf(String(one), ids));
  return Object.fromEntries(
    pairs.flatMap(({ task, text }) => (task === null ? [] : [[task, text]])),
  );
}

function commentsOn({ comments = () => [] }: Pick<Asks<'apply'>, 'comments'>) {
  return comments();
}

function resultAnswer(
  { text, texts }: ReadValues,
  ids: readonly string[],
  comments: ReturnType<typeof commentsOn>,
): ResultAnswer {
  const choice = text('choice');
  const accepted = acceptedIn(texts('accepted'), ids);
  if (choice === 'comments') {
    const tasks = [...new Set(comments.flatMap(({ task }) => task ?? []))];
    return { apply: false, accepted, retry: { tasks, note: '' } };
  }
  if (choice === 'retry') {
    const method = text('execution');
    const who = method === '' ? {} : { execution_method: method };
    return { apply: false, accepted, retry: { tasks: [text('task')], note: text('text'), ...who } };
  }
  if (choice !== 'now' && choice !== 'later')
    return { apply: true, accepted, resolve_with: choice };
  return Object.keys(accepted).length === 0
    ? choice === 'now'
    : { apply: choice === 'now', accepted };
}

/** Asks about a result that git cannot merge into what is checked out. */
function conflictText(files: readonly string[]): string {
  const { length } = files;
  const shown = length > 5 ? [...files.slice(0, 5), `${length - 5} more`] : files;
  return `The result conflicts with what is checked out, in ${listed(shown)}. Who resolves that?`;
}
