import { styleText } from 'node:util';

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

/** What is written before and after a text so that it looks like this. */
export interface Look {
  readonly begin: string;
  readonly end: string;
}

const coloured: Readonly<Record<Tone, Look>> = {
  plain: { begin: '', end: '' },
  quiet: look('dim'),
  strong: look('bold'),
  accent: look('cyan'),
  good: look('green'),
  warn: look('yellow'),
  bad: look('red'),
  chosen: look('inverse'),
  key: look('cyan', 'bold'),
};

// What colour says is also said by a mark or a word wherever it matters.
const colourless: Readonly<Record<Tone, Look>> = {
  ...coloured,
  accent: look('bold'),
  good: coloured.plain,
  warn: look('bold'),
  bad: look('bold'),
  key: look('bold'),
};

/** The looks of a terminal; without colours where the user set `NO_COLOR`. */
export function themeFor(environment: {
  readonly NO_COLOR?: string | undefined;
}): Readonly<Record<Tone, Look>> {
  return (environment.NO_COLOR ?? '') === '' ? coloured : colourless;
}

/** Whether the terminal shows links (OSC 8): only those that are known to. */
export function showsLinks(environment: NodeJS.ProcessEnv): boolean {
  const { TERM, TERM_PROGRAM, TMUX, VTE_VERSION, WT_SESSION } = environment;
  if (TMUX !== undefined || /^(?:screen|tmux)/.test(TERM ?? '')) return false;
  return (
    ['ghostty', 'iTerm.app', 'vscode', 'WezTerm'].includes(TERM_PROGRAM ?? '') ||
    ['alacritty', 'foot', 'xterm-ghostty', 'xterm-kitty'].includes(TERM ?? '') ||
    Number(VTE_VERSION ?? 0) > 5000 ||
    WT_SESSION !== undefined
  );
}

// The terminal UI draws on a terminal alone, so no stream need be asked whether it is one.
function look(...formats: Parameters<typeof styleText>[0][]): Look {
  const [begin = '', end = ''] = styleText(formats.flat(), ' ', { validateStream: false }).split(
    ' ',
  );
  return { begin, end };
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
