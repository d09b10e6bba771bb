import { isDigit, kindAt, lowerCase, upperCase } from './letters.ts';
import { Log } from './log.ts';
import { isPlain } from './plain.ts';
import { signsAtOnce, signsOfNames } from './signs.ts';
import { Vocabulary } from './vocabulary.ts';

const hyphen: u8 = 45;
const lineFeed: u8 = 10;

/**
 * Adds the terms of each token of the plain lines: the tokens are those of `tokensIn`. False where
 * there are other lines.
 */
export function scanLines(text: usize, end: usize, words: Vocabulary, log: Log): bool {
  if (isPlain(text, end)) {
    scanPlain(text, end, words, log);
    return true;
  }
  for (let at = text; at < end;) {
    const next = lineEnd(at, end);
    if (isPlain(at, next)) scanPlain(at, next, words, log);
    at = next;
  }
  return false;
}

/** Whether there is a name of ASCII, of one word or more. */
export function isName(start: usize, end: usize): bool {
  for (let at = start; at < end; at++) if (load<u8>(at) > 127) return false;
  return start < end;
}

/** After the line feed. */
function lineEnd(text: usize, end: usize): usize {
  let at = text;
  while (at < end && load<u8>(at) != lineFeed) at++;
  return min(at + 1, end);
}

/** Adds the terms of each token of a plain text. */
export function scanPlain(text: usize, end: usize, words: Vocabulary, log: Log): void {
  let base = text;
  let signs = signsOfNames(base, end);
  for (;;) {
    while (signs == 0) {
      base += signsAtOnce;
      if (base >= end) return words.addWaiting(log);
      signs = signsOfNames(base, end);
    }
    const first = ctz(signs);
    const start = base + <usize>first;
    let last = first + ctz(~(signs >>> first));
    while (last == 64) {
      base += signsAtOnce;
      signs = signsOfNames(base, end);
      last = ctz(~signs);
    }
    let at = base + <usize>last;
    if (isDigit(start)) {
      signs = signs & (~0 << last);
      if (isNumber(start, at)) words.add(start, at, log);
      continue;
    }
    while (at + 1 < end && load<u8>(at) == hyphen && isLetter(at + 1)) at = afterName(at + 1, end);
    while (at - base >= signsAtOnce) {
      base += signsAtOnce;
      signs = signsOfNames(base, end);
    }
    signs = signs & (~0 << (<u64>(at - base)));
    words.add(start, at, log);
  }
}

function afterName(from: usize, end: usize): usize {
  let at = from;
  while (at < end && kindAt(at) != 0) at++;
  return at;
}

/** A letter, as opposed to `_` and `$`. */
function isLetter(at: usize): bool {
  const kind = kindAt(at);
  return kind == upperCase || kind == lowerCase;
}

/** Three to five digits, e.g. a status code or an issue. */
function isNumber(start: usize, end: usize): bool {
  if (end - start < 3 || end - start > 5) return false;
  for (let at = start; at < end; at++) if (!isDigit(at)) return false;
  return true;
}
