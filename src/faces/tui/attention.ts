// Rings, sets the title and notifies when an answer is needed and at the end.
import { cleanText } from '../../model/clean-text.ts';
import { shorten } from '../short-forms.ts';
import type { Progress } from './progress/progress.ts';
import type { TuiState } from './screen-state.ts';
import type { Store } from './store.ts';
import { osc } from './theme.ts';

/**
 * Keeps the terminal title up to date, and rings the bell with a notification (OSC 9) when an
 * answer is needed and at the end. Returns a function that restores the title.
 */
export function callAttention({
  store,
  out,
  wanted,
}: {
  readonly store: Store<TuiState>;
  readonly out: { write(text: string): unknown };
  /** True if the settings want it; nothing is written before they are known. */
  readonly wanted: Promise<boolean>;
}): () => void {
  let isOn = false;
  let title: string | null = null;
  let { stage, progress } = store.get();
  const look = () => {
    const now = store.get();
    const isNew =
      (now.stage !== stage && !silent.has(now.stage.kind)) ||
      (waitsForLogin(now.progress) && !waitsForLogin(progress));
    ({ stage, progress } = now);
    const text = titleOf(now);
    if (!isOn || text === null) return;
    if (text !== title) out.write(`${title === null ? saveTitle : ''}${osc(`2;${text}`)}`);
    title = text;
    if (isNew) out.write(`\u0007${osc(`9;${text}`)}`);
  };
  const stop = store.subscribe(look);
  void wanted.then((is) => {
    isOn = is;
    look();
  });
  return () => {
    stop();
    isOn = false;
    if (title !== null) out.write(`${osc('2;')}${restoreTitle}`);
  };
}

/** Stages without a call: all others ask a person, or show how the session ended. */
const silent: ReadonlySet<TuiState['stage']['kind']> = new Set(['start', 'sessions', 'run']);

function waitsForLogin({ panes }: Progress): boolean {
  return panes.some(({ login }) => login !== null);
}

const longestTitle = 80;

function titleOf({ stage, progress }: TuiState): string | null {
  const task = shorten(cleanText(progress.task), longestTitle);
  if (task === '') return null;
  if (stage.kind === 'end') return `conclave: ${progress.end?.end ?? 'ended'} – ${task}`;
  if (stage.kind === 'run' && waitsForLogin(progress)) {
    return `conclave: an agent needs a login – ${task}`;
  }
  return silent.has(stage.kind) ? `conclave: ${task}` : `conclave: needs your answer – ${task}`;
}

// Terminals that keep a stack of titles restore the old one; all others are left without a title.
const saveTitle = '\u001b[22;2t';
const restoreTitle = '\u001b[23;2t';
