import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { Stopped } from '../../model/failure.ts';
import { isAbsent, isSystemError } from '../../store/system-error.ts';

/**
 * The content of a file that the user set up; null where there is none. Throws `config` for what
 * cannot be read, a pipe included, which nobody may ever write to.
 */
export async function settingsBytes(file: string): Promise<Buffer | null> {
  try {
    await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    if (await isPipe(handle)) throw unreadable(file, 'it is a pipe');
    return await handle.readFile();
  } catch (error) {
    if (isAbsent(error)) return null;
    if (!isSystemError(error)) throw error;
    throw unreadable(file, error.code);
  }
}

async function isPipe(handle: FileHandle): Promise<boolean> {
  return (await handle.stat()).isFIFO();
}

function unreadable(file: string, why: string): Stopped {
  return new Stopped({ reason: 'config', file, message: `the file cannot be read (${why}).` });
}
