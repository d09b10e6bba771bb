import { Stopped } from '../model/failure.ts';
import { longestTask } from '../model/text-size.ts';

/** With what is trimmed from its ends. In bytes. */
const longestRead = 2 * longestTask;

/**
 * What a file or standard input has of a task text. Throws `usage` where that is far too much,
 * without reading the rest: it may have no end.
 */
export async function taskBytes(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of stream) {
    parts.push(part);
    length += part.length;
    if (length <= longestRead) continue;
    const message = `The task text has more than ${longestRead} bytes and at most ${longestTask} are taken; shorten it and name files for the rest.`;
    throw new Stopped({ reason: 'usage', message });
  }
  return Buffer.concat(parts);
}
