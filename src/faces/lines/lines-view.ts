// Shows a session as plain lines that a screen reader can follow, with its questions and its result.
import type { Clarification, Decision, PlanVerdict } from '../../model/decision.ts';
import type { EventOf } from '../../model/event.ts';
import { blockingIn } from '../../model/finding.ts';
import { commentOf } from '../../model/plan-edit.ts';
import type { Synthesis } from '../../model/synthesis.ts';
import { oneLine, rejectionText, sentence } from '../../model/wording.ts';
import { askersText, resolveChoice } from '../../phases/discussion/clarify.ts';
import { noModelText } from '../../phases/discussion/seats.ts';
import { taskMarkdown } from '../../phases/planning/plan-text.ts';
import { type Questions, type View, wholeQuestion } from '../../workflow/view-port.ts';
import { headlessShow, optionLines } from '../headless.ts';
import { planLines } from './plan-lines.ts';
import { anotherRoundText } from '../short-forms.ts';
import { applyByLines, executeByLines } from './execution-lines.ts';
import { openDialog, type Dialog, type LineOutput, type LineReader } from './reader.ts';

/**
 * A user interface of plain lines that a screen reader can follow: nothing moves, nothing is
 * redrawn, no control sequence is written, and every question is answered by typing a line.
 */
export function linesView(out: LineOutput, reader: LineReader): View {
  const show = headlessShow({ write: (text) => out.write(text), label: (text) => text });
  const on = (signal: AbortSignal) => openDialog(out, reader, signal);
  let recorded: EventOf<'options.presented'> | null = null;
  let session = 'SESSION';
  let isApprovedNow = false;
  return {
    letsUnconfined: true,
    show(event) {
      if (event.type === 'session.started' || event.type === 'session.resumed')
        session = event.session;
      if (event.type === 'plan.approved') isApprovedNow = !event.replayed;
      // Each question is printed where it is asked.
      if (event.type !== 'question.asked') show(event);
      if (event.type === 'options.presented') recorded = event.replayed ? event : null;
    },
    clarify: (question, signal) => clarifyByLines(on(signal), question),
    async decide(question, signal) {
      // An earlier run of a resumed session showed its options.
      if (recorded !== null) on(signal).say(...optionLines(recorded));
      recorded = null;
      return await decideByLines(on(signal), await wholeQuestion(question));
    },
    approve: async (question, signal) => approveByLines(on(signal), await wholeQuestion(question)),
    async execute(question, signal) {
      const shown = { session, isApprovedNow };
      return await executeByLines(on(signal), await wholeQuestion(question), shown);
    },
    apply: async (question, signal) =>
      applyByLines(on(signal), await wholeQuestion(question), session),
    choose: (question, signal) => chooseByLines(on(signal), question),
  };
}

/** Asks for a choice; Enter leaves everything unchanged. */
async function chooseByLines(
  lines: Dialog,
  { name, asks, lines: before, choices, usual }: Questions['choose']['asks'],
): Promise<string> {
  const ways = choices.map(({ word, does }) => `Type "${word}" to ${does}.`);
  lines.say(...before, [asks, ...ways].join(' '));
  const words = [usual, ...choices].map(({ word }) => word);
  const word = await lines.choose(name, words);
  const { writes } = choices.find((one) => one.word === word) ?? {};
  return writes === undefined ? word : `${word} ${(await lines.ask(`${writes}: `)).trim()}`;
}

async function clarifyByLines(
  lines: Dialog,
  { questions, backgrounds, goesOn }: Questions['clarify']['asks'],
): Promise<Clarification> {
  const without = goesOn
    ? 'the agents then state an assumption'
    : 'the plan rests on an assumption';
  lines.say('', `The agents have questions. An empty line skips one: ${without}.`);
  const answers: { question: string; answer: string }[] = [];
  for (const [index, question] of questions.entries()) {
    const background = backgrounds[index] ?? { lines: [], choices: [] };
    lines.say(
      `Question ${index + 1} of ${questions.length}${askersText(background)}: ${oneLine(question)}`,
      ...background.lines.map((line) => `  ${line}`),
      ...background.choices.map((choice, at) => `  ${at + 1}. ${choice}`),
    );
    const answer = resolveChoice(await lines.ask('Your answer: '), background);
    if (answer !== '') answers.push({ question, answer });
  }
  return { answers, feedback: '', skipped: answers.length === 0, by: 'user' };
}

type Question = Questions['decide']['asks'];

