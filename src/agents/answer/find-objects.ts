// Finds what may be a JSON object in a text: fenced blocks and balanced braces.

/**
 * The contents of the fenced blocks of a text, in order; one that never closes ends with the text.
 * Only a fence at the start of a line counts; the rest of an opening line names the language.
 */
export function fencedBlocks(text: string): readonly string[] {
  return text
    .split(/^[ \t]{0,11}```+/m)
    .filter((_, index) => index % 2 === 1)
    .map((block) => block.slice(block.indexOf('\n') + 1));
}

/** A range of a text that may be a JSON object; `end` is exclusive. */
interface JsonSpan {
  readonly start: number;
  readonly end: number;
  /** False where the text ended before the object did. */
  readonly closed: boolean;
}

/** Deeper nesting is refused: every later reader of the value is recursive. */
export const maxDepth = 200;

/**
 * The top-level objects of a text in order, each character read a bounded number of times.
 * Braces in strings do not count. A quotation mark ends a string only where JSON could go on, so
 * that unescaped inner quotes rarely derail the count. An object that never closes is the last
 * span: what follows its start is inside it.
 */
export function objectSpans(text: string): readonly JsonSpan[] {
  const spans: JsonSpan[] = [];
  for (let at = text.indexOf('{'); at !== -1;) {
    if (!looksLikeObject(text, at)) {
      at = text.indexOf('{', at + 1);
      continue;
    }
    const end = objectEnd(text, at);
    spans.push({ start: at, end: end ?? text.length, closed: end !== null });
    if (end === null) break;
    at = text.indexOf('{', end);
  }
  return spans;
}

/** The deepest nesting of brackets outside of strings, as a strict JSON reader would count it. */
export function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = strictStringEnd(text, at);
    else if (code === openBrace || code === openBracket) deepest = Math.max(deepest, (depth += 1));
    else if (code === closeBrace || code === closeBracket) depth -= 1;
  }
  return deepest;
}

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/** True for `{"`, `{'`, `{name:`, `{ }`, `{ /`: not for a brace in prose. */
function looksLikeObject(text: string, open: number): boolean {
  const next = skipSpace(text, open + 1);
  const first = text.charAt(next);
  if (first !== '' && '"\'“‘}/'.includes(first)) return true;
  return /^[A-Za-z_$][\w$]{0,63}\s{0,8}:/.test(text.slice(next, next + 80));
}

function objectEnd(text: string, open: number): number | null {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = looseStringEnd(text, at);
    } else if (code === openBrace) {
      depth += 1;
    } else if (code === closeBrace) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return null;
}

function looseStringEnd(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === backslash) at += 1;
    else if (code === quote) {
      const next = skipSpace(text, at + 1);
      if (next >= text.length || ',:}]'.includes(text.charAt(next))) return at;
      at = next - 1;
    }
  }
  return text.length;
}

function strictStringEnd(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === backslash) at += 1;
    else if (code === quote) return at;
  }
  return text.length;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
