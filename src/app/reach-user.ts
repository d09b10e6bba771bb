// Reaches a session's user elsewhere: runs their notify command, and takes the answers that they leave.
import { randomBytes } from 'node:crypto';
import type { Form, FormQuestion } from '../model/form.ts';
import { redactTokens } from '../model/secrets.ts';
import { settingsTable } from '../model/settings.ts';
import { runProgram } from '../store/run-program.ts';
import type { SessionEnd } from '../workflow/recorded.ts';
import { awaitAnswer } from './left-answers.ts';
import type { Workplace } from './workplace.ts';

/** The answers that a person may give from another terminal. A consent is given where it is shown whole. */
const open: ReadonlySet<Form['kind']> = new Set(['clarify', 'decide', 'approve', 'apply']);

/** The way to a session's user. */
export interface Reach {
  /** Tells of a question, and waits until an answer to it is left, or until the signal is aborted. */
  readonly ask: <Answer>(
    question: FormQuestion<Answer>,
    about: { readonly signal: AbortSignal },
  ) => Promise<Answer>;
  readonly over: (end: Pick<SessionEnd, 'message'>) => Promise<void>;
  /** True if the user has a notify command. */
  readonly tells: boolean;
  readonly session: string;
}

/** Opens the way to a session's user; `tell` gets what goes wrong on it. */
export function reachUser({
  session,
  environment,
  settings,
  tell,
}: Pick<Workplace, 'environment' | 'settings'> & {
  readonly session: string;
  readonly tell: (text: string) => void;
}): Reach {
  const { notify } = settingsTable;
  const [command, ...args] = settings.read(notify.command) ?? [];
  const detail = settings.read(notify.detail);
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
      const why = error instanceof Error ? error.message : String(error);
      if (!isTold) tell(`[notify] command failed, and is not told of again: ${why}`);
      isTold = true;
    }
  }

  return {
    async ask(question, { signal }) {
      const id = open.has(question.form.kind) ? randomBytes(3).toString('hex') : null;
      const onOpen = () => void send({ event: 'question', id, ...newsOf(question.form, detail) });
      if (id !== null)
        return await awaitAnswer(question, id, { signal, onOpen, tell, session, environment });
      onOpen();
      return await new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
    },
    over: async ({ message }) => await send({ event: 'end', message }),
    tells: command !== undefined,
    session,
  };
}

const notifyMs = 10_000;

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
