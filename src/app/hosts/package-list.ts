// Lists the packages of Conclave for hosts, with each host’s own commands to install, list and remove one.
import { join } from 'node:path';
import { isObject, jsonIn } from '../../model/json.ts';

/** Arguments of a host’s own program, with what it reads on standard input. */
export interface HostCall {
  readonly args: readonly string[];
  readonly input?: string;
}

/** A package that a host installs by its own commands. */
export interface HostPackage {
  /** Of its model, which examines no plan of its own; null where it carries several. */
  readonly vendor: string | null;
  /** A folder in `templates/hosts`. */
  readonly template: string;
  /** The place of the skills in it. */
  readonly skills: string;
  readonly install: (folder: string) => readonly HostCall[];
  readonly remove: readonly HostCall[];
  readonly list: readonly string[];
  readonly isListed: (output: string) => boolean;
  /** Things to know before or after; one sentence each. */
  readonly notes: (folder: string) => readonly string[];
}

const plugin = 'conclave@conclave';
const shared = { template: 'package', skills: 'plugin/skills' };

export const hostPackages: Readonly<Record<string, HostPackage>> = {
  claude: {
    ...shared,
    vendor: 'anthropic',
    install: (folder) => [
      { args: ['plugin', 'marketplace', 'add', folder] },
      { args: ['plugin', 'install', plugin] },
    ],
    remove: [
      { args: ['plugin', 'uninstall', plugin] },
      { args: ['plugin', 'marketplace', 'remove', 'conclave'] },
    ],
    list: ['plugin', 'list', '--json'],
    isListed: (output) => entriesIn(jsonIn(output)).some(({ id }) => id === plugin),
    notes: () => [],
  },
  codex: {
    ...shared,
    vendor: 'openai',
    install: (folder) => [
      { args: ['plugin', 'marketplace', 'add', folder] },
      { args: ['plugin', 'add', plugin, '--json'] },
    ],
    remove: [
      { args: ['plugin', 'remove', plugin] },
      { args: ['plugin', 'marketplace', 'remove', 'conclave'] },
    ],
    list: ['plugin', 'list', '--json'],
    isListed(output) {
      const all: unknown = jsonIn(output);
      const installed = isObject(all) ? all['installed'] : [];
      return entriesIn(installed).some(({ pluginId }) => pluginId === plugin);
    },
    notes: () => [
      'codex skips the check of its plans silently until you trust the hook in /hooks.',
    ],
  },
  gemini: {
    vendor: 'google',
    template: 'extension',
    skills: 'skills',
    // It asks for trust in the folder all the same, and else ends with 0 and installs nothing.
    install: (folder) => [
      { args: ['extensions', 'install', folder, '--consent', '--skip-settings'], input: 'y\n' },
    ],
    remove: [{ args: ['extensions', 'uninstall', 'conclave'] }],
    list: ['extensions', 'list'],
    isListed: (output) => /^\W*conclave \(/m.test(output),
    notes: (folder) => [
      `gemini asks whether it may trust ${folder}, which is answered with yes; that stays in its trustedFolders.json.`,
    ],
  },
  copilot: {
    ...shared,
    vendor: null,
    install: (folder) => [
      { args: ['plugin', 'marketplace', 'add', folder] },
      { args: ['plugin', 'install', plugin] },
    ],
    remove: [
      { args: ['plugin', 'uninstall', plugin] },
      { args: ['plugin', 'marketplace', 'remove', 'conclave'] },
    ],
    list: ['plugin', 'list', '--json'],
    isListed: (output) =>
      entriesIn(jsonIn(output)).some(
        ({ name, marketplace, enabled }) =>
          name === 'conclave' && marketplace === 'conclave' && enabled === true,
      ),
    notes: () => [],
  },
};

function entriesIn(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Files that a host without packages reads from its settings folder, by their place in it. */
export function looseFiles(name: string): Readonly<Record<string, string>> | null {
  if (name in hostPackages) return null;
  const skill = join('skills', 'plan-with-conclave', 'SKILL.md');
  return {
    'commands/conclave-plan.md': join(name, 'commands/conclave-plan.md'),
    'commands/conclave-critique.md': join(name, 'commands/conclave-critique.md'),
    [skill]: skill,
  };
}
