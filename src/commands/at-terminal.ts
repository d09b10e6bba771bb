import { openTui } from '../faces/tui/open.tsx';
import { type Ground, terminalPorts } from './wiring/terminal-ports.ts';

/**
 * `conclave [TASK]` at a terminal. The first frame is there before flags and settings are read and
 * before any agent is looked for; what is wrong with them is said when the terminal is back.
 */
export async function plan(words: readonly string[], values: unknown): Promise<number> {
  const ground = once(async () => {
    const { planGround } = await import('./wiring/ground.ts');
    return await planGround(values);
  });
  return await atTerminal(ground, async (tui) => {
    const { planAt } = await import('./wiring/tui-session.ts');
    return await planAt({ tui, words, ground: await ground() });
  });
}

/** Opens the terminal UI, and gives the terminal back however the work in it ends. */
async function atTerminal(
  ground: () => Promise<Ground>,
  work: (tui: ReturnType<typeof openTui>) => Promise<number>,
): Promise<number> {
  const tui = openTui({ environment: process.env, ports: terminalPorts(ground) });
  try {
    return await Promise.race([work(tui), tui.failed]);
  } finally {
    await tui.close();
  }
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => (made ??= make());
}
