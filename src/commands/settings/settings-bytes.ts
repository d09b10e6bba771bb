import { constants, type Stats } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { devNull } from 'node:os';
import { Stopped } from '../../model/failure.ts';
import { isAbsent, isSystemError } from '../../store/system-error.ts';

/** More than anybody writes. In bytes. */
const largest = 16 * 1024 * 1024;

/**
 * The content of a file that the user set up; null where there is none. Throws `config` for what
 * cannot be read: so it is with a pipe, which nobody may ever write to, and with what has no end.
 */
export async function settingsBytes(file: string): Promise<Buffer | null> {
  try {
    await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const fault = await faultOf(await handle.stat());
    if (fault !== null) throw unreadable(file, fault);
    return await handle.readFile();
  } catch (error) {
    if (isAbsent(error)) return null;
    if (!isSystemError(error)) throw error;
    throw unreadable(file, error.code);
  }
}

/** A folder is refused by the system; a file that leads to the null device is an empty one. */
async function faultOf(found: Stats): Promise<string | null> {
  if (found.isFIFO()) return 'it is a pipe';
  const isDevice = found.isCharacterDevice() || found.isBlockDevice();
  if (isDevice && (await stat(devNull)).rdev !== found.rdev) return 'it is a device';
  return found.isFile() && found.size > largest ? 'it has more than 16 MB' : null;
}

function unreadable(file: string, why: string): Stopped {
  return new Stopped({ reason: 'config', file, message: `the file cannot be read (${why}).` });
}
