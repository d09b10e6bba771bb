// Reaches the user away from the terminal: runs their notify command, and takes answers from another terminal.
import { randomBytes } from 'node:crypto';
import { awaitAnswer } from '../../app/left-answers.ts';
import type { Workplace } from '../../app/workplace.ts';
import { answersByForm } from '../../faces/question-forms.ts';
import type { Form } from '../../model/form.ts';
import { redactTokens } from '../../model/secrets.ts';
import { settingsTable } from '../../model/settings.ts';
import { runProgram } from '../../store/run-program.ts';
import type { SessionEnd } from '../../workflow/recorded.ts';
import type { Answers } from '../../workflow/view-port.ts';

/** Answers, and what is done when the session that they are for has ended. */
export interface SessionAnswers extends Answers {
  readonly over?: ((end: SessionEnd) => Promise<void>) | undefined;
}

type Answer<Asked, Given> = (question: Asked, signal: AbortSignal) => Promise<Given>;

/** What a person may say from another terminal. A consent is given where it is shown whole. */
const open: ReadonlySet<Form['kind']> = new Set(['clarify', 'decide', 'approve', 'apply']);

/** Has a person told of each question that a face puts to them, and takes the answer that comes first. */
export function reachable(
  face: Answers,
  place: Pick<Workplace, 'environment' | 'settings'> & {
    readonly session: string;
    readonly tell: (text: string) => void;
  },
): SessionAnswers {
  const { session, environment, tell } = place;
  const notify = notifier(place);
  const remote = answersByForm(
    async (question, { signal }) => {
      const id = randomBytes(3).toString('hex');
      const isOpen = open.has(question.form.kind);
      void notify({ event: 'question', id: isOpen ? id : null, form: question.form });
      const told = { signal, tell, session, environment };
      return isOpen ? await awaitAnswer(question, id, told) : await forever(signal);
    },
    () => ({ session, steers: true }),
  );
  const elsewhere: Answers = {
    clarify: first(face.clarify, remote.clarify),
    decide: (asked, signal) => first(face.decide, remote.decide)(lookedUpOnce(asked), signal),
    approve: (asked, signal) => first(face.approve, remote.approve)(lookedUpOnce(asked), signal),
    execute: (asked, signal) => first(face.execute, remote.execute)(lookedUpOnce(asked), signal),
    apply: (asked, signal) => first(face.apply, remote.apply)(lookedUpOnce(asked), signal),
    choose: first(face.choose, remote.choose),
  };
  const { execute, choose } = hasCommand(place) ? elsewhere : face;
  return {
    ...face,
    ...elsewhere,
    execute,
    choose,
    over: ({ message }) => notify({ event: 'end', message }),
  };
}

function hasCommand({ settings }: Pick<Workplace, 'settings'>): boolean {
  return settings.read(settingsTable.notify.command) !== undefined;
}

/** Looks up the rest of a question only once, whoever needs it. */
function lookedUpOnce<Part, Asked extends { readonly lookUp: () => Promise<Part> }>(
  question: Asked,
): Asked {
  let found: Promise<Part> | null = null;
  return { ...question, lookUp: () => (found ??= question.lookUp()) };
}

/** Puts a question at two places; the answer that comes first counts, and the other place is closed. */
function first<Asked, Given>(
  here: Answer<Asked, Given>,
  there: Answer<Asked, Given>,
): Answer<Asked, Given> {
  return async (question, signal) => {
    const over = new AbortController();
    const both = AbortSignal.any([signal, over.signal]);
    try {
      return await Promise.race([here(question, both), there(question, both)]);
    } finally {
      over.abort(new Error('it was answered elsewhere'));
    }
  };
}

function forever(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

type News =
  | { readonly event: 'question'; readonly id: string | null; readonly form: Form }
  | { readonly event: 'end'; readonly message: string };

/** Makes what runs the user’s command with news as JSON on its standard input. A fault is told once. */
function notifier({
  session,
  environment,
  settings,
  tell,
}: Parameters<typeof reachable>[1]): (news: News) => Promise<void> {
  const { notify } = settingsTable;
  const [command, ...args] = settings.read(notify.command) ?? [];
  const detail = settings.read(notify.detail);
  let isTold = false;
  return async (news) => {
    if (command === undefined) return;
    const what = news.event === 'end' ? { message: news.message } : questionIn(news, detail);
    const input = redactTokens(JSON.stringify({ event: news.event, session, ...what }));
    try {
      const signal = AbortSignal.timeout(notifyMs);
      const call = { command, args, env: environment, signal, maxOutput: 65_536, input };
      const { exitCode, fault } = await runProgram(call);
      if (exitCode === 0) return;
      throw fault ?? new Error(`it ended with ${exitCode}`);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      if (!isTold) tell(`[notify] command failed, and is not told of again: ${why}`);
      isTold = true;
    }
  };
}

const notifyMs = 10_000;

/** A question for a message: without code, and without texts of models besides the question itself. */
function questionIn({ id, form }: Extract<News, { event: 'question' }>, detail: boolean) {
  const { kind, name, asks, lines, fields } = form;
  const questions = kind === 'clarify' ? fields.map((field) => field.asks) : [];
  const choices = fields.find((field) => field.name === 'choice')?.choices ?? [];
  return {
    id,
    question: [`${name}: ${asks}`, ...questions].join('\n'),
    choices: choices.map(({ value, means }) => (detail ? { value, means } : { value })),
    ...(detail && { lines }),
  };
}
