// Stages files and journal lines of agents outside of the repository until their whole round has answered.
import { open, readFile, realpath, rm, rmdir, type FileHandle } from 'node:fs/promises';
import { filesIn } from './folder-files.ts';
import { type JournalText, readJournalText } from './journal-record.ts';
import type { SessionFolder } from './session-folder.ts';
import { isAbsent, isSystemError, guardRead, guardWrite } from './system-error.ts';
import { makeFolder } from './make-folder.ts';

/**
 * A folder outside of the repository for the answers of agents while others still work, so that
 * none finds the answer of another. Its paths are those of the session folder.
 */
export interface Staging {
  /** The absolute path. */
  readonly path: string;
  readonly folder: SessionFolder;
  /** Moves all its files into the session folder; does nothing if it is empty. */
  moveIn(): Promise<void>;
  /** Removes the folder; keeps it if an interrupted round is still in it. */
  close(): Promise<void>;
}

/** The only folder in the staging; the journal has its own file there. */
const rounds = 'rounds';

/**
 * Makes the staging folder of a session in `path`; null if that is impossible, or if it would still
 * lie in the repository.
 */
export async function openStaging(session: SessionFolder, path: string): Promise<Staging | null> {
  try {
    await makeFolder(path, { mode: 0o700 });
    const [real, own] = await Promise.all([realpath(path), realpath(session.path)]);
    const repository = own.slice(0, -session.relative.length);
    if (real.startsWith(repository)) {
      await removeEmpty(path);
      return null;
    }
  } catch (error) {
    if (isSystemError(error)) return null;
    throw error;
  }
  const { id, relative } = session;
  const folder = { ...filesIn({ root: path, existing: [] }, id), id, path, relative };
  return {
    path,
    folder,
    async moveIn() {
      const files = await folder.listFiles(rounds);
      const contents = await Promise.all(
        files.map(async (file) => ({ file, data: await folder.readBytes(file) })),
      );
      await session.writeAll(
        contents.flatMap(({ file, data }) => (data === null ? [] : { relative: file, data })),
      );
      await folder.remove(rounds);
    },
    close: () => removeEmpty(path),
  };
}

async function removeEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    // An interrupted round is still in it.
    if (!isSystemError(error)) throw error;
  }
}

/** Lines of a journal in a file outside of the session folder, until they are moved into the journal. */
export interface StagedLines {
  readonly lines: readonly Buffer[];
  append(line: Buffer, flush: boolean): Promise<void>;
  remove(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the staged lines to continue them; a torn last line is left out with a note. */
export async function openStagedLines(
  path: string,
  session: string,
): Promise<{ readonly staged: StagedLines } & Pick<JournalText, 'records' | 'notes'>> {
  const all = await guardRead({ session, path }, () => contentOf(path));
  const { records, notes, bytes } = readJournalText(all, session);
  const lines: Buffer[] = [];
  for (let start = 0; start < bytes; start = all.indexOf(0x0a, start) + 1) {
    lines.push(all.subarray(start, all.indexOf(0x0a, start) + 1));
  }
  return { staged: stagedLines(path, lines), records, notes };
}

/** Counts the lines that the journal took in before that was interrupted. */
export function countTakenLines(journal: Buffer, { lines }: StagedLines): number {
  for (let count = lines.length; count > 0; count -= 1) {
    const taken = Buffer.concat(lines.slice(0, count));
    if (taken.equals(journal.subarray(Math.max(0, journal.length - taken.length)))) return count;
  }
  return 0;
}

/** Writes with one `write`, unless a full disk or a size limit splits it. */
export async function writeLine(
  file: FileHandle,
  { line, flush }: { line: Buffer; flush: boolean },
): Promise<void> {
  let { bytesWritten } = await file.write(line);
  // If nothing more fits, the next call reports the reason.
  while (bytesWritten < line.length)
    bytesWritten += (await file.write(line, bytesWritten)).bytesWritten;
  if (flush) await file.datasync();
}

function stagedLines(path: string, lines: Buffer[]): StagedLines {
  let file: FileHandle | null = null;
  const opened = async (): Promise<FileHandle> => {
    const handle = await open(path, 'a', 0o600);
    await handle.truncate(lines.reduce((sum, { length }) => sum + length, 0));
    return handle;
  };
  const close = async (): Promise<void> => {
    await file?.close();
    file = null;
  };
  return {
    lines,
    append: (line, flush) =>
      guardWrite(path, async () => {
        file ??= await opened();
        await writeLine(file, { line, flush });
        lines.push(line);
      }),
    remove: () =>
      guardWrite(path, async () => {
        await close();
        await rm(path, { force: true });
        lines.length = 0;
      }),
    close,
  };
}

async function contentOf(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    if (isAbsent(error)) return Buffer.alloc(0);
    throw error;
  }
}
