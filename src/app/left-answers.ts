// Takes answers that the user leaves in another terminal for a session that this process runs.
import { watch } from 'node:fs';
import { link, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { Text, TextOrNull } from '../model/plain-shapes.ts';
import { wrongUsage } from '../model/failure.ts';
import { Form, type FormQuestion, FormValues, readForm } from '../model/form.ts';
import { readAs } from '../model/json.ts';
import { digestOf } from '../store/digest.ts';
import { makeFolder } from '../store/make-folder.ts';
import { readSeals } from '../store/seal.ts';
import { readUserJson, writeUserJson } from '../store/small-file.ts';
import { hasCode, nullIfAbsent } from '../store/system-error.ts';
import { answersFolder } from './folders.ts';
import { sessionKey } from './inside-agent.ts';

/** A question that waits for an answer; `shown` is the digest of all that a person reads with it. */
const OpenForm = z.strictObject({ id: Text, shown: Text, form: Form });
export type OpenForm = z.infer<typeof OpenForm>;

const Left = z.strictObject({
  id: Text,
  shown: Text,
  values: FormValues,
  seal: Text,
});
type Left = z.infer<typeof Left>;

/** What became of an answer; `why` is null if it was taken. */
const Told = z.strictObject({ seal: Text, why: TextOrNull });

interface Place {
  readonly session: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** Offers a question until it is answered by a file with the user’s seal; tells what else was left, and why not. */
export async function awaitAnswer<Answer>(
  question: FormQuestion<Answer>,
  id: string,
  {
    signal,
    onOpen,
    tell,
    ...place
  }: Place & {
    readonly signal: AbortSignal;
    /** Called when it can be answered. */
    readonly onOpen: () => void;
    readonly tell: (text: string) => void;
  },
): Promise<Answer> {
  const files = filesOf(place);
  const offered = { id, shown: digestOf(question.form), form: question.form };
  await makeFolder(files.folder, { mode: 0o700 });
  await Promise.all([files.left, files.told].map((file) => rm(file, { force: true })));
  await writeUserJson(files.question, offered);
  onOpen();
  try {
    for await (const _ of changesIn(files.folder, signal)) {
      const text = await nullIfAbsent(readFile(files.left, 'utf8'));
      if (text === null) continue;
      await rm(files.left, { force: true });
      const left = readAs(Left, text);
      const why =
        left === null ? 'it is not in the form of an answer' : await faultIn(left, offered, place);
      const reading = why === null && left !== null ? readForm(question, left.values) : null;
      const refusal = reading !== null && 'refusal' in reading ? reading.refusal : why;
      await writeUserJson(files.told, { seal: left?.seal ?? '', why: refusal });
      if (reading !== null && 'answer' in reading) return reading.answer;
      tell(`An answer that was left in another terminal does not count: ${refusal}.`);
    }
    throw signal.reason;
  } finally {
    await rm(files.question, { force: true });
  }
}

/** Why an answer does not count; null if it does. */
async function faultIn(left: Left, offered: OpenForm, place: Place): Promise<string | null> {
  if (left.seal !== (await sealOf(left, place))) return 'it does not have your seal';
  if (left.id !== offered.id) return `it is for question ${left.id}, and ${offered.id} is open now`;
  return left.shown === offered.shown ? null : 'something else is shown now than was answered';
}

/** The question of a session that waits for an answer; null if there is none. */
export async function openQuestion(place: Place): Promise<OpenForm | null> {
  return await readUserJson(filesOf(place).question, OpenForm);
}

/**
 * Leaves an answer to an open question, and waits for what becomes of it: null if it was taken, else why not.
 * Throws `usage` if another answer is being read.
 */
export async function leaveAnswer(
  { id, shown }: OpenForm,
  values: FormValues,
  place: Place,
): Promise<string | null> {
  const files = filesOf(place);
  const seal = await sealOf({ id, shown, values }, place);
  if (seal === null)
    throw wrongUsage('Your data folder holds no key with which an answer could be sealed.');
  const temporary = join(files.folder, `${seal.slice(0, 16)}.new`);
  await writeUserJson(temporary, { id, shown, values, seal });
  try {
    await link(temporary, files.left);
  } catch (error) {
    if (!hasCode(error, ['EEXIST'])) throw error;
    throw wrongUsage(`Another answer to ${id} is being read.`);
  } finally {
    await rm(temporary, { force: true });
  }
  for await (const _ of changesIn(files.folder, AbortSignal.timeout(answerMs))) {
    // It is told before the question is put away, and thus read after that.
    const open = await openQuestion(place);
    const told = await readUserJson(files.told, Told);
    if (told?.seal === seal) return told.why;
    if (open === null) break;
  }
  await rm(files.left, { force: true });
  return 'the session does not wait for it any more';
}

const answerMs = 10_000;

function filesOf({ session, environment }: Place) {
  const folder = join(answersFolder(environment), session);
  const at = (name: string) => join(folder, `${name}.json`);
  return { folder, question: at('question'), left: at('answer'), told: at('told') };
}

/** The seal of an answer, by the user’s key; null without a key. */
async function sealOf(
  { id, shown, values }: Omit<Left, 'seal'>,
  { session, environment }: Place,
): Promise<string | null> {
  const key = await sessionKey(environment);
  const { seal } = readSeals([], { key, session: `${session} answer` });
  return seal?.(Buffer.from(JSON.stringify([id, shown, values]))) ?? null;
}

/** Yields at once, and after each change in a folder, until the signal is aborted. */
async function* changesIn(folder: string, signal: AbortSignal): AsyncGenerator<void> {
  let next = Promise.withResolvers<void>();
  const wake = () => next.resolve();
  const watcher = watch(folder, wake);
  signal.addEventListener('abort', wake, { once: true });
  try {
    while (!signal.aborted) {
      yield;
      await next.promise;
      next = Promise.withResolvers<void>();
    }
  } finally {
    signal.removeEventListener('abort', wake);
    watcher.close();
  }
}
