import { useApp, useStdin } from 'ink';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { TuiPorts } from './ports.ts';
import type { TuiState } from './state.ts';
import { type Store, useStore } from './store.ts';

/** What every screen works with. */
interface TuiTools {
  readonly store: Store<TuiState>;
  readonly ports: TuiPorts;
}

const Tools = createContext<TuiTools | null>(null);

const ToolsProvider = Tools.Provider;

export function useTools(): TuiTools {
  const tools = useContext(Tools);
  if (tools === null) throw new Error('a screen is drawn outside of the app');
  return tools;
}

/** A part of the shared state. */
export function useTui<Part>(part: (state: TuiState) => Part): Part {
  return useStore(useTools().store, part);
}

/** Gives the tools to the screens; the editor of a person gets the terminal for as long as it runs. */
export function TuiToolsProvider({
  store,
  ports,
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
    return { store, ports: { ...ports, openFile, editText } };
  }, [store, ports, stdin, suspendTerminal]);
  return <ToolsProvider value={tools}>{children}</ToolsProvider>;
}
