import { open, readFile, rm, type FileHandle } from 'node:fs/promises';
import { type JournalRecord, readJournalText } from './journal-record.ts';
import { isAbsent, writing } from './system-error.ts';

/** Lines of a journal in a file outside of the session folder, until the journal takes them in. */
export interface ApartLines {
  readonly lines: readonly Buffer[];
  append(line: Buffer, flush: boolean): Promise<void>;
  remove(): Promise<void>;
  close(): Promise<void>;
}

/** Opens them to go on; a torn last line is left out. */
export async function openApart(
  path: string,
  session: string,
): Promise<{ readonly apart: ApartLines; readonly records: readonly JournalRecord[] }> {
  const all = await contentOf(path);
  const { records, bytes } = readJournalText(all, session);
  const lines: Buffer[] = [];
  for (let start = 0; start < bytes; start = all.indexOf(0x0a, start) + 1) {
    lines.push(all.subarray(start, all.indexOf(0x0a, start) + 1));
  }
  return { apart: apartLines(path, lines), records };
}

/** How many of the lines the journal took in before it was interrupted at that. */
export function takenIn(journal: Buffer, { lines }: ApartLines): number {
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
  // The next call names the reason.
  while (bytesWritten < line.length)
    bytesWritten += (await file.write(line, bytesWritten)).bytesWritten;
  if (flush) await file.datasync();
}

function apartLines(path: string, lines: Buffer[]): ApartLines {
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
      writing(path, async () => {
        file ??= await opened();
        await writeLine(file, { line, flush });
        lines.push(line);
      }),
    remove: () =>
      writing(path, async () => {
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
