import { type IPty, spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { program, type Rig } from './rig.ts';

/** The program in a terminal of its own: real keys go in, a real screen comes out. */
export interface Terminal {
  /** The lines as a person sees them, without trailing spaces. */
  screen(): string;
  /** Where the cursor is, from 0. */
  cursor(): { readonly x: number; readonly y: number };
  /** Everything that was written to the terminal, as it was. */
  bytes(): string;
  /** One key after the other; after Esc a moment passes, or it would be read as Alt. */
  press(...keys: readonly string[]): void;
  /** Types text as a person does, or pastes it where it has several lines. */
  type(text: string): void;
  resize(columns: number, rows: number): Promise<void>;
  /** Waits until the screen shows something; fails with the screen if it never does. */
  shows(expected: string | RegExp): Promise<string>;
  /** The terminal is closed under the program. */
  hangUp(): void;
  /** Waits until the program has ended; returns its exit code. */
  ended(): Promise<number>;
  readonly pty: IPty;
}

/** The same, ended by whoever opened it. */
export interface OpenTerminal extends Terminal {
  close(): Promise<void>;
}

export interface TerminalOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly environment?: Readonly<Record<string, string>>;
  /** Another program than `node` with ours: its arguments are given as they are. */
  readonly file?: string;
  /** How long the screen may take to show what is waited for, in ms. */
  readonly patience?: number;
}

/** Starts the program in a pty of 80 × 24 unless said otherwise. */
export function openTerminal(
  rig: Rig,
  args: readonly string[],
  { columns = 80, rows = 24, environment = {}, file, patience = 150_000 }: TerminalOptions = {},
): OpenTerminal {
  const [name, words] =
    file === undefined ? [process.execPath, [program, ...args]] : [file, [...args]];
  const pty = spawn(name, words, {
    cols: columns,
    rows,
    cwd: rig.repo,
    // NO_COLOR stays: what is on the screen must be clear without colours.
    env: { ...rig.environment, TERM: 'xterm-256color', ...environment },
  });
  const emulator = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  let written = '';
  // The emulator takes its time to read.
  let unread = 0;
  let code: number | null = null;
  let hungUp = false;
  pty.onData((data) => {
    written += data;
    unread += 1;
    emulator.write(data, () => {
      unread -= 1;
      seen = null;
    });
  });
  // Programs ask a terminal what it can do, and where its cursor is.
  emulator.onData((answer) => pty.write(answer));
  pty.onExit(({ exitCode }) => (code = exitCode));
  let seen: string | null = null;
  const screen = () => (seen ??= drawn());
  const drawn = () => {
    const { active } = emulator.buffer;
    const lines = Array.from(
      { length: emulator.rows },
      (_, index) => active.getLine(active.viewportY + index)?.translateToString(true) ?? '',
    );
    return lines.join('\n').trimEnd();
  };
  const isOver = () => code !== null && unread === 0;
  // A picture comes in pieces: as terminals do it, it counts from its end on.
  const isWhole = () => written.lastIndexOf(pictureEnd) >= written.lastIndexOf(pictureStart);
  const isSeen = () => unread === 0 && (isWhole() || isOver());
  const until = (isSo: () => boolean) => within(patience, isSo);
  let sent = Promise.resolve();
  const send = (bytes: string) => {
    sent = sent.then(async () => {
      if (code === null) pty.write(bytes);
      if (bytes === keyBytes['esc']) await new Promise((resolve) => setTimeout(resolve, 120));
    });
  };
  return {
    pty,
    screen,
    cursor: () => ({ x: emulator.buffer.active.cursorX, y: emulator.buffer.active.cursorY }),
    bytes: () => written,
    press(...keys) {
      for (const key of keys) send(keyBytes[key] ?? key);
    },
    type(text) {
      send(text.includes('\n') ? `\u001b[200~${text}\u001b[201~` : text);
    },
    async resize(wide, high) {
      pty.resize(wide, high);
      emulator.resize(wide, high);
      seen = null;
      await until(() => true);
    },
    async shows(expected) {
      const isShown = () =>
        typeof expected === 'string' ? screen().includes(expected) : expected.test(screen());
      const isThere = () => isSeen() && isShown();
      if (!(await until(() => isThere() || isOver())) || !isThere()) {
        throw new Error(`never showed ${String(expected)} but (exit ${code}):\n${screen()}`);
      }
      return screen();
    },
    hangUp() {
      // Not among the types: it closes the terminal's own end, as an emulator does that is closed.
      if (!('destroy' in pty) || typeof pty.destroy !== 'function') throw new Error('no destroy');
      hungUp = true;
      pty.destroy();
    },
    async ended() {
      if (!(await until(isOver))) throw new Error(`did not end:\n${screen()}`);
      return code ?? -1;
    },
    async close() {
      // As a terminal that is closed, so that the agents are ended, too.
      if (code === null && !hungUp) pty.kill('SIGHUP');
      if (!(await until(() => code !== null || hungUp))) pty.kill('SIGKILL');
      emulator.dispose();
    },
  };
}

/** Around a picture that belongs together, see “synchronized output”. */
const pictureStart = '\u001b[?2026h';
export const pictureEnd = '\u001b[?2026l';

const keyBytes: Readonly<Record<string, string>> = {
  enter: '\r',
  esc: '\u001b',
  tab: '\t',
  'shift+tab': '\u001b[Z',
  up: '\u001b[A',
  down: '\u001b[B',
  right: '\u001b[C',
  left: '\u001b[D',
  home: '\u001b[H',
  end: '\u001b[F',
  pageup: '\u001b[5~',
  pagedown: '\u001b[6~',
  backspace: '\u007f',
  delete: '\u001b[3~',
  space: ' ',
  'ctrl+c': '\u0003',
};

/** Looks every few ms: what a terminal shows has no event of its own. */
async function within(patience: number, isSo: () => boolean): Promise<boolean> {
  for (const deadline = Date.now() + patience; Date.now() < deadline;) {
    if (isSo()) return true;
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
  return isSo();
}
