// Removes from a text whatever could control a terminal.

/**
 * Makes text from outside safe to show on a terminal: without escape sequences (also cut-off
 * ones), control characters except line feed and tab, bidirectional overrides and invisible
 * characters. Lone surrogates become U+FFFD. Text that is already safe comes back unchanged.
 */
export function cleanText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return suspicious.test(whole) ? whole.replace(unsafe, '') : whole;
}

// Everything that a sequence can begin with, and everything that is removed on its own. Because all
// of it goes, no new sequence can arise from what is left.
const controls = '\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f';
// Direction marks, overrides and isolates; zero-width and filler characters; tags.
const invisible =
  '\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e' +
  '\\u2060-\\u206f\\u3164\\ufe00-\\ufe0e\\ufeff\\uffa0\\ufff0-\\ufffb\\u{1bca0}-\\u{1bca3}' +
  '\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}';

// A string (OSC, DCS, SOS, PM, APC) ends at BEL, ST or any other ESC. One that never ends is
// removed up to the end of its line, so that it cannot swallow the text below it.
const stringBody = '[^\\u0007\\u001b\\u009c\\n]*(?:\\u0007|\\u001b\\\\|\\u009c)?';
const sequences = [
  `(?:\\u001b[\\]PX^_]|[\\u0090\\u0098\\u009d-\\u009f])${stringBody}`,
  '(?:\\u001b\\[|\\u009b)[\\u0030-\\u003f]*[\\u0020-\\u002f]*[\\u0040-\\u007e]?',
  '\\u001b[\\u0020-\\u002f]*[\\u0030-\\u007e]?',
];

const suspicious = new RegExp(`[${controls}${invisible}]`, 'u');
const unsafe = new RegExp([...sequences, `[${controls}${invisible}]`].join('|'), 'gu');
