import { type JSONVisitor, printParseErrorCode, visit } from 'jsonc-parser';

/** Where a text stops being JSON. Line and column count from 1, the column in UTF-16 units. */
export interface JsonFault {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/**
 * The first fault of a text that `JSON.parse` refused; null if this finds none. Needed because
 * the messages of `JSON.parse` name a place only for some faults.
 */
export function jsonFault(text: string): JsonFault | null {
  const faults: JsonFault[] = [];
  const visitor: JSONVisitor = {
    onError(code, _offset, _length, line, column) {
      const message = sentences[printParseErrorCode(code)] ?? 'this does not belong here';
      faults.push({ line: line + 1, column: column + 1, message });
    },
  };
  try {
    visit(text, visitor, { disallowComments: true });
  } catch (error) {
    // It is nested deeper than the parser can follow.
    if (!(error instanceof RangeError)) throw error;
  }
  return faults[0] ?? null;
}

const sentences: Readonly<Record<string, string>> = {
  PropertyNameExpected: 'a name in double quotes is expected here',
  ValueExpected: 'a value is expected here',
  ColonExpected: '":" is expected here',
  CommaExpected: '"," is expected here',
  CloseBraceExpected: '"}" is expected here',
  CloseBracketExpected: '"]" is expected here',
  EndOfFileExpected: 'the end of the text is expected here',
  InvalidCommentToken: 'JSON has no comments',
  UnexpectedEndOfString: 'this string does not end',
  InvalidCharacter: 'this string holds a character that must be escaped',
};
