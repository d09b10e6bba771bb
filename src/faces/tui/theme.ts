// Lists all colours and marks, and says which terminals show links.
import { styleText } from 'node:util';

/** The meaning of a piece of text, never its look, which is decided only here. */
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

/** The meaning of a line of a diff. */
export function diffTone(line: string): Tone {
  if (line.startsWith('+')) return 'good';
  if (line.startsWith('-')) return 'bad';
  return line.startsWith('@@') ? 'accent' : 'quiet';
}

/** Formats a text for the terminal. */
export type Paint = (text: string, tone: Tone) => string;

type Looks = Readonly<Record<Tone, Parameters<typeof styleText>[0]>>;

const coloured: Looks = {
  plain: [],
  quiet: 'dim',
  strong: 'bold',
  accent: 'cyan',
  good: 'green',
  warn: 'yellow',
  bad: 'red',
  chosen: 'inverse',
  key: ['cyan', 'bold'],
};

// Wherever a colour matters, a mark or a word says the same.
const colourless: Looks = {
  ...coloured,
  accent: 'bold',
  good: [],
  warn: 'bold',
  bad: 'bold',
  key: 'bold',
};

/** Chooses the paint; without colours if the user set `NO_COLOR`, or `FORCE_COLOR` to 0. */
export function paintFor({
  NO_COLOR: refused = '',
  FORCE_COLOR: forced,
}: NodeJS.ProcessEnv): Paint {
  const looks = refused === '' && !/^(?:0|false)$/.test(forced ?? '') ? coloured : colourless;
  // The terminal UI draws only on a terminal, so no stream has to be checked.
  return (text, tone) => styleText(looks[tone], text, { validateStream: false });
}

/** A terminal command that does not move the cursor. */
export function osc(command: string): string {
  return `\u001b]${command}\u0007`;
}

/** True if the terminal is known to show links (OSC 8). */
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

/** Marks that repeat what colours say. */
export const marks = {
  done: '✓',
  now: '●',
  later: '○',
  failed: '✗',
  waiting: '…',
  chosen: '▸',
  comment: '"',
  planned: '○',
  moved: '→',
  warning: '!',
  bullet: '•',
  closed: '+',
  opened: '−',
} as const;
