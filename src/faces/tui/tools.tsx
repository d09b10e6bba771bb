// Defines what every screen works with: state, ports, rows, the clipboard, the terminal for an editor or shell.
import { Box, Text, Transform, useApp, useCursor, useStdin, useStdout } from 'ink';
import { createContext, memo, type ReactNode, useContext, useMemo } from 'react';
import { cleanText } from '../../model/clean-text.ts';
import type { KeyboardState } from './keyboard.ts';
import type { TuiPorts } from './ports.ts';
import { cutTo, type Row, row, span, type Span, widthOf } from './screen-rows.ts';
import type { TuiState } from './screen-state.ts';
import { type Store, useStore } from './store.ts';
import { osc, type Paint, type Tone } from './theme.ts';

/** The tools of every screen. */
interface TuiTools {
  readonly store: Store<TuiState>;
  readonly keyboard: KeyboardState;
  /** The moment from which a question can be answered, by `performance.now()`; null before. */
  readonly answerableSince: (question: object) => Store<number | null>;
  readonly ports: TuiPorts;
  readonly paint: Paint;
  /** True if the terminal shows links. */
  readonly links: boolean;
}

interface TerminalTools extends TuiTools {
  /** Puts a text into the clipboard of the terminal (OSC 52). */
  copy(text: string): void;
  /** Shows a line above the keys; null removes it. */
  readonly say: (text: string | null, tone?: Tone) => void;
  /** Shows the run while a question waits. */
  readonly lookAtRun: () => void;
}

const Tools = createContext<TerminalTools | null>(null);

export function useTools(): TerminalTools {
  const tools = useContext(Tools);
  if (tools === null) throw new Error('a screen is drawn outside of the app');
  return tools;
}

export function useTui<Part>(part: (state: TuiState) => Part): Part {
  return useStore(useTools().store, part);
}

/**
 * Draws rows on the screen, each cut to the width. With `top`, the row of the screen where they begin, the cursor of
 * the terminal stands where text is typed, so that an input method shows there what is composed.
 */
export function Rows({
  rows,
  width,
  top,
}: {
  readonly rows: readonly Row[];
  readonly width: number;
  readonly top?: number | undefined;
}) {
  const { paint, links, ports } = useTools();
  const painted = ({ text, tone, file }: Span) => {
    const url = links && file !== undefined ? ports.fileUrl(file) : null;
    const linked = url === null ? text : `${osc(`8;;${url}`)}${text}${osc('8;;')}`;
    return paint(linked, tone);
  };
  const y = rows.findIndex((line) => line.some(isCursor));
  return (
    <Box flexDirection="column" flexShrink={0}>
      {top === undefined || y < 0 ? null : <Cursor x={cursorColumn(rows[y] ?? [])} y={top + y} />}
      {rows.map((line, index) => (
        <Line key={index} text={cutTo(line, width).map(painted).join('')} />
      ))}
    </Box>
  );
}

const isCursor = ({ tone }: Span) => tone === 'chosen';

/** The column of the cursor in a row. */
function cursorColumn(line: Row): number {
  return widthOf(line.slice(0, line.findIndex(isCursor)));
}

function Cursor({ x, y }: { readonly x: number; readonly y: number }) {
  useCursor().setCursorPosition({ x, y });
  return null;
}

// A row is already cut and clean: Ink measures one column instead, because measuring every row is slow.
const Line = memo(function Line({ text }: { readonly text: string }) {
  return (
    <Transform transform={() => text}>
      <Text> </Text>
    </Transform>
  );
});

export function TuiToolsProvider({
  store,
  keyboard,
  answerableSince,
  ports,
  paint,
  links,
  children,
}: TuiTools & { readonly children: ReactNode }) {
  const { suspendTerminal } = useApp();
  const { stdin } = useStdin();
  const { stdout } = useStdout();
  const tools = useMemo((): TerminalTools => {
    async function suspended<Result>(use: () => Promise<Result>): Promise<Result> {
      const suspension = await suspendTerminal();
      // Ink no longer listens, but Node would continue to read, and take keys away from the editor.
      stdin.pause();
      try {
        return await use();
      } finally {
        await suspension.resume();
      }
    }
    const openFile: TuiPorts['openFile'] = (place) => suspended(() => ports.openFile(place));
    const editText: TuiPorts['editText'] = (file) => suspended(() => ports.editText(file));
    const logIn: TuiPorts['logIn'] = (name) => suspended(() => ports.logIn(name));
    const suspend = () =>
      void suspended(async () => {
        // Node stops reading only after the current turn of the event loop.
        await new Promise(setImmediate);
        ports.suspend();
      });
    const say = (text: string | null, tone: Tone = 'warn') => {
      const notice = text === null ? null : row(span(text, tone));
      store.change((now) => (now.notice === notice ? now : { ...now, notice }));
    };
    const copy = (copied: string) => {
      const text = cleanText(copied);
      stdout.write(osc(`52;c;${Buffer.from(text).toString('base64')}`));
      say(`Copied: ${text}`, 'quiet');
    };
    const lookAtRun = () => store.change((now) => ({ ...now, besides: 'run' }));
    const withTerminal = { ...ports, openFile, editText, logIn, suspend };
    const shared = { store, keyboard, answerableSince, paint, links };
    return { ...shared, copy, say, lookAtRun, ports: withTerminal };
  }, [store, keyboard, answerableSince, ports, paint, links, stdin, stdout, suspendTerminal]);
  return <Tools value={tools}>{children}</Tools>;
}
