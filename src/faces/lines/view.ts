import {
  type Clarification,
  type Decision,
  type PlanVerdict,
  rejectedText,
} from '../../model/decision.ts';
import type { EventOf } from '../../model/event.ts';
import { blockingIn, findingText } from '../../model/finding.ts';
import { commentOf } from '../../model/plan-edit.ts';
import type { Synthesis } from '../../model/synthesis.ts';
import { oneLine, sentence } from '../../model/wording.ts';
import { meantAnswer } from '../../phases/discussion/clarify.ts';
import { modelNeeded } from '../../phases/discussion/seats.ts';
import { changeText } from '../../phases/planning/editing/plan-changes.ts';
import { taskMarkdown } from '../../phases/planning/plan-text.ts';
import type { PlanOnDesk, View } from '../../workflow/view.ts';
import { headlessShow } from '../headless.ts';
import { optionLines } from '../option-lines.ts';
import { applyByLines, executeByLines } from './execution.ts';
import {
  choose,
  dialogOn,
  gather,
  type Dialog,
  type LineOutput,
  type LineReader,
} from './reader.ts';

/**
 * A face of plain lines that a screen reader can follow: nothing moves, nothing is drawn again,
 * no control sequence is written, and every question is answered by typing a line.
 */
export function linesView(out: LineOutput, reader: LineReader): View {
  const lines = dialogOn(out, reader);
  const show = headlessShow({ write: (text) => out.write(text), label: (text) => text });
  let unheard: EventOf<'options.presented'> | null = null;
  let session = 'SESSION';
  let isApprovedNow = false;
  return {
    show(event) {
      if (event.type === 'session.started' || event.type === 'session.resumed')
        session = event.session;
      if (event.type === 'plan.approved') isApprovedNow = !event.replayed;
      // Told where it is asked.
      if (event.type !== 'question.asked') show(event);
      if (event.type === 'options.presented') unheard = event.replayed ? event : null;
    },
    clarify: (question, signal) => clarifyByLines(lines, question, signal),
    decide(question, signal) {
      // A session that goes on was told of its options in an earlier run.
      if (unheard !== null) lines.say(...optionLines(unheard));
      unheard = null;
      return decideByLines(lines, question, signal);
    },
    approve: (question, signal) => approveByLines(lines, question, signal),
    execute: (question, signal) =>
      executeByLines(lines, { question, session, isApprovedNow }, signal),
    apply: (question, signal) => applyByLines(lines, { question, session }, signal),
  };
}

async function clarifyByLines(
  { reader, say }: Dialog,
  { questions, backgrounds }: Parameters<View['clarify']>[0],
  signal: AbortSignal,
): Promise<Clarification> {
  say('', 'The agents have questions. An empty line skips one.');
  const answers: { question: string; answer: string }[] = [];
  for (const [index, question] of questions.entries()) {
    const { lines = [], choices = [] } = backgrounds[index] ?? {};
    say(
      `Question ${index + 1} of ${questions.length}: ${oneLine(question)}`,
      ...lines.map((line) => `  ${line}`),
      ...choices.map((choice, at) => `  ${at + 1}. ${choice}`),
    );
    const typed = await reader.ask('Your answer: ', signal);
    const answer = meantAnswer(typed, { lines, choices });
    if (answer !== '') answers.push({ question, answer });
  }
  return { answers, feedback: '', skipped: answers.length === 0, by: 'user' };
}

type Question = Parameters<View['decide']>[0];

/** The options were told when they were presented; here one of them is taken. */
async function decideByLines(
  lines: Dialog,
  question: Question,
  signal: AbortSignal,
): Promise<Decision> {
  const { synthesis } = question;
  lines.say(...crossLines(synthesis), '', ...wayLines(question));
  const typed = await choose(lines, { prompt: 'Option', words: wordsOf(question) }, signal);
  if (typed === 'cancel') return { kind: 'cancel', by: 'user' };
  if (typed === 'more') {
    const feedback = await lines.reader.ask('What should the agents look into? ', signal);
    return { kind: 'more-analysis', feedback: feedback.trim(), by: 'user' };
  }
  const solution = Number(typed);
  lines.say(`Option ${typed}: ${oneLine(synthesis.solutions[solution - 1]?.name ?? '')}`);
  return {
    kind: 'approve',
    solution,
    // Asked when the plan is carried out.
    execution_method: 'Agent',
    code_review_tool: 'Skip',
    constraints: [...(await gather(lines, constraintPrompts, signal))],
    by: 'user',
  };
}

const constraintPrompts = {
  first: 'What must the plan keep to? Leave empty for nothing: ',
  more: 'What else? Leave empty to go on: ',
};

