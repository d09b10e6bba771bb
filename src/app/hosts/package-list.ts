// Lists the packages of Conclave for hosts, with each host's own commands to install, list and remove one.
import { join } from 'node:path';
import { isObject, jsonIn } from '../../model/json.ts';
import type { HostScope } from './server-entry.ts';

/** Arguments for a host’s own program, with its standard input. */
export interface HostCall {
  readonly args: readonly string[];
  readonly input?: string;
}

/** The people for whom a package is installed: the user, or everyone who works in a project. */
export interface PackageScope {
  readonly scope: HostScope;
  /** The project’s folder, with all links resolved. */
  readonly root: string;
}

/** A package that a host installs with its own commands. */
export interface HostPackage {
  /** The vendor of its model, which does not examine its own plans; null if it carries several. */
  readonly vendor: string | null;
  /** A folder in `templates/hosts`. */
  readonly template: string;
  /** The folder of the skills inside it. */
  readonly skills: string;
  /** The scopes that it knows, `user` first. */
  readonly scopes: readonly HostScope[];
  readonly install: (folder: string, scope: HostScope) => readonly HostCall[];
  readonly remove: (scope: HostScope) => readonly HostCall[];
  readonly list: readonly string[];
  readonly isListed: (output: string, place: PackageScope) => boolean;
  /** Things to know before or after the installation, one sentence each. */
  readonly notes: (folder: string) => readonly string[];
}

const plugin = 'conclave@conclave';
const forUser = { scopes: ['user'] } as const;
const shared = { template: 'package', skills: 'plugin/skills' };
const forgetFolder: HostCall = { args: ['plugin', 'marketplace', 'remove', 'conclave'] };

export const hostPackages: Readonly<Record<string, HostPackage>> = {
  claude: {
    ...shared,
    vendor: 'anthropic',
    scopes: ['user', 'project'],
    // Only the user’s settings know the folder of the package; a project only says that it is enabled.
    install: (folder, scope) => [
      { args: ['plugin', 'marketplace', 'add', folder] },
      { args: ['plugin', 'install', plugin, '--scope', scope] },
    ],
    remove: (scope) => [
      { args: ['plugin', 'uninstall', plugin, '--scope', scope] },
      ...(scope === 'user' ? [forgetFolder] : []),
    ],
    list: ['plugin', 'list', '--json'],
    isListed: (output, { scope, root }) =>
      entriesIn(jsonIn(output)).some(
        (one) =>
          one['id'] === plugin &&
          one['scope'] === scope &&
          (scope === 'user' || one['projectPath'] === root),
      ),
    notes: () => [],
  },
  codex: {
    ...shared,
    ...forUser,
    vendor: 'openai',
    install: (folder) => [
      { args: ['plugin', 'marketplace', 'add', folder] },
      { args: ['plugin', 'add', plugin, '--json'] },
    ],
    remove: () => [{ args: ['plugin', 'remove', plugin] }, forgetFolder],
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
    ...forUser,
    // Despite these flags, it asks for trust in the folder; without a yes, it ends with 0 and installs nothing.
    install: (folder) => [
      { args: ['extensions', 'install', folder, '--consent', '--skip-settings'], input: 'y\n' },
    ],
    remove: () => [{ args: ['extensions', 'uninstall', 'conclave'] }],
    list: ['extensions', 'list'],
    isListed: (output) => /^\W*conclave \(/m.test(output),
    notes: (folder) => [
      `gemini asks whether it may trust ${folder}; conclave answers yes, and gemini keeps that in its trustedFolders.json.`,
    ],
  },
  copilot: {
    ...shared,
    ...forUser,
    vendor: null,
    install: (folder) => [
      { args: ['plugin', 'marketplace', 'add', folder] },
      { args: ['plugin', 'install', plugin] },
    ],
    remove: () => [{ args: ['plugin', 'uninstall', plugin] }, forgetFolder],
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

/** Files that a host without packages reads from its settings folder, by their path in it. */
export function looseFiles(name: string): Readonly<Record<string, string>> | null {
  if (name in hostPackages) return null;
  const skill = join('skills', 'plan-with-conclave', 'SKILL.md');
  return {
    'commands/conclave-plan.md': join(name, 'commands/conclave-plan.md'),
    'commands/conclave-critique.md': join(name, 'commands/conclave-critique.md'),
    [skill]: skill,
  };
}
