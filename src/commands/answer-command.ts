// Runs `conclave answer`: answers a question of a session that runs in another terminal.
import { refuseAgents } from '../app/inside-agent.ts';
import { leaveAnswer, type OpenForm, openQuestion, shortId } from '../app/left-answers.ts';
import { wholeSessionId } from '../app/session-names.ts';
import { wrongUsage } from '../model/failure.ts';
import type { Form, FormValues } from '../model/form.ts';
import { hasOwner } from '../store/lock.ts';
import { openSessionFolder } from '../store/session-folder.ts';
import { printJson, printLines } from './output.ts';
import type { CommonOptions } from './program/shared-options.ts';

/** Answers the open question of a session; without an answer, shows it. Throws `usage` where it cannot be. */
export async function answerCommand(
  [wanted = '', id, ...words]: readonly string[],
  { root, environment, json }: CommonOptions,
): Promise<number> {
  await refuseAgents(environment);
  const session = await wholeSessionId(root, wanted);
  if (!(await hasOwner(await openSessionFolder(root, session)))) {
    throw wrongUsage(`Nobody runs ${session}. To continue: conclave resume ${session}`);
  }
  const place = { session, environment };
  const offered = await openQuestion(place);
  if (offered === null) {
    throw wrongUsage(
      `${session} asks nothing that can be answered from another terminal; consent to run or apply something is given only in the terminal where it runs.`,
    );
  }
  if (id === undefined || words.length === 0) {
    if (json) printJson(offered);
    else printLines(...questionLines(session, offered));
    return 0;
  }
  if (![offered.id, shortId(offered.id)].includes(id)) {
    throw wrongUsage(`Question ${id} is not open; ${shortId(offered.id)} is.`);
  }
  const why = await leaveAnswer(offered.id, valuesOf(offered.form, words), place);
  if (why !== null) throw wrongUsage(`It does not count as an answer: ${why}`);
  if (json) printJson({ session, question: id, answered: true });
  else printLines(`Answered ${id} of ${session}.`);
  return 0;
}

function questionLines(session: string, { id, form }: OpenForm): readonly string[] {
  return [
    ...form.lines,
    `${form.name}: ${form.asks}`,
    ...form.fields.flatMap(({ name, asks, choices }) => [
      `  ${name}: ${asks}`,
      ...choices.map(({ value, means }) => `    ${value}: ${means}`),
    ]),
    '',
    `To answer: conclave answer ${session} ${shortId(id)} ANSWER`,
  ];
}

/** Reads the words of an answer: NAME=TEXT for each field, or a choice and the text that goes with it. */
function valuesOf({ fields }: Form, words: readonly string[]): FormValues {
  const named = words.map((word) => /^([^=\s]+)=([^]*)$/.exec(word));
  const isNamed = named.every((one) => fields.some(({ name }) => name === one?.[1]));
  if (isNamed) return Object.fromEntries(named.map((one) => [one?.[1] ?? '', one?.[2] ?? '']));
  const text = words.join(' ');
  const [first] = fields;
  if (first?.name !== 'choice') return { [first?.name ?? '']: text };
  const [choice = '', ...rest] = text.split(' ');
  const more = fields.find(({ goesWith }) => goesWith?.includes(choice) === true);
  return { choice, ...(rest.length !== 0 && { [more?.name ?? 'text']: rest.join(' ') }) };
}