/** Asks for the decision. The options were shown when they were presented. */
async function decideByLines(lines: Dialog, question: Question): Promise<Decision> {
  const { synthesis, canDiscuss } = question;
  lines.say(
    ...crossLines(synthesis),
    '',
    ...(canDiscuss ? [] : [noModelText]),
    choiceLine(question),
  );
  const numbers = synthesis.solutions.map((_, index) => String(index + 1));
  const words = [...numbers, ...(canDiscuss ? ['more'] : []), 'cancel'];
  const typed = await lines.choose('Option', words);
  if (typed === 'cancel') return { kind: 'cancel', by: 'user' };
  if (typed === 'more') {
    const feedback = await lines.ask('What should the agents look into? ');
    return { kind: 'more-analysis', feedback: feedback.trim(), by: 'user' };
  }
  const solution = Number(typed);
  lines.say(`Option ${typed}: ${oneLine(synthesis.solutions[solution - 1]?.name ?? '')}`);
  const constraints = await lines.gather(
    'Constraints for the plan (empty for none): ',
    'Another one (empty to go on): ',
  );
  return {
    kind: 'approve',
    solution,
    // This and the reviewer are asked for when the plan is executed.
    execution_method: 'Agent',
    constraints: [...constraints],
    by: 'user',
  };
}

function crossLines({ cross_verification: cross }: Synthesis): readonly string[] {
  return [
    ...listLines('The agents agree', cross.agreements),
    ...listLines('The agents disagree', cross.disagreements),
  ];
}

function listLines(head: string, entries: readonly string[]): readonly string[] {
  return entries.length === 0 ? [] : [`${head}:`, ...entries.map((one) => `  - ${oneLine(one)}`)];
}

function choiceLine({ synthesis: { solutions }, canDiscuss, another }: Question): string {
  return [
    solutions.length === 0
      ? 'There is no option to choose.'
      : 'Which option? Type its number (Enter takes 1, the recommended one).',
    ...(canDiscuss ? [`Type "more" for more analysis. ${anotherRoundText(another)}`] : []),
    'Type "cancel" to stop and keep the session.',
  ].join(' ');
}

/** Shows the plan as it is on disk, and asks what to do with it. */
async function approveByLines(
  lines: Dialog,
  { desk, seen: before, canRevise, rejected, reading }: Questions['approve']['asks'],
): Promise<PlanVerdict> {
  // Nothing may be printed below a question, so this waits for the readers’ findings.
  const news = await reading?.follow();
  const seen = news === undefined ? before : await desk.read();
  const { plan, tasks, hash } = seen;
  const blocking = blockingIn(seen)[0];
  const ids = tasks.map(({ id }) => id);
  // The recommended answer comes first.
  const does = {
    ...(plan !== null && blocking === undefined ? { approve: 'approve it as it is' } : {}),
    ...(plan !== null && canRevise
      ? { comment: 'say what should be different; the planner makes a new version' }
      : {}),
    ...(news?.asksAuthor === true && plan !== null
      ? { reply: `have ${reading?.author ?? 'its author'} answer what was found` }
      : {}),
    leave: 'leave it as it is, to be edited or approved later',
    reject: 'reject it and say why; withdraws an approval',
  };
  const ways = Object.entries(does).map(([word, meaning]) => `  ${word}: ${meaning}`);
  const was = rejected === null ? [] : [sentence(`It was ${rejectionText(rejected)}`)];
  lines.say('', ...planLines(seen), ...was, '', 'What now?', ...ways);
  if (ids.length > 0) lines.say('  the id of a task: read all of it');
  for (;;) {
    const typed = await lines.choose('Plan', [...Object.keys(does), ...ids]);
    const task = tasks.find(({ id }) => id === typed);
    if (task !== undefined) {
      lines.say('', ...taskMarkdown(task).replaceAll('**', '').split('\n'), '');
      continue;
    }
    if (typed === 'approve') return { kind: 'approve', by: 'user', hash };
    if (typed === 'leave') return { kind: 'leave', why: blocking?.message ?? 'left by the user' };
    if (typed === 'reply') return { kind: 'reply', by: 'user' };
    if (typed === 'reject') {
      const why = (await lines.ask('Why? Leave empty to give no reason: ')).trim();
      return { kind: 'reject', why, by: 'user' };
    }
    const [comment, ...more] = await lines.gather(
      'What should be different? Begin with the id of a task if it is about one: ',
      'What else? Leave empty to send it to the planner: ',
    );
    if (comment === undefined) continue;
    const comments = [comment, ...more].map((text) => commentOf(text, ids));
    return { kind: 'revise', comments, by: 'user' };
  }
}
