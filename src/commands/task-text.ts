// Takes the task text from words, a file or standard input.
import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { wrongUsage } from '../model/failure.ts';
import { longestTask } from '../model/text-size.ts';
import { isAbsent, isSystemError } from '../store/system-error.ts';

/** The task text from words or a file. Throws `usage`, also if both are given. */
export async function taskText(
  words: readonly string[],
  { taskFile }: { readonly taskFile?: string | undefined },
): Promise<string> {
  if (taskFile !== undefined && words.length > 0) {
    throw wrongUsage('--task-file and a task in words exclude each other; use one of them.');
  }
  const task = taskFile === undefined ? words.join(' ') : await fromFile(taskFile);
  return checkTask(task, 'conclave plan');
}

/** The time in which a task on standard input has to start, in ms: a pipe may be open without any. */
const longestSilence = 5_000;

/** The task text from standard input, if no other was given. Throws `usage` if none arrives. */
export async function readPipedTask(): Promise<string> {
  const { stdin } = process;
  const silence = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    silence.reject(
      wrongUsage(
        `No task was given, and none came on standard input within ${longestSilence / 1000} s; say what you want done, e.g. conclave plan "Add a --json flag".`,
      ),
    );
  }, longestSilence);
  stdin.once('data', () => clearTimeout(timer)).once('end', () => clearTimeout(timer));
  stdin.pause();
  try {
    const text = await Promise.race([fromFile('-'), silence.promise]);
    return checkTask(text, 'conclave plan');
  } finally {
    clearTimeout(timer);
  }
}

/** The text from words; a single `-` means standard input. Throws `usage` like `checkTask`. */
export async function wordsOrInput(words: readonly string[], command: string): Promise<string> {
  const given = words.join(' ');
  const text = given.trim() === '-' ? (await taskBytes(process.stdin)).toString('utf8') : given;
  return checkTask(text, command);
}

/** The trimmed text. Throws `usage` if nothing is left, or if it is longer than allowed. */
export function checkTask(text: string, command: string): string {
  const task = text.trim();
  if (task === '') {
    throw wrongUsage(
      command === 'conclave consult'
        ? `The question is empty; ask one, e.g. ${command} "Where are flags read?"`
        : `The task is empty; say what you want done, e.g. ${command} "Add a --json flag".`,
    );
  }
  const bytes = Buffer.byteLength(task);
  if (bytes > longestTask) {
    throw wrongUsage(
      `The task text has ${bytes} bytes, but at most ${longestTask} are allowed; shorten it, and name files for the rest.`,
    );
  }
  return task;
}

async function fromFile(path: string): Promise<string> {
  const bytes = path === '-' ? await taskBytes(process.stdin) : await bytesIn(path);
  if (isUtf8(bytes) && !bytes.includes(0)) return bytes.toString('utf8');
  const from = path === '-' ? 'standard input' : path;
  throw wrongUsage(
    `--task-file takes UTF-8 text, and ${from} is not; save it as UTF-8 or name another file.`,
  );
}

async function bytesIn(path: string): Promise<Buffer> {
  try {
    return await taskBytes(createReadStream(path));
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw wrongUsage(whyUnread(path, error));
  }
}

function whyUnread(path: string, error: NodeJS.ErrnoException): string {
  if (isAbsent(error)) return `--task-file: there is no file ${path}.`;
  if (error.code === 'EISDIR') return `--task-file: ${path} is a folder, not a file.`;
  return `--task-file: ${path} cannot be read (${error.code}).`;
}

/** The most bytes that are read, including the blanks that are trimmed. */
const longestRead = 2 * longestTask;

async function taskBytes(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const why = `The task text has more than ${longestRead} bytes, but at most ${longestTask} are allowed; shorten it, and name files for the rest.`;
  return await bytesWithin(stream, { most: longestRead, why });
}

/** The bytes of a stream. Throws `usage` if there are too many, without reading the rest, which may have no end. */
export async function bytesWithin(
  stream: AsyncIterable<Buffer>,
  { most, why }: { readonly most: number; readonly why: string },
): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of stream) {
    parts.push(part);
    length += part.length;
    if (length > most) throw wrongUsage(why);
  }
  return Buffer.concat(parts);
}
