// Shows a session as plain lines that a screen reader can follow, and puts its questions line by line.
import {
  type FormField,
  type FormQuestion,
  type FormValues,
  namedChoices,
  readForm,
} from '../../model/form.ts';
import type { View } from '../../workflow/view-port.ts';
import { headlessShow } from '../headless.ts';
import { answersByForm } from '../question-forms.ts';
import { openDialog, type Dialog, type LineOutput, type LineReader } from './reader.ts';

/**
 * A user interface of plain lines that a screen reader can follow: nothing moves, nothing is
 * redrawn, no control sequence is written, and every question is answered by typing a line.
 */
export function linesView(out: LineOutput, reader: LineReader): View {
  const show = headlessShow({ write: (text) => out.write(text), label: (text) => text });
  let session = 'SESSION';
  let isApprovedNow = false;
  const answers = answersByForm(
    async (question, { signal }) => {
      return await fillIn(openDialog(out, reader, signal), question);
    },
    () => ({ session, isApprovedNow }),
  );
  return {
    letsUnconfined: true,
    takesConsent: true,
    show(event) {
      if (event.type === 'session.started' || event.type === 'session.resumed')
        session = event.session;
      if (event.type === 'plan.approved') isApprovedNow = !event.replayed;
      // Each question is printed where it is asked.
      if (event.type !== 'question.asked') show(event);
    },
    ...answers,
  };
}

/** Puts a form line by line, until what was typed fits it.  */
async function fillIn<Answer>(lines: Dialog, question: FormQuestion<Answer>): Promise<Answer> {
  const { asks, lines: before, fields } = question.form;
  for (;;) {
    lines.say('', ...before, asks);
    const values: FormValues = {};
    for (const { name, goesWith } of fields) {
      const now = question.after?.(values) ?? question;
      const field = now.form.fields.find((one) => one.name === name);
      if (field === undefined) continue;
      if (goesWith === null || goesWith.includes(String(values['choice'])))
        values[name] = await askField(lines, field);
    }
    const reading = readForm(question, values);
    if ('answer' in reading) return reading.answer;
    lines.say(reading.refusal);
  }
}

async function askField(lines: Dialog, field: FormField): Promise<FormValues[string]> {
  const { name, asks, lines: before, choices, isOpen, isMany, proposed } = field;
  if (name === 'choice') return await askChoice(lines, field);
  if (isMany) return [...(await lines.gather(`${asks}: `, 'Another one (empty to go on): '))];
  if (choices.length === 0 && before.length === 0) return await lines.ask(`${asks}: `);
  const named = namedChoices(field);
  const list = named.map(({ means }, at) => `  ${at + 1}. ${means}`);
  lines.say('', asks, ...before.map((line) => `  ${line}`), ...list);
  if (isOpen) return await lines.ask('Your answer: ');
  const first = named.findIndex(({ value }) => value === proposed);
  const numbers = named.map((_, at) => String(at + 1));
  const words = [String(Math.max(0, first) + 1), ...numbers, ...named.map(({ value }) => value)];
  const typed = await lines.choose('Number', words);
  return named[Number(typed) - 1]?.value ?? typed;
}

/** Asks for the choice, unless there is only one. */
async function askChoice(lines: Dialog, { asks, choices, proposed }: FormField): Promise<string> {
  const ways = choices.flatMap(({ value, means, lines: more }) => [
    `  ${value}: ${means}`,
    ...more.map((line) => `    ${line}`),
  ]);
  lines.say(...ways);
  const words = choices.map(({ value }) => value);
  const first = proposed ?? '';
  return words.length === 1 ? first : await lines.choose(asks, [first, ...words]);
}
