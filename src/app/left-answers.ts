// Takes answers that the user leaves in another terminal for a session that this process runs.
import { link, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { wrongUsage } from '../model/failure.ts';
import { Form, type FormQuestion, FormValues, type Reading, readForm } from '../model/form.ts';
import { readAs } from '../model/json.ts';
import { Text } from '../model/plain-shapes.ts';
import { digestOf } from '../store/digest.ts';
import { readSeals } from '../store/seal.ts';
import { readUserJson, writeUserJson } from '../store/small-file.ts';
import { hasCode, nullIfAbsent } from '../store/system-error.ts';
import { answersFolder } from './folders.ts';
import { sessionKey } from './inside-agent.ts';

/** An answer that was left, with the user’s seal. */
const LeftAnswer = z.strictObject({ id: Text, values: FormValues, seal: Text });

/** A question that waits for an answer; its id is the digest of all that a person reads with it. */
const OpenForm = z.strictObject({
  id: Text,
  form: Form,
  /** The last answer that was refused, by its seal; null before the first. */
  refused: z.strictObject({ seal: Text, why: Text }).nullable(),
});
export type OpenForm = z.infer<typeof OpenForm>;

interface Place {
  readonly session: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** Offers a question until it is answered by a file with the user’s seal; tells what else was left, and why not. */
export async function awaitAnswer<Answer>(
  question: FormQuestion<Answer>,
  {
    signal,
    onOpen,
    tell,
    ...place
  }: Place & {
    readonly signal: AbortSignal;
    /** Called when it can be answered. */
    readonly onOpen: (id: string) => void;
    readonly tell: (text: string) => void;
  },
): Promise<Answer> {
  const files = filesOf(place);
  const { form } = question;
  const id = digestOf(form);
  const offer = async (refused: OpenForm['refused']) =>
    await writeUserJson(files.question, { id, form, refused });
  await rm(files.left, { force: true });
  await offer(null);
  onOpen(shortId(id));
  try {
    for (; !signal.aborted; await sleep(lookMs, null, { signal }).catch(() => null)) {
      const text = await nullIfAbsent(readFile(files.left, 'utf8'));
      if (text === null) continue;
      await rm(files.left, { force: true });
      const left = readAs(LeftAnswer, text);
      const reading = await readLeft(left, { question, id, place });
      if ('answer' in reading) return reading.answer;
      await offer({ seal: left?.seal ?? '', why: reading.refusal });
      tell(`An answer that was left in another terminal does not count: ${reading.refusal}`);
    }
    throw signal.reason;
  } finally {
    await rm(files.question, { force: true });
  }
}

/** The time between two looks for an answer, in ms. */
const lookMs = 500;

async function readLeft<Answer>(
  left: z.infer<typeof LeftAnswer> | null,
  open: {
    readonly question: FormQuestion<Answer>;
    readonly id: string;
    readonly place: Place;
  },
): Promise<Reading<Answer>> {
  if (left === null) return { refusal: 'it is not in the form of an answer.' };
  const { id, values, seal } = left;
  if (seal !== (await sealOf({ id, values }, open.place)))
    return { refusal: 'it does not have your seal.' };
  return id === open.id
    ? readForm(open.question, values)
    : { refusal: 'it is for an earlier question, or what is shown with it has changed since.' };
}

/** The beginning of a question’s id, which a person types. */
export function shortId(id: string): string {
  return id.slice(0, 8);
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
  id: string,
  values: FormValues,
  place: Place,
): Promise<string | null> {
  const files = filesOf(place);
  const seal = (await sealOf({ id, values }, place)) ?? '';
  const own = join(files.folder, `${seal.slice(0, 16)}.new`);
  await writeUserJson(own, { id, values, seal });
  try {
    await link(own, files.left);
  } catch (error) {
    if (!hasCode(error, ['EEXIST'])) throw error;
    throw wrongUsage('Another answer to this question is being read.');
  } finally {
    await rm(own, { force: true });
  }
  const end = AbortSignal.timeout(answerMs);
  for (; !end.aborted; await sleep(lookMs)) {
    const open = await openQuestion(place);
    if (open?.refused?.seal === seal) return open.refused.why;
    if (open === null) break;
  }
  // An answer that was read is gone.
  if ((await readUserJson(files.left, LeftAnswer))?.seal !== seal) return null;
  await rm(files.left, { force: true });
  return 'the session does not wait for it any more.';
}

const answerMs = 10_000;

function filesOf({ session, environment }: Place) {
  const folder = join(answersFolder(environment), session);
  return { folder, question: join(folder, 'question.json'), left: join(folder, 'answer.json') };
}

/** The seal of an answer, by the user’s key; null without a key, so that no answer has it. */
async function sealOf(answer: object, { session, environment }: Place): Promise<string | null> {
  const key = await sessionKey(environment);
  const { seal } = readSeals([], { key, session: `${session} answer` });
  return seal?.(Buffer.from(JSON.stringify(answer))) ?? null;
}
