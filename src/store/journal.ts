import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { Stopped } from '../model/failure.ts';
import { readIn } from './folder-files.ts';
import {
  encodeRecord,
  type JournalRecord,
  readJournalText,
  type JournalText,
} from './journal-record.ts';
import { inFolder, refuseOther } from './pinned-folder.ts';
import { folderPlace, type SessionFolder } from './session-folder.ts';
import { reading, writing } from './system-error.ts';

export { JournalRecord } from './journal-record.ts';

/** The record of a session: append-only, and the truth about it. */
export interface Journal {
  readonly session: string;
  /** Grows with each append. */
  readonly records: readonly JournalRecord[];
  /** What was repaired when it was opened. */
  readonly notes: readonly string[];
  /** Length of the file in bytes. */
  readonly bytes: number;
  /**
   * Writes one record with one `write`, one call after the other. By default `opened`,
   * `finished` and `voided` are on the disk when it resolves. Throws `cannot-write`; after that
   * the journal takes no more records.
   */
  append(record: JournalRecord, options?: { flush: boolean }): Promise<void>;
  close(): Promise<void>;
}

const fileName = 'journal.jsonl';
const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDWR } = constants;
// Without O_NONBLOCK a pipe that was put there would hold us for ever.
const openFlags = O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK;

/**
 * Opens the journal to go on with it (the caller holds the lock); a missing one is made. A torn
 * last line is cut off, so that the next record starts on its own line.
 * Throws `session-unreadable`, `newer-format`, `link-refused` or `cannot-write`.
 */
export async function openJournal(folder: SessionFolder): Promise<Journal> {
  const path = folder.absolute(fileName);
  return await writing(path, () =>
    inFolder(folderPlace(folder), async (pinned) => {
      await refuseOther(pinned.at(fileName), { session: folder.id, path });
      const file = await open(pinned.at(fileName), openFlags, 0o600);
      try {
        const all = await file.readFile();
        const text = readJournalText(all, folder.id);
        // Only then: a truncation to the same length would still change the time of the file.
        if (text.bytes < all.length) await cutOff(file, text.bytes);
        await pinned.flush();
        return new FileJournal({ file, path, text, session: folder.id });
      } catch (error) {
        await file.close();
        throw error;
      }
    }),
  );
}

/** The same without a lock and without a change, for lists; a missing journal has no records. */
export async function readJournal(folder: SessionFolder): Promise<JournalText> {
  const at = { session: folder.id, path: folder.absolute(fileName) };
  const text = await reading(at, async () => {
    const place = folderPlace(folder);
    await inFolder(place, (pinned) => refuseOther(pinned.at(fileName), at));
    return await readIn(place, fileName);
  });
  return readJournalText(text ?? Buffer.alloc(0), folder.id);
}

async function cutOff(file: FileHandle, bytes: number): Promise<void> {
  await file.truncate(bytes);
  await file.sync();
}

class FileJournal implements Journal {
  readonly session: string;
  readonly notes: readonly string[];
  readonly #file: FileHandle;
  readonly #path: string;
  readonly #records: JournalRecord[];
  #bytes: number;
  #last: Promise<void> = Promise.resolve();
  #failure: Stopped | null = null;
  #closed = false;

  constructor(from: { file: FileHandle; path: string; text: JournalText; session: string }) {
    this.session = from.session;
    this.notes = from.text.notes;
    this.#file = from.file;
    this.#path = from.path;
    this.#records = [...from.text.records];
    this.#bytes = from.text.bytes;
  }

  get records(): readonly JournalRecord[] {
    return this.#records;
  }

  get bytes(): number {
    return this.#bytes;
  }

  async append(record: JournalRecord, options?: { flush: boolean }): Promise<void> {
    if (this.#closed) throw new Error(`the journal of ${this.session} is closed`);
    const line = encodeRecord(record);
    const flush = options?.flush ?? flushed.has(record.type);
    const written = this.#last.then(() => this.#write({ record, line, flush }));
    // The next append waits for this one and fails on its own by `#failure`.
    this.#last = written.catch(() => undefined);
    await written;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#last;
    await this.#file.close();
  }

  async #write(entry: { record: JournalRecord; line: Buffer; flush: boolean }): Promise<void> {
    if (this.#failure !== null) throw this.#failure;
    try {
      await writing(this.#path, () => writeLine(this.#file, entry));
    } catch (error) {
      // What the file holds now is unknown: a part of the line would glue to the next one.
      if (error instanceof Stopped) this.#failure = error;
      throw error;
    }
    this.#records.push(entry.record);
    this.#bytes += entry.line.length;
  }
}

const flushed: ReadonlySet<JournalRecord['type']> = new Set(['opened', 'finished', 'voided']);

async function writeLine(
  file: FileHandle,
  { line, flush }: { line: Buffer; flush: boolean },
): Promise<void> {
  let { bytesWritten } = await file.write(line);
  // Only a full disk or a size limit splits it; the next call then names the reason.
  while (bytesWritten < line.length)
    bytesWritten += (await file.write(line, bytesWritten)).bytesWritten;
  if (flush) await file.datasync();
}
