import type { Clarification } from '../../model/decision.ts';
import type { Event } from '../../model/event.ts';
import { oneLine } from '../../model/wording.ts';
import type { View } from '../../workflow/view.ts';
import { headlessShow } from '../headless.ts';
import { optionLines } from '../option-lines.ts';
import { approveByLines } from './approve.ts';
import { decideByLines } from './decide.ts';
import { type LineOutput, type LineReader, type Dialog, dialogOn } from './reader.ts';

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
  say('', 'The agents ask before they go on. An empty line skips a question.');
  const answers: { question: string; answer: string }[] = [];
  for (const [index, question] of questions.entries()) {
    say(`Question ${index + 1} of ${questions.length}: ${oneLine(question)}`);
    const answer = (await reader.ask('Your answer: ', signal)).trim();
    if (answer !== '') answers.push({ question, answer });
  }
  return { answers, feedback: '', skipped: answers.length === 0, by: 'user' };
}
