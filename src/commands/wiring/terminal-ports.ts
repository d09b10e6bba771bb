import type { TuiPorts } from '../../faces/tui/ports.ts';
import type { Settings } from '../settings/load-settings.ts';

/** What a session at the terminal stands on. */
export interface Ground {
  readonly root: string;
  readonly settings: Settings;
}

/** The ports of the terminal UI; each loads what it needs when it is first used. */
export function terminalPorts(ground: () => Promise<Ground>): TuiPorts {
  return {
    interrupt() {
      if (!process.emit('SIGINT')) process.kill(process.pid, 'SIGINT');
    },
    earlierTasks: () => Promise.resolve([]),
    files: () => Promise.resolve([]),
    async agents() {
      const { agentReports } = await import('../agents.ts');
      const { settings, root } = await ground();
      return await agentReports(settings, root);
    },
    sessions: () => Promise.resolve([]),
    removeSession: () => Promise.resolve(),
    codeAround: () => Promise.resolve(null),
    editText: () => Promise.resolve(null),
  };
}
