// Reaches a session's user elsewhere: runs their notify command, and takes the answers that they leave.
import { once } from 'node:events';
import type { Form, FormQuestion } from '../model/form.ts';
import { redactTokens } from '../model/secrets.ts';
import { settingsTable } from '../model/settings.ts';
import { wordsOfError } from '../model/wording.ts';
import { runProgram } from '../store/run-program.ts';
import type { SessionEnd } from '../workflow/recorded.ts';
import { awaitAnswer } from './left-answers.ts';
import type { Workplace } from './workplace.ts';

/** The answers that a person may give from another terminal. A consent is given where it is shown whole. */
const open: ReadonlySet<Form['kind']> = new Set(['clarify', 'decide', 'approve', 'apply']);

/** The way to a session's user. */
export interface Reach {
  readonly session: string;
  /** Tells of a question, and waits until an answer to it is left, or until the signal is aborted. */
  readonly ask: <Answer>(
    question: FormQuestion<Answer>,
    about: { readonly signal: AbortSignal },
  ) => Promise<Answer>;
  /** Tells of a question; `id` is what `conclave answer` calls it, null if it is answered in another way. */
  readonly notify: (form: Form, id?: string | null) => Promise<void>;
  readonly over: (end: Pick<SessionEnd, 'message'>) => Promise<void>;
}

/** Opens the way to a session's user; `tell` gets what goes wrong on it. */
export function reachUser({
  session,
  environment,
  settings,
  tell,
  notifyMs = 10_000,
}: Pick<Workplace, 'environment' | 'settings'> & {
  readonly session: string;
  readonly tell: (text: string) => void;
  /** The longest run of the notify command, in ms. */
  readonly notifyMs?: number;
}): Reach {
  const [command, ...args] = settings.read(settingsTable.notify.command) ?? [];
  const detail = settings.read(settingsTable.notify.detail);
  let isTold = false;

  /** Runs the command with news as JSON on its standard input. A fault is told once. */
  async function send(news: object): Promise<void> {
    if (command === undefined) return;
    const input = redactTokens(JSON.stringify({ session, ...news }));
    try {
      const signal = AbortSignal.timeout(notifyMs);
      const call = { command, args, env: environment, signal, maxOutput: 65_536, input };
      const { exitCode, fault } = await runProgram(call);
      if (exitCode !== 0) throw fault ?? new Error(`it ended with ${exitCode}`);
    } catch (error) {
      const why = wordsOfError(error);
      if (!isTold) tell(`[notify] command failed, and is not told of again: ${why}`);
      isTold = true;
    }
  }

  const notify: Reach['notify'] = async (form, id = null) =>
    await send({ event: 'question', id, ...newsOf(form, detail) });

  return {
    session,
    async ask(question, { signal }) {
      const { form } = question;
      if (!open.has(form.kind)) {
        void notify(form);
        await once(signal, 'abort');
        throw signal.reason;
      }
      const onOpen = (id: string) => void notify(form, id);
      return await awaitAnswer(question, { signal, onOpen, tell, session, environment });
    },
    notify,
    over: async ({ message }) => await send({ event: 'end', message }),
  };
}

/** A question for a message: without code, and without texts of models besides the question itself. */
function newsOf({ kind, name, asks, lines, fields }: Form, detail: boolean) {
  const questions = kind === 'clarify' ? fields.map((field) => field.asks) : [];
  const choices = fields.find((field) => field.name === 'choice')?.choices ?? [];
  return {
    question: [`${name}: ${asks}`, ...questions].join('\n'),
    choices: choices.map(({ value, means }) => (detail ? { value, means } : { value })),
    ...(detail && { lines }),
  };
}
