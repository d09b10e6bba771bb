// Opens the journal, appends to it and flushes it.
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { Stopped } from '../model/failure.ts';
import { type StagedLines, openStagedLines, countTakenLines, writeLine } from './staging.ts';
import {
  encodeSealed,
  type JournalRecord,
  readJournalText,
  unseal,
  unsealAll,
  type JournalText,
} from './journal-record.ts';
import { inFolder, refuseOther } from './pinned-folder.ts';
import { type Origin, readSeals, type Seal, type SealedJournal } from './seal.ts';
import { folderRoot, type SessionFolder } from './session-folder.ts';
import { guardRead, guardWrite } from './system-error.ts';

export { JournalRecord } from './journal-record.ts';

/** The record of a session: append-only, and the truth about it. */
export interface Journal {
  readonly session: string;
  /** Whose records these were when the journal was opened. */
  readonly origin: Origin;
  /** Grows with each append. */
  readonly records: readonly JournalRecord[];
  /** Repairs that were made when it was opened. */
  readonly notes: readonly string[];
  /** Length of the file in bytes. */
  readonly bytes: number;
  /**
   * Writes one record with one `write`, one call after the other. By default `opened`, `finished`
   * and `voided` are on the disk when it resolves. Throws `cannot-write`; after that the journal
   * accepts no more records. A record with `apart` goes into the other file; the next one without
   * it first brings all of those into the journal.
   */
  append(record: JournalRecord, options?: AppendOptions): Promise<void>;
  close(): Promise<void>;
}

interface AppendOptions {
  readonly flush?: boolean;
  readonly apart?: boolean;
}

const fileName = 'journal.jsonl';
const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDWR } = constants;
// Without O_NONBLOCK, opening a pipe that was put there would block forever.
const openFlags = O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK;

interface JournalOpening {
  /** The file for what is recorded apart; without it everything goes into the journal. */
  readonly apartPath?: string | undefined;
  /** The user’s key, which seals the records; without one they are not sealed. */
  readonly key?: Buffer | null;
  /** Continues a journal whoever wrote it: its next record is the user’s seal on all of it. */
  readonly adopts?: boolean;
}

/**
 * Opens the journal to continue it (the caller holds the lock); a missing one is made. A torn last
 * line is cut off, so that the next record starts on its own line. Throws `session-untrusted`,
 * `no-session-key`, `session-unreadable`, `other-format`, `link-refused` or `cannot-write`.
 */
export async function openJournal(
  folder: SessionFolder,
  { apartPath, key = null, adopts = false }: JournalOpening = {},
): Promise<Journal> {
  const path = folder.absolute(fileName);
  const other = apartPath === undefined ? null : await openStagedLines(apartPath, folder.id);
  return await guardWrite(path, () =>
    inFolder(folderRoot(folder), async (pinned) => {
      await refuseOther(pinned.at(fileName), { session: folder.id, path });
      const file = await open(pinned.at(fileName), openFlags, 0o600);
      try {
        const all = await file.readFile();
        const { text, good, sealed } = readAll(folder.id, all, key);
        if (sealed.origin === 'foreign' && !adopts) {
          throw foreignEnd(folder.id, whyForeign(key));
        }
        // Truncating to the same length would still change the time of the file.
        if (text.bytes < all.length) await cutOff(file, text.bytes);
        await pinned.flush();
        const journal = new FileJournal({ file, path, text, sealed, session: folder.id });
        if (other !== null) await journal.goOnWith(other, good);
        return journal;
      } catch (error) {
        await file.close();
        throw error;
      }
    }),
  );
}

/** Reads a journal for lists, without locking or changing it; a missing journal has no records. */
export async function readJournal(
  folder: SessionFolder,
  key: Buffer | null = null,
): Promise<JournalText & { readonly origin: Origin }> {
  const at = { session: folder.id, path: folder.absolute(fileName) };
  await guardRead(at, () =>
    inFolder(folderRoot(folder), (pinned) => refuseOther(pinned.at(fileName), at)),
  );
  const all = (await folder.readBytes(fileName)) ?? Buffer.alloc(0);
  const { text, sealed } = readAll(folder.id, all, key);
  return { ...text, origin: sealed.origin };
}

function readAll(session: string, all: Buffer, key: Buffer | null) {
  const text = ownText(all, session);
  const good = all.subarray(0, text.bytes);
  return { text, good, sealed: readSeals(unsealAll(good), { key, session }) };
}

