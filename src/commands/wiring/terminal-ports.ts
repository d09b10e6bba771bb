import type { Repository } from '../../git/repository.ts';
import type { TuiPorts } from '../../faces/tui/ports.ts';
import type { Settings } from '../settings/load-settings.ts';

/** What a session at the terminal stands on. */
export interface Ground {
  readonly root: string;
  readonly settings: Settings;
}

/** The repository of the session that is open, at its base. */
export interface OpenRepository {
  current: Repository | null;
}

/** The ports of the terminal UI; each loads what it needs when it is first used. */
export function terminalPorts(from: {
  readonly ground: () => Promise<Ground>;
  readonly repository: OpenRepository;
}): TuiPorts {
  const { ground, repository } = from;
  return {
    interrupt() {
      if (!process.emit('SIGINT')) process.kill(process.pid, 'SIGINT');
    },
    async earlierTasks() {
      const { earlierTasks } = await import('./terminal-sessions.ts');
      return await earlierTasks((await ground()).root);
    },
    async files() {
      const { repositoryFiles } = await import('./terminal-files.ts');
      return await repositoryFiles((await ground()).root);
    },
    async agents(show) {
      const { probeAgents } = await import('./terminal-agents.ts');
      await probeAgents(await ground(), show);
    },
    async sessions() {
      const { savedEntries } = await import('./terminal-sessions.ts');
      return await savedEntries((await ground()).root);
    },
    async removeSession(id) {
      const { removeSaved } = await import('../sessions.ts');
      await removeSaved((await ground()).root, id);
    },
    async codeAround(place) {
      const { codeAround } = await import('./terminal-files.ts');
      return await codeAround(repository.current, place);
    },
    async editText(file) {
      const { editText } = await import('./terminal-editor.ts');
      return await editText(file, process.env);
    },
  };
}
