// Runs `conclave install HOST`: installs Conclave as a package of a host, and removes it.
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { additionTo, makeChange, removalOf } from '../app/hosts/host-file.ts';
import {
  type HostPackage,
  hostPackages,
  installPackage,
  looseFiles,
  packageFolder,
  preparePackage,
  removeLooseFiles,
  removePackage,
  writeLooseFiles,
} from '../app/hosts/host-package.ts';
import { refuseAgents } from '../app/inside-agent.ts';
import { entryFile, hostOf, ownKeys, readScope, serverEntry } from '../app/hosts/server-entry.ts';
import { loadSettings } from '../app/settings/load-settings.ts';
import { wrongUsage } from '../model/failure.ts';
import { ownServer } from './mcp-install.ts';
import { confirm, printJson, printLines } from './output.ts';
import type { CommonOptions } from './program/shared-options.ts';

/** The longest time for all commands of a host together, in ms. */
const longest = 300_000;

/** Shows what it will do and asks, unless `-y` is given; `--print` does nothing else. */
export async function installCommand(name: string, options: CommonOptions): Promise<number> {
  hostOf(name);
  const hostPackage = hostPackages[name];
  const steps =
    hostPackage === undefined
      ? looseSteps(name, options)
      : packageSteps(name, hostPackage, options);
  const { told } = steps;
  if (options.print === true) {
    if (options.json) printJson({ host: name, steps: told });
    else printLines(...told);
    return 0;
  }
  if (!options.yes) {
    printLines(...told);
    if (!(await confirm('Do that?'))) {
      printLines('Nothing was changed.');
      return 2;
    }
  }
  await refuseAgents(options.environment);
  const done = await steps.run();
  if (options.json) printJson({ host: name, installed: options.remove !== true, done });
  else printLines(...done);
  return 0;
}

interface Steps {
  readonly told: readonly string[];
  /** Does the work, and says what was done. */
  readonly run: () => Promise<readonly string[]>;
}

function packageSteps(name: string, hostPackage: HostPackage, options: CommonOptions): Steps {
  const { environment, remove = false, root } = options;
  const scope = readScope(options.scope);
  if (!hostPackage.scopes.includes(scope)) {
    throw wrongUsage(`--scope: ${name} installs packages only for the user.`);
  }
  const folder = packageFolder(hostPackage.template, environment);
  const calls = remove ? hostPackage.remove(scope) : hostPackage.install(folder, scope);
  const lines = calls.map(({ args }) => `  ${[name, ...args].join(' ')}`);
  const signal = AbortSignal.timeout(longest);
  const host = { name, environment, signal, scope, root: realpathSync(root) };
  if (remove) {
    return {
      told: lines,
      async run() {
        const isRemoved = await removePackage(hostPackage, host);
        return [
          isRemoved
            ? `${name} no longer lists conclave.`
            : `${name} does not list conclave; nothing was changed.`,
        ];
      },
    };
  }
  return {
    told: [`Write the package into ${folder}, then:`, ...lines, ...hostPackage.notes(folder)],
    async run() {
      const keys = ownKeys(await loadSettings({ root, environment }));
      await preparePackage(hostPackage, ownServer(), { environment, keys });
      await installPackage(hostPackage, folder, host);
      const own = await standsAlone(name, options);
      return [`${name} lists conclave now.`, ...own, ...hostPackage.notes(folder)];
    },
  };
}

/** Warns if `mcp install` has put the server into the host’s file, too, so that the host starts it twice. */
async function standsAlone(name: string, { root, environment }: CommonOptions) {
  const file = entryFile(name, 'user', { root, environment });
  const entry = serverEntry(name, { server: ownServer(), environment });
  const change = await removalOf(file, entry, environment).catch(() => null);
  if (change === null) return [];
  return [
    `${file} has the server as well, so ${name} starts it twice; to take it out there: conclave mcp install ${name} --remove`,
  ];
}

function looseSteps(name: string, options: CommonOptions): Steps {
  const { root, environment, remove = false } = options;
  const scope = readScope(options.scope);
  const file = entryFile(name, scope, { root, environment });
  const folder = scope === 'user' ? dirname(file) : join(root, `.${name}`);
  const files = looseFiles(name) ?? {};
  const entry = serverEntry(name, { server: ownServer(), environment });
  const action = remove ? 'Remove' : 'Write';
  const told = [
    `${action} in ${folder}:`,
    ...Object.keys(files).map((path) => `  ${path}`),
    `and the server in ${file}. ${name} has no plan of its own to check; /conclave-critique is there for that.`,
  ];
  return {
    told,
    async run() {
      // A file that cannot be changed is refused before anything is written.
      const change = remove
        ? await removalOf(file, entry, environment)
        : await additionTo(file, entry, environment);
      const paths = remove
        ? await removeLooseFiles(folder, files, environment)
        : await writeLooseFiles(folder, files, environment);
      if (change !== null) await makeChange(change, environment);
      const all = change === null ? paths : [...paths, change.file];
      if (all.length === 0) return ['There was nothing to remove.'];
      return all.map((path) => `${remove ? 'Removed from' : 'Wrote'} ${path}`);
    },
  };
}
