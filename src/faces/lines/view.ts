import {
  CodeReviewTool,
  ExecutionMethod,
  type Clarification,
  type Decision,
} from '../../model/decision.ts';
import type { Event } from '../../model/event.ts';
import type { Synthesis } from '../../model/synthesis.ts';
import { oneLine } from '../../model/wording.ts';
import { modelNeeded } from '../../phases/discussion/seats.ts';
import type { View } from '../../workflow/view.ts';
import { headlessShow, optionLines } from '../headless.ts';
import { approveByLines } from './approve.ts';
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
  let unheard: Extract<Event, { type: 'options.presented' }> | null = null;
  return {
    show(event) {
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
  };
}

async function clarifyByLines(
  { reader, say }: Dialog,
  { questions }: Parameters<View['clarify']>[0],
  signal: AbortSignal,
): Promise<Clarification> {
  say('', 'The agents have questions. An empty line skips one.');
  const answers: { question: string; answer: string }[] = [];
  for (const [index, question] of questions.entries()) {
    say(`Question ${index + 1} of ${questions.length}: ${oneLine(question)}`);
    const answer = (await reader.ask('Your answer: ', signal)).trim();
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
  const { options: methods } = ExecutionMethod;
  const { options: reviews } = CodeReviewTool;
  return {
    kind: 'approve',
    solution,
    execution_method: await oneOf(lines, ['Who should carry out the plan?', methods], signal),
    code_review_tool: await oneOf(lines, ['Who should review the code?', reviews], signal),
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
  const way = isEmpty
    ? 'There is no option to choose. Type '
    : 'Which option? Type its number (Enter takes 1, the recommended one), ';
  return [...(canDiscuss ? [] : [modelNeeded]), `${way}${or}${others}`];
}

function wordsOf({
  synthesis: { solutions },
  canDiscuss,
}: Question): readonly [string, ...string[]] {
  const [first, ...others] = [
    ...solutions.map((_, index) => String(index + 1)),
    ...(canDiscuss ? ['more'] : []),
    'cancel',
  ];
  return [first ?? 'cancel', ...others];
}

/** Asks for one of numbered values; the first is what Enter means. */
async function oneOf<Value extends string>(
  lines: Dialog,
  [prompt, values]: readonly [string, readonly Value[]],
  signal: AbortSignal,
): Promise<Value> {
  lines.say('', prompt, ...values.map((value, index) => `  ${index + 1}. ${value}`));
  const [first = '1', ...others] = values.map((_, index) => String(index + 1));
  const typed = await choose(lines, { prompt: 'Number', words: [first, ...others] }, signal);
  const value = values[Number(typed) - 1];
  if (value === undefined) throw new Error(`there is no answer ${typed}`);
  return value;
}
