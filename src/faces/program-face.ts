// Shows a session to a program as JSON events, and takes its answers as JSON lines.
import type { Writable } from 'node:stream';
import type { Event, EventOf, SessionEvent } from '../model/event.ts';
import {
  type FormQuestion,
  type FormValues,
  type Reading,
  readForm,
  skipForm,
} from '../model/form.ts';
import { InputEvent } from '../model/input-event.ts';
import { isObject, jsonIn } from '../model/json.ts';
import { parseStep } from '../model/steps.ts';
import { type Answers, withOwnEvents } from '../workflow/view-port.ts';
import { type AskForm, answersByForm } from './question-forms.ts';

/** What input can do besides answering; the commands provide it. */
export interface ProgramPorts {
  /** Ends the calls of one agent, e.g. `round-1/codex`. */
  skip(key: string): void;
  /** Interrupts the session, which aborts the signal of an open question. */
  interrupt(): void;
}

/** The interface for a program: events go out, lines come in. */
export interface ProgramFace {
  readonly show: (event: Event) => void;
  readonly answers: Answers;
  readonly take: (line: string) => void;
  /** Says that no more lines come: the current question, or the next one, interrupts the session. */
  readonly end: () => void;
}

export function programFace(out: Writable, ports: ProgramPorts): ProgramFace {
  let lines = 0;
  const running = new Map<string, string>();
  let session = 'SESSION';
  const events = withOwnEvents((event) => out.write(`${JSON.stringify(event)}\n`));
  const desk = questionDesk({ tell: events.tell, interrupt: () => ports.interrupt() });
  const follow = (input: InputEvent): string | null => {
    if (input.type === 'answer') return desk.answer(input.id, input.values);
    const call = input.type === 'skip' ? running.get(input.id) : undefined;
    if (input.type === 'cancel') ports.interrupt();
    else if (call === undefined) return desk.skip(input.id);
    else ports.skip(call);
    return null;
  };
  return {
    show(event) {
      if (event.type === 'session.started' || event.type === 'session.resumed')
        session = event.session;
      if (event.type === 'agent.started') running.set(event.step, callOf(event));
      if (event.type === 'agent.answered' || event.type === 'agent.failed')
        running.delete(event.step);
      events.show(event);
    },
    answers: answersByForm(desk.ask, () => ({ session })),
    take(text) {
      lines += 1;
      if (text.trim() === '') return;
      const read = readLine(text);
      const reason = 'refusal' in read ? read.refusal : follow(read.answer);
      if (reason !== null) events.tell({ type: 'input.refused', line: lines, reason });
    },
    end: () => desk.end(),
  };
}

interface OpenQuestion {
  readonly id: string;
  /** Returns why the answer was refused, or null if it was taken. Null is a skip. */
  take(given: FormValues | null): string | null;
}

/** Holds the open question: a session asks one at a time. */
function questionDesk({
  tell,
  interrupt,
}: {
  readonly tell: (event: SessionEvent) => void;
  readonly interrupt: () => void;
}) {
  let asked = 0;
  let open: OpenQuestion | null = null;
  let isOver = false;
  const ask: AskForm = async (question, { signal }) => {
    signal.throwIfAborted();
    asked += 1;
    const id = `${question.form.kind}-${asked}`;
    const aborted = Promise.withResolvers<never>();
    const stop = () => aborted.reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    try {
      const given = openQuestion(id, question);
      open = given.question;
      tell({ type: 'answer.awaited', id, ...question.form });
      if (isOver) interrupt();
      return await Promise.race([given.answer, aborted.promise]);
    } finally {
      open = null;
      signal.removeEventListener('abort', stop);
    }
  };
  const takeBy = (id: string, given: FormValues | null): string | null => {
    if (open?.id === id) return open.take(given);
    const now = open === null ? 'no question is open' : `the open question is "${open.id}"`;
    const what = given === null ? 'question or agent at work' : 'question';
    return `There is no open ${what} "${id}": ${now}.`;
  };
  return {
    ask,
    answer: takeBy,
    skip: (id: string) => takeBy(id, null),
    end() {
      isOver = true;
      if (open !== null) interrupt();
    },
  };
}

function openQuestion<T>(id: string, asked: FormQuestion<T>) {
  const { promise: answer, resolve } = Promise.withResolvers<T>();
  const question: OpenQuestion = {
    id,
    take(given) {
      const reading = given === null ? skipForm(asked) : readForm(asked, given);
      if ('refusal' in reading) {
        return given === null
          ? `${id} cannot be skipped; choose an option, or send {"type":"cancel"}.`
          : reading.refusal;
      }
      resolve(reading.answer);
      return null;
    },
  };
  return { question, answer };
}

/** The key by which an agent’s calls are skipped: their group and its name. */
function callOf({ step, agent }: EventOf<'agent.started'>): string {
  return `${parseStep(step)?.group ?? step}/${agent}`;
}

function readLine(line: string): Reading<InputEvent> {
  const said = jsonIn(line);
  const hint = '"conclave schema input-event" prints the shape of a line';
  if (!isObject(said)) return { refusal: `This line is not a JSON object; ${hint}.` };
  const { success, data, error } = InputEvent.safeParse(said);
  if (success) return { answer: data };
  const faults = error.issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean));
  return { refusal: `This line does not fit: ${faults[0]?.join(': ') ?? ''}; ${hint}.` };
}
