// Collects what the user configured for one API model: its address, its key, its limits.
import type { ProviderName } from '../../model/agent-settings.ts';
import { bytesWithin } from '../../model/text-size.ts';
import type { CliAgentSettings } from '../cli/cli-setup.ts';
import { type Provider, providers } from './api-providers.ts';

/** The settings of an agent that is a model behind an API. */
export interface ApiSettings {
  readonly provider: ProviderName;
  readonly model: string;
  /** The address as the user wrote it; by default the provider’s own. */
  readonly baseUrl?: string | undefined;
  /** The variable that holds the key, instead of the provider’s. */
  readonly keyEnv?: string | undefined;
  /** A program that prints the key. */
  readonly keyCommand?: readonly string[] | undefined;
  /** The tokens that the model accepts, prompt and answer together. */
  readonly contextTokens?: number | undefined;
  /** The prices that the user gave, by the name of the model. */
  readonly prices?: ReadonlyMap<string, Prices> | undefined;
}

/** Prices in US dollars per million tokens. */
export interface Prices {
  readonly input: number;
  readonly output: number;
  readonly cached?: number | undefined;
}

/** An API model as it is set up here. */
export interface ApiSetup {
  readonly name: string;
  readonly settings: CliAgentSettings;
  readonly api: ApiSettings;
  readonly environment: NodeJS.ProcessEnv;
}

export function providerOf({ api }: Pick<ApiSetup, 'api'>): Provider {
  return providers[api.provider];
}

type Reached = Pick<ApiSetup, 'api' | 'settings' | 'environment'>;

/** The address of a model. */
export interface Address {
  /** The address without a trailing slash and with a path, to which the SDK appends that of the request. */
  readonly address: string;
  /** The query after the path of each request, e.g. the `api-version` of Azure; may be empty. */
  readonly query: string;
  /** The setting or the variable that contains it. */
  readonly source: string;
  /** True if its path was missing. */
  readonly isShort: boolean;
}

/** The address that is used; it may be given with the path of a request, as in documentation. */
export function addressOf(setup: Reached): Address {
  const { baseUrl, baseUrlVariable: name, addsPath, path } = providerOf(setup);
  const own = setup.api.baseUrl;
  const gateway = { ...setup.environment, ...setup.settings.env }[name ?? '']?.trim() || null;
  const isGateway = own === undefined && gateway !== null;
  const [whole = '', query = ''] = (own ?? gateway ?? baseUrl ?? '').split('?', 2);
  const given = whole.replace(/\/+$/, '');
  const address = given.replace(/\/(?:chat\/completions|responses|messages)$/, '');
  const hasPath = address !== given || /^https?:\/\/[^/]+\/./.test(address);
  const isShort = !hasPath || (isGateway && addsPath && !address.endsWith(path));
  const source = isGateway && name !== null ? name : 'base_url';
  return { address: isShort ? address + path : address, query, source, isShort };
}

/** Says which gateway is used, or that the address lacked its path, which is added; else null. */
export function addressNote(setup: Reached): string | null {
  const { address, source, isShort } = addressOf(setup);
  if (source !== 'base_url') return `it uses ${address}, from ${source}`;
  return isShort ? `its base_url has no path, so ${address} is asked` : null;
}

/** A key with its source, or why there is none. */
export type FoundKey =
  | { readonly state: 'found'; readonly key: string; readonly source: string }
  /** A program of the user prints the key. */
  | { readonly state: 'command'; readonly command: readonly [string, ...string[]] }
  | { readonly state: 'not-needed' }
  | { readonly state: 'missing'; readonly why: string };

/** Finds the key of a model without starting anything. */
export function findKey(setup: ApiSetup): FoundKey {
  const { keyEnv, keyCommand = [] } = setup.api;
  const { keys, isOwnServer } = providerOf(setup);
  const names = keyEnv === undefined ? keys : [keyEnv];
  const all = { ...setup.environment, ...setup.settings.env };
  for (const source of names) {
    const key = all[source]?.trim() ?? '';
    if (key !== '') return { state: 'found', key, source };
  }
  const [program, ...words] = keyCommand;
  if (program !== undefined) return { state: 'command', command: [program, ...words] };
  if (isOwnServer && keyEnv === undefined) return { state: 'not-needed' };
  return { state: 'missing', why: whyMissingKey(names, all) };
}

function whyMissingKey(names: readonly string[], all: NodeJS.ProcessEnv): string {
  const isEmpty = names.some((name) => all[name] !== undefined);
  return `${names.join(' or ')} is ${isEmpty ? 'empty' : 'not set'}`;
}

/** The remedy for a missing key, in its two ways. */
export function keyRemedy({ name, ...setup }: ApiSetup): string {
  const variable = setup.api.keyEnv ?? providerOf(setup).keys[0] ?? 'MY_KEY';
  return `Set ${variable} to a key, or name a program that prints one: key_command under [agents.${name}] of your own settings.`;
}

/** The two ways to give it a key, for a person; one sentence each. */
export function keyWays(setup: ApiSetup): readonly string[] {
  const { name, api } = setup;
  const names = api.keyEnv === undefined ? providerOf(setup).keys : [api.keyEnv];
  const [variable = ''] = names;
  const none = `Its server may need no key; if it does, name the variable that holds one: key_env under [agents.${name}].`;
  return [
    names.length === 0 ? none : `Set ${names.join(' or ')}: export ${variable}=…`,
    `Or let a program print it, e.g. of your keyring, in your own settings, under [agents.${name}]: key_command = ["secret-tool", "lookup", "service", "${name}"]`,
    'Conclave keeps no keys.',
  ];
}

/** The most calls of its reading tools in one run. */
export const mostCalls = 40;

/** The tokens that are reserved for the answer of a model with a window of this size. */
export function answerRoom(contextTokens: number): number {
  return Math.min(6_000, Math.floor(contextTokens / 3));
}

/** The longest prompt that it accepts, in bytes. */
export function longestPrompt({ api: { contextTokens } }: ApiSetup): number {
  if (contextTokens === undefined) return Infinity;
  return bytesWithin(contextTokens - answerRoom(contextTokens));
}
