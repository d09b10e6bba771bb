import { useApp } from 'ink';
import { type ReactNode, useMemo } from 'react';
import { ToolsProvider, type TuiTools } from './context.ts';

/** Gives the tools to the screens; the editor of a person gets the terminal for as long as it runs. */
export function TuiToolsProvider({ store, ports, children }: TuiTools & { readonly children: ReactNode }) {
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
