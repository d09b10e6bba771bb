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
  const fault = scan(text);
  if (fault === null) return null;
  const before = text.slice(0, fault.at).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1, message: fault.message };
}

type Expected = 'value' | 'first value or ]' | 'key' | 'first key or }' | ':' | ', or end';

interface Scan {
  readonly text: string;
  at: number;
  expected: Expected;
  /** The closing brackets that are still owed. */
  readonly open: ('}' | ']')[];
}

function scan(text: string): { readonly at: number; readonly message: string } | null {
  const state: Scan = { text, at: 0, expected: 'value', open: [] };
  for (;;) {
    state.at = endOf(/[ \t\n\r]*/y, state);
    const done = state.expected === ', or end' && state.open.length === 0;
    if (state.at >= text.length) {
      return done
        ? null
        : { at: state.at, message: `the text ends where ${wanted(state)} is expected` };
    }
    if (!advance(state)) return { at: state.at, message: `${wanted(state)} is expected here` };
  }
}

const inWords: Readonly<Record<Expected, string>> = {
  value: 'a value',
  'first value or ]': 'a value or "]"',
  key: 'a name in double quotes',
  'first key or }': 'a name in double quotes or "}"',
  ':': '":"',
  ', or end': '","',
};

function wanted({ expected, open }: Scan): string {
  if (expected !== ', or end') return inWords[expected];
  const owed = open.at(-1);
  return owed === undefined ? 'the end of the text' : `"," or "${owed}"`;
}

const closable: readonly Expected[] = ['first value or ]', 'first key or }', ', or end'];

/** Takes one token; false where it does not fit. */
function advance(state: Scan): boolean {
  const { expected, open } = state;
  const sign = state.text.charAt(state.at);
  const owed = open.at(-1);
  if (sign === owed && closable.includes(expected)) return close(state);
  if (expected === ':') return sign === ':' && step(state, 'value');
  if (expected === 'key' || expected === 'first key or }') return take(string, state, ':');
  if (expected !== ', or end') return value(sign, state);
  return sign === ',' && owed !== undefined && step(state, owed === '}' ? 'key' : 'value');
}

function value(sign: string, state: Scan): boolean {
  if (sign === '{') {
    state.open.push('}');
    return step(state, 'first key or }');
  }
  if (sign === '[') {
    state.open.push(']');
    return step(state, 'first value or ]');
  }
  return take(sign === '"' ? string : plainValue, state, ', or end');
}

const characters = String.raw`[^"\\\u0000-\u001f]*`;
const escape = String.raw`\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})`;
const string = new RegExp(`"${characters}(?:${escape}${characters})*"`, 'y');
const plainValue = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;

function take(token: RegExp, state: Scan, next: Expected): boolean {
  const end = endOf(token, state);
  if (end === state.at) return false;
  state.at = end;
  state.expected = next;
  return true;
}

function step(state: Scan, next: Expected): true {
  state.at += 1;
  state.expected = next;
  return true;
}

function close(state: Scan): true {
  state.open.pop();
  return step(state, ', or end');
}

function endOf(token: RegExp, { text, at }: Scan): number {
  token.lastIndex = at;
  return token.test(text) ? token.lastIndex : at;
}
