import type { TuiPorts } from '../../faces/tui/ports.ts';
import type { Repository } from '../../git/repository.ts';
import { settingsTable } from '../../model/settings.ts';
import type { Settings } from '../settings/load-settings.ts';

/** Where a command works and under which settings. */
export interface Workplace {
  readonly root: string;
  readonly settings: Settings;
}

/**
 * The ports of the terminal UI. They are made before its first frame, so each loads what it needs
 * when it is first used.
 */
export function terminalPorts(from: {
  readonly workplace: Promise<Workplace>;
  /** Null until a session is open. */
  readonly repository: () => Repository | null;
}): TuiPorts {
  const root = async () => (await from.workplace).root;
  return {
    interrupt() {
      if (!process.emit('SIGINT')) process.kill(process.pid, 'SIGINT');
    },
    async notifies() {
      return (await from.workplace).settings.read(settingsTable.notify);
    },
    async earlierTasks() {
      return await (await lookups()).earlierTasks(await root());
    },
    async files() {
      return await (await lookups()).repositoryFiles(await root());
    },
    async agents(show) {
      await (await lookups()).probeAgents(await from.workplace, show);
    },
    async sessions() {
      return await (await lookups()).savedEntries(await root());
    },
    async removeSession(id) {
      const { removeSaved } = await import('../saved-session.ts');
      await removeSaved(await root(), id);
    },
    async codeAround(place) {
      return await (await lookups()).codeAround(from.repository(), place);
    },
    async openFile(place) {
      const { openFile } = await import('./terminal-editor.ts');
      return await openFile({ ...place, root: await root() }, process.env);
    },
    async editText(file) {
      const { editText } = await import('./terminal-editor.ts');
      return await editText(file, process.env);
    },
  };
}

async function lookups(): Promise<typeof import('./terminal-lookups.ts')> {
  return await import('./terminal-lookups.ts');
}