function crossLines({ cross_verification: cross }: Synthesis): readonly string[] {
  return [
    ...listLines('The agents agree', cross.agreements),
    ...listLines('The agents disagree', cross.disagreements),
  ];
}

function listLines(head: string, entries: readonly string[]): readonly string[] {
  return entries.length === 0 ? [] : [`${head}:`, ...entries.map((one) => `  - ${oneLine(one)}`)];
}

function wayLines({ synthesis: { solutions }, canDiscuss }: Question): readonly string[] {
  const isEmpty = solutions.length === 0;
  const cancel = '"cancel" to stop and keep the session.';
  const others = canDiscuss ? `"more" for more analysis, or ${cancel}` : cancel;
  const or = isEmpty || canDiscuss ? '' : 'or ';
  const choice = isEmpty
    ? 'There is no option to choose. Type '
    : 'Which option? Type its number (Enter takes 1, the recommended one), ';
  return [...(canDiscuss ? [] : [modelNeeded]), `${choice}${or}${others}`];
}

function wordsOf({ synthesis: { solutions }, canDiscuss }: Question): readonly string[] {
  const numbers = solutions.map((_, index) => String(index + 1));
  return [...numbers, ...(canDiscuss ? ['more'] : []), 'cancel'];
}

/** Shows the plan as it is on disk, and asks what to do with it. */
async function approveByLines(
  lines: Dialog,
  { seen, canRevise, rejected }: Parameters<View['approve']>[0],
  signal: AbortSignal,
): Promise<PlanVerdict> {
  const ways = waysOf(seen, canRevise);
  const ids = seen.tasks.map(({ id }) => id);
  const was = rejected === null ? [] : [sentence(`It was ${rejectedText(rejected)}`)];
  lines.say('', ...planLines(seen), ...was, '', 'What now?', ...ways.map(([, is]) => is));
  if (ids.length > 0) lines.say('  the id of a task: read all of it');
  const words = [...ways.map(([word]) => word), ...ids];
  for (;;) {
    const typed = await choose(lines, { prompt: 'Plan', words }, signal);
    const task = seen.tasks.find(({ id }) => id === typed);
    if (task !== undefined) {
      lines.say('', ...taskMarkdown(task).replaceAll('**', '').split('\n'), '');
      continue;
    }
    if (typed === 'approve') return { kind: 'approve', by: 'user', hash: seen.hash };
    if (typed === 'reject') {
      const why = (await lines.reader.ask('Why? Leave empty to give no reason: ', signal)).trim();
      return { kind: 'reject', why, by: 'user' };
    }
    if (typed === 'leave') return { kind: 'leave', why: whyLeft(seen) };
    const [comment, ...more] = await gather(lines, commentPrompts, signal);
    if (comment === undefined) continue;
    const comments = [comment, ...more].map((text) => commentOf(text, ids));
    return { kind: 'revise', comments, by: 'user' };
  }
}

/** What blocks the plan, if something does. */
function whyLeft({ findings }: PlanOnDesk): string {
  const blocking = blockingIn({ findings })[0];
  return blocking?.message ?? 'left by the user';
}

const commentPrompts = {
  first: 'What should be different? Begin with the id of a task if it is about one: ',
  more: 'What else? Leave empty to send it to the planner: ',
};

/** The words that may be typed, the recommended one first, each with what it does. */
function waysOf({ plan, findings }: PlanOnDesk, canRevise: boolean): readonly [string, string][] {
  const isBlocked = plan === null || blockingIn({ findings }).length > 0;
  return [
    ...(isBlocked ? [] : [way('approve', 'approve it as it stands (Enter does the same)')]),
    ...(canRevise && plan !== null
      ? [way('comment', 'say what should be different; the planner makes a new version')]
      : []),
    way('leave', 'leave it as it is, to be edited or approved later'),
    way('reject', 'reject it and say why; withdraws an approval'),
  ];
}

function way(word: string, does: string): [string, string] {
  return [word, `  ${word}: ${does}`];
}

/** A plan with its tasks, what changed in it and what the plan check found. */
export function planLines(seen: PlanOnDesk): readonly string[] {
  const { plan, tasks, findings, version, changes } = seen;
  return [
    `Plan, version ${version}: ${oneLine(plan?.summary ?? 'it cannot be read')}`,
    ...tasks.map(({ id, title, depends_on: after }) => {
      const order = after.length === 0 ? '' : `, after ${after.join(', ')}`;
      return `  ${id}: ${oneLine(title)}${order}`;
    }),
    ...(changes.length === 0
      ? []
      : ['What changed:', ...changes.map((change) => `  ${changeText(change)}`)]),
    findings.length === 0 ? 'The plan check found nothing.' : 'The plan check found:',
    ...findings.map((finding) => `  ${finding.severity}, ${oneLine(findingText(finding))}`),
  ];
}
