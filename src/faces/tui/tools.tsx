import { Box, Text, useApp, useStdin } from 'ink';
import { createContext, memo, type ReactNode, useContext, useMemo } from 'react';
import type { TuiPorts } from './ports.ts';
import { cutTo, type Row } from './rows.ts';
import type { TuiState } from './state.ts';
import { type Store, useStore } from './store.ts';
import type { Look, Tone } from './theme.ts';

/** What every screen works with. */
interface TuiTools {
  readonly store: Store<TuiState>;
  readonly ports: TuiPorts;
  readonly looks: Readonly<Record<Tone, Look>>;
}

const Tools = createContext<TuiTools | null>(null);

export function useTools(): TuiTools {
  const tools = useContext(Tools);
  if (tools === null) throw new Error('a screen is drawn outside of the app');
  return tools;
}

/** A part of the shared state. */
export function useTui<Part>(part: (state: TuiState) => Part): Part {
  return useStore(useTools().store, part);
}

/** Rows as they are on the screen, each cut to the width. */
export function Rows({ rows, width }: { readonly rows: readonly Row[]; readonly width: number }) {
  const { looks } = useTools();
  const painted = (line: Row) =>
    line.map(({ text, tone }) => looks[tone].begin + text + looks[tone].end).join('');
  return (
    <Box flexDirection="column" flexShrink={0}>
      {rows.map((line, index) => (
        <Line key={index} text={painted(cutTo(line, width))} />
      ))}
    </Box>
  );
}

// One text for each row, and none is drawn again that stays as it is: most rows do, most frames.
const Line = memo(function Line({ text }: { readonly text: string }) {
  return <Text wrap="truncate">{text === '' ? ' ' : text}</Text>;
});

/** Gives the tools to the screens; the editor of a person gets the terminal for as long as it runs. */
export function TuiToolsProvider({
  store,
  ports,
  looks,
  children,
}: TuiTools & { readonly children: ReactNode }) {
  const { suspendTerminal } = useApp();
  const { stdin } = useStdin();
  const tools = useMemo((): TuiTools => {
    async function suspended<Result>(edit: () => Promise<Result>): Promise<Result> {
      const suspension = await suspendTerminal();
      // Ink no longer listens, but Node would go on reading, and take keys from the editor.
      stdin.pause();
      try {
        return await edit();
      } finally {
        await suspension.resume();
      }
    }
    const openFile: TuiPorts['openFile'] = (place) => suspended(() => ports.openFile(place));
    const editText: TuiPorts['editText'] = (file) => suspended(() => ports.editText(file));
    return { store, looks, ports: { ...ports, openFile, editText } };
  }, [store, ports, looks, stdin, suspendTerminal]);
  return <Tools value={tools}>{children}</Tools>;
}
