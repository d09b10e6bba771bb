// Makes the entry of our MCP server for a host, and finds the file that it belongs in.
import { join } from 'node:path';
import { providers } from '../../agents/api/api-providers.ts';
import { adapters } from '../../agents/cli/list.ts';
import { wrongUsage } from '../../model/failure.ts';
import { suggestion } from '../../model/closest-name.ts';
import type { Settings } from '../settings/load-settings.ts';
import { type Host, hosts, type ServerCommand, serverName } from './host-list.ts';
import type { NamedEntry } from './host-text.ts';

export type HostScope = 'user' | 'project';

/** Throws `usage` for a name that no host has. */
export function hostOf(name: string): Host {
  const host = hosts[name];
  if (host !== undefined) return host;
  const names = Object.keys(hosts);
  const hint = suggestion(name, names, ` Known hosts: ${names.join(', ')}.`);
  throw wrongUsage(
    name === '' ? `Name a host: ${names.join(', ')}.` : `There is no host "${name}".${hint}`,
  );
}

/** Throws `usage` for a word that is not a scope. */
export function readScope(value = 'user'): HostScope {
  if (value === 'user' || value === 'project') return value;
  throw wrongUsage(`--scope: ${value} is neither user nor project.`);
}

/** Throws `usage` for a scope that the host does not have. */
export function entryFile(
  name: string,
  scope: HostScope,
  { root, environment }: { readonly root: string; readonly environment: NodeJS.ProcessEnv },
): string {
  const { projectFile, userFile } = hostOf(name);
  if (scope === 'user') return userFile(environment);
  if (projectFile !== null) return join(root, projectFile);
  throw wrongUsage(`--scope: ${name} reads its servers only from the file of the user.`);
}

export function serverEntry(
  name: string,
  {
    server,
    environment,
    keys = [],
  }: {
    readonly server: ServerCommand;
    readonly environment: NodeJS.ProcessEnv;
    /** The variables from `ownKeys`. */
    readonly keys?: readonly string[];
  },
): NamedEntry {
  const { syntax, section, entry } = hostOf(name);
  const value = entry({ ...server, variables: variablesToPass(environment, keys) });
  return { syntax, section, name: serverName, value };
}

/** The variables that hold keys of the user’s own agents. */
export function ownKeys({ agents }: Pick<Settings, 'agents'>): readonly string[] {
  return Object.values(agents).flatMap(({ api }) => api?.keyEnv ?? []);
}

// Keys are passed on by name only, never by value.
const always = ['CONCLAVE_INSIDE', 'CONCLAVE_RUN', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME'];
const ours = /^(?:CONCLAVE|XDG)_|_proxy$|^NODE_EXTRA_CA_CERTS$|^SSL_CERT_(?:FILE|DIR)$/i;

const ofProviders = Object.values(providers)
  .flatMap(({ keys, baseUrlVariable }) => [...keys, baseUrlVariable ?? []])
  .flat();

/** Names of variables that are set now and that our agents, the user’s agents or Conclave read. */
export function variablesToPass(
  environment: NodeJS.ProcessEnv,
  keys: readonly string[],
): readonly string[] {
  const patterns = [...adapters.flatMap(({ variables }) => variables), ...ofProviders, ...keys];
  const isRead = (name: string) =>
    ours.test(name) ||
    patterns.some((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : one === name));
  const now = Object.keys(environment).filter(isRead);
  return [...new Set([...always, ...now])].toSorted();
}
