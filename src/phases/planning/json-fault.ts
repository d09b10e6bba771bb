// Finds the place at which a text stops being JSON.
import { visit } from 'jsonc-parser';

/**
 * The end of a sentence about a text that `JSON.parse` refused: `: line 3, column 7`; empty if no place is
 * found. `JSON.parse` itself names a place only for some faults.
 */
export function jsonFault(text: string): string {
  const places: string[] = [];
  const onError = (_code: number, _offset: number, _length: number, line: number, column: number) =>
    void places.push(`: line ${line + 1}, column ${column + 1}`);
  try {
    visit(text, { onError }, { disallowComments: true });
  } catch (error) {
    // The text is nested deeper than the parser can follow.
    if (!(error instanceof RangeError)) throw error;
  }
  return places[0] ?? '';
}
