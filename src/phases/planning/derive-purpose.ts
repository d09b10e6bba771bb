import { oneLine } from '../../model/wording.ts';

/** In characters: what is wanted stands in the beginning, and the whole text in the package. */
const longest = 240;

/** The user’s task text on one line in quotes, for a task file that is read by itself. */
export function quotedTask(taskText: string): string {
  // White space may be most of it, so that more is looked at than is kept.
  const characters = Array.from(oneLine(taskText.slice(0, 20 * longest)));
  const isCut = characters.length > longest || taskText.length > 20 * longest;
  const kept = characters.slice(0, longest).join('').trimEnd();
  return `“${kept}${isCut ? '…' : ''}”`;
}
