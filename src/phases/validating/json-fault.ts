import { visit } from 'jsonc-parser';

/**
 * Where a text that `JSON.parse` refused stops being JSON, as the end of a sentence: `: line 3,
 * column 7`; empty if this finds no place. The messages of `JSON.parse` name one only for some faults.
 */
export function jsonFault(text: string): string {
  const places: string[] = [];
  const onError = (_code: number, _offset: number, _length: number, line: number, column: number) =>
    void places.push(`: line ${line + 1}, column ${column + 1}`);
  try {
    visit(text, { onError }, { disallowComments: true });
  } catch (error) {
    // It is nested deeper than the parser can follow.
    if (!(error instanceof RangeError)) throw error;
  }
  return places[0] ?? '';
}
