// Runs `conclave mcp install HOST`: adds our MCP server to the file of a host, and removes it again.
import { realpathSync } from 'node:fs';
import {
  additionTo,
  diffLines,
  type HostChange,
  makeChange,
  removalOf,
} from '../app/hosts/host-file.ts';
import type { ServerCommand } from '../app/hosts/host-list.ts';
import { entryText } from '../app/hosts/host-text.ts';
import { entryFile, hostOf, ownKeys, readScope, serverEntry } from '../app/hosts/server-entry.ts';
import { loadSettings } from '../app/settings/load-settings.ts';
import { confirm, printJson, printLines } from './output.ts';
import type { CommonOptions } from './program/shared-options.ts';

/** Shows the change and asks, unless `-y` is given; `--print` changes nothing. */
export async function mcpInstallCommand(name: string, options: CommonOptions): Promise<number> {
  const { environment, root, json, remove = false } = options;
  const { unattended } = hostOf(name);
  const file = entryFile(name, readScope(options.scope), { root, environment });
  const keys = remove ? [] : ownKeys(await loadSettings({ root, environment }));
  const entry = serverEntry(name, { server: ownServer(), environment, keys });
  if (options.print === true) {
    if (json) printJson({ host: name, file, text: entryText(entry) });
    else printLines(`Into ${file}:`, '', ...entryText(entry).trimEnd().split('\n'));
    return 0;
  }
  const change = remove
    ? await removalOf(file, entry, environment)
    : await additionTo(file, entry, environment);
  if (change === null) {
    const standing = remove ? 'The server is not in' : 'The server is already in';
    if (json) printJson({ host: name, file, changed: false, copy: null });
    else printLines(`${standing} ${file}; nothing was changed.`);
    return 0;
  }
  if (!(await agreesTo(change, options))) return 2;
  const copy = await makeChange(change, environment);
  if (json) {
    printJson({ host: name, file: change.file, changed: true, exact: change.isExact, copy });
    return 0;
  }
  printLines(...saidOf(change, copy));
  if (!remove) {
    printLines(
      `Restart ${name} to give it the tools of Conclave. Without a person: ${unattended}.`,
    );
  }
  return 0;
}

/** The command that starts exactly this program as a server. */
export function ownServer(): ServerCommand {
  const [, script = ''] = process.argv;
  return { command: process.execPath, args: [realpathSync(script), 'mcp'] };
}

async function agreesTo(change: HostChange, { json, yes }: CommonOptions): Promise<boolean> {
  if (!json) printLines(change.file, ...diffLines(change).map((line) => `  ${line}`));
  if (yes) return true;
  const isAgreed = await confirm(`Change ${change.file}?`);
  if (!isAgreed) printLines('Nothing was changed.');
  return isAgreed;
}

function saidOf({ file, after, before, isExact }: HostChange, copy: string | null): string[] {
  const action = after === null ? 'Removed' : before === null ? 'Made' : 'Changed';
  return [
    `${action} ${file}.${copy === null ? '' : ` A copy from before: ${copy}`}`,
    ...(isExact ? [] : ['The host has rewritten its file since, so only the entry was removed.']),
  ];
}
