import { useApp } from 'ink';
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
  const tools = useMemo(
    (): TuiTools => ({
      store,
      ports: {
        ...ports,
        async editText(file) {
          const suspension = await suspendTerminal();
          try {
            return await ports.editText(file);
          } finally {
            await suspension.resume();
          }
        },
      },
    }),
    [store, ports, suspendTerminal],
  );
  return <ToolsProvider value={tools}>{children}</ToolsProvider>;
}