/** Reads the text; throws `session-unreadable` if it is the journal of another session. */
function ownText(all: Buffer, session: string): JournalText {
  if (latest !== null && latest.session === session && latest.all.equals(all)) return latest.text;
  const text = readJournalText(all, session);
  const other = text.records.find((one) => one.type === 'opened' && one.session !== session);
  if (other?.type !== 'opened') {
    latest = { all, session, text };
    return text;
  }
  const message = `its journal.jsonl belongs to another session, ${other.session}; put back its own.`;
  throw new Stopped({ reason: 'session-unreadable', session, message });
}

/** The latest text that was read: a command reads the same journal several times, and it may be long. */
let latest: { readonly all: Buffer; readonly session: string; readonly text: JournalText } | null =
  null;

/** Refuses to continue the session of another user. */
export function foreignEnd(session: string, why: string): Stopped {
  return why === withoutKey
    ? new Stopped({ reason: 'no-session-key', session })
    : new Stopped({ reason: 'session-untrusted', session, why });
}

/** Says why the records of a journal are not known to be the user’s. */
export function whyForeign(key: Buffer | null): string {
  return key === null ? withoutKey : 'its journal does not have the seal of your key';
}

const withoutKey = 'you have no key to check its journal with';

async function cutOff(file: FileHandle, bytes: number): Promise<void> {
  await file.truncate(bytes);
  await file.sync();
}

class FileJournal implements Journal {
  readonly session: string;
  readonly origin: Origin;
  readonly notes: string[];
  readonly #file: FileHandle;
  readonly #path: string;
  readonly #records: JournalRecord[];
  readonly #seal: Seal | null;
  #bytes: number;
  #staged: StagedLines | null = null;
  #last: Promise<void> = Promise.resolve();
  #failure: Stopped | null = null;
  #closed = false;

  constructor(from: {
    file: FileHandle;
    path: string;
    text: JournalText;
    sealed: SealedJournal;
    session: string;
  }) {
    this.session = from.session;
    this.origin = from.sealed.origin;
    this.notes = [...from.text.notes];
    this.#seal = from.sealed.seal;
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

  /** Continues with what was staged apart, and finishes a move into the journal that was interrupted. */
  async goOnWith(other: Awaited<ReturnType<typeof openStagedLines>>, text: Buffer): Promise<void> {
    this.#staged = other.staged;
    this.notes.push(...other.notes);
    const taken = countTakenLines(text, other.staged);
    this.#records.push(...other.records.slice(taken));
    for (const line of other.staged.lines.slice(taken))
      this.#seal?.(unseal(line.subarray(0, -1)).body);
    if (taken > 0) await this.#takeIn(other.staged, taken);
  }

  async append(record: JournalRecord, options: AppendOptions = {}): Promise<void> {
    if (this.#closed) throw new Error(`the journal of ${this.session} is closed`);
    const line = encodeSealed(record, this.#seal);
    const { flush = flushed.has(record.type), apart = false } = options;
    const written = this.#last.then(() => this.#write({ record, line, flush, apart }));
    // The next append waits for this one and fails on its own by `#failure`.
    this.#last = written.catch(() => undefined);
    await written;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#last;
    await Promise.all([this.#file.close(), this.#staged?.close()]);
  }

  async #write(entry: Entry): Promise<void> {
    if (this.#failure !== null) throw this.#failure;
    const { record, line, flush } = entry;
    try {
      if (entry.apart && this.#staged !== null) {
        await this.#staged.append(line, flush);
        this.#records.push(record);
        return;
      }
      if (this.#staged !== null && this.#staged.lines.length > 0)
        await this.#takeIn(this.#staged, 0);
      await guardWrite(this.#path, () => writeLine(this.#file, entry));
    } catch (error) {
      // The file may now hold a part of the line, which would run into the next one.
      if (error instanceof Stopped) this.#failure = error;
      throw error;
    }
    this.#records.push(record);
    this.#bytes += line.length;
  }

  /** Moves the staged lines in, except the first `taken`, which the journal already has. */
  async #takeIn(apart: StagedLines, taken: number): Promise<void> {
    const line = Buffer.concat(apart.lines.slice(taken));
    await guardWrite(this.#path, () => writeLine(this.#file, { line, flush: true }));
    this.#bytes += line.length;
    await apart.remove();
  }
}

interface Entry {
  readonly record: JournalRecord;
  readonly line: Buffer;
  readonly flush: boolean;
  readonly apart: boolean;
}

const flushed: ReadonlySet<JournalRecord['type']> = new Set(['opened', 'finished', 'voided']);
