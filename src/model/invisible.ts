// Removes from a text the characters that a model reads and a person does not see.

/** A text without its invisible characters, and the number removed. */
export interface Visible {
  readonly text: string;
  readonly removed: number;
}

// Tags and variation selectors can carry whole sentences; direction marks change the order in which
// text is shown; zero-width characters split words. The joiners (200C, 200D) belong to some scripts
// and to emoji, so they are removed only next to ASCII.
const always =
  '\\u00ad\\u034f\\u061c\\u115f\\u1160\\u180e\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164' +
  '\\ufeff\\uffa0\\ufff9-\\ufffb\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}';
const joiners = '[\\u200c\\u200d]';
const ascii = '[\\u0000-\\u007f]';

const invisible = new RegExp(
  `[${always}]|(?<=^|${ascii})${joiners}|${joiners}(?=${ascii}|$)`,
  'gu',
);
const suspicious = new RegExp(`[${always}\\u200c\\u200d]`, 'u');

/** Removes invisible characters. Text without any comes back unchanged; line numbers stay the same. */
export function withoutInvisible(text: string): Visible {
  if (!suspicious.test(text)) return { text, removed: 0 };
  let removed = 0;
  const visible = text.replace(invisible, (one) => {
    removed += Array.from(one).length;
    return '';
  });
  return { text: visible, removed };
}
