import type { TextProps } from 'ink';

/** What a piece of text is, never how it looks: the look is decided here and nowhere else. */
export type Tone =
  | 'plain'
  | 'quiet'
  | 'strong'
  | 'accent'
  | 'good'
  | 'warn'
  | 'bad'
  | 'chosen'
  | 'key';

export type Look = Pick<TextProps, 'color' | 'bold' | 'dimColor' | 'inverse' | 'underline'>;

const coloured: Readonly<Record<Tone, Look>> = {
  plain: {},
  quiet: { dimColor: true },
  strong: { bold: true },
  accent: { color: 'cyan' },
  good: { color: 'green' },
  warn: { color: 'yellow' },
  bad: { color: 'red' },
  chosen: { inverse: true },
  key: { color: 'cyan', bold: true },
};

// What colour says is also said by a mark or a word wherever it matters.
const colourless: Readonly<Record<Tone, Look>> = {
  ...coloured,
  accent: { bold: true },
  good: {},
  warn: { bold: true },
  bad: { bold: true },
  key: { bold: true },
};

/** The looks of a terminal; without colours where the user set `NO_COLOR`. */
export function themeFor(environment: {
  readonly NO_COLOR?: string | undefined;
}): Readonly<Record<Tone, Look>> {
  return (environment.NO_COLOR ?? '') === '' ? coloured : colourless;
}

/** Marks that stand beside what colours say. */
export const marks = {
  done: '✓',
  now: '●',
  later: '○',
  failed: '✗',
  waiting: '…',
  chosen: '▸',
  planned: '+',
  moved: '→',
  warning: '!',
  bullet: '•',
} as const;
