// Takes out of a text the characters that a model reads and a person does not see.

/** A text without its invisible characters, and how many they were. */
export interface Visible {
  readonly text: string;
  readonly removed: number;
}

// Tags and further selectors can carry whole sentences; marks of direction show text in another
// order than it has; characters of no width split words. The joiners (200C, 200D) belong to some
// scripts and to emoji, so they go only where a neighbour is ASCII.
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

/** Text without any comes back unchanged; lines stay where they are. */
export function withoutInvisible(text: string): Visible {
  if (!suspicious.test(text)) return { text, removed: 0 };
  let removed = 0;
  const visible = text.replace(invisible, (one) => {
    removed += Array.from(one).length;
    return '';
  });
  return { text: visible, removed };
}
