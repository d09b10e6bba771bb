import { createContext, useContext } from 'react';
import type { TuiPorts } from './ports.ts';
import type { TuiState } from './state.ts';
import { type Store, useStore } from './store.ts';

/** What every screen works with. */
export interface TuiTools {
  readonly store: Store<TuiState>;
  readonly ports: TuiPorts;
}

const Tools = createContext<TuiTools | null>(null);

export const ToolsProvider = Tools.Provider;

export function useTools(): TuiTools {
  const tools = useContext(Tools);
  if (tools === null) throw new Error('a screen is drawn outside of the app');
  return tools;
}

/** A part of the shared state. */
export function useTui<Part>(part: (state: TuiState) => Part): Part {
  return useStore(useTools().store, part);
}
