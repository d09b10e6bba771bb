// Finds the agent that a name means: an agent’s own name, or a model that one CLI offers.
import { familyOf, providers } from './api/api-providers.ts';
import { closestNames } from '../model/closest-name.ts';
import { sha256Of } from '../store/digest.ts';
import { adapters } from './cli/list.ts';

/** The meaning of a name where agents and models are named. */
export type NameMeaning =
  | { readonly kind: 'agent'; readonly agent: string }
  /** A model of a CLI, which receives the name as it was written. */
  | { readonly kind: 'model'; readonly agent: string; readonly model: string }
  /** A name that no agent can take; the clause says why, and what to do. */
  | { readonly kind: 'nobody'; readonly why: string }
  /** An unknown name, with the most similar ones. */
  | { readonly kind: 'unknown'; readonly near: readonly string[] };

/** The user’s own agents, by the names of their models as written. */
export type OwnModels = ReadonlyMap<string, string>;

/**
 * Reads a name: one of the `agents` first, including the user’s own, then another name of a CLI, a
 * model of one of these agents, an alias that one CLI claims, then the beginning of a model’s name,
 * then the same without dots, dashes and underscores, in any case of letters.
 */
export function meaningOf(
  name: string,
  agents: readonly string[],
  models: OwnModels = new Map(),
): NameMeaning {
  const said = name.trim();
  if (agents.includes(said)) return { kind: 'agent', agent: said };
  const own = models.get(said);
  if (own !== undefined) return { kind: 'agent', agent: own };
  if (said === '' || said.startsWith('-')) return nobody('a name begins with a letter or a digit');
  const word = said.toLowerCase();
  if (agents.includes(word)) return { kind: 'agent', agent: word };
  const called = calledSo(word);
  if (called !== undefined) return { kind: 'agent', agent: called.name };
  const plain = word.replace(/\[[^\]]*\]$/, '');
  if (isAnyModel(plain)) {
    return nobody(
      `"${said}" lets an agent choose its own model, so it names no agent: name the agent, or a model`,
    );
  }
  const likened = [...models].find(([model]) => model.toLowerCase() === word);
  if (likened !== undefined) return { kind: 'agent', agent: likened[1] };
  const agent = carrierOf(plain);
  if (agent !== null) return { kind: 'model', agent, model: said };
  const why = apiNeeded(said, plain);
  return why === null
    ? { kind: 'unknown', near: closestNames(word, [...agents, ...allAliases()]) }
    : nobody(why);
}

/** Names by which agents choose the model themselves. */
const whateverIsBest = new Set(['auto', 'default', 'best']);

/** True for a name by which an agent chooses its model itself. */
export function isAnyModel(name: string): boolean {
  return whateverIsBest.has(name.trim().toLowerCase());
}

/** The CLI that offers a model, by its name; null if none or several would. */
export function carrierOf(name: string): string | null {
  const word = name.toLowerCase().replace(/\[[^\]]*\]$/, '');
  if (calledSo(word) !== undefined) return null;
  const claimed = one(({ aliases = [] }) => aliases.includes(word));
  // A tag after a colon is the style of local model servers: `gpt-oss:20b`.
  const isTagged = word.includes(':') && !word.includes('/');
  return claimed ?? (isTagged ? null : (begun(word) ?? begun(flat(word), flat)));
}

/** The CLI that people also call by this word. */
function calledSo(word: string) {
  return adapters.find(
    ({ alsoCalled }) => alsoCalled !== undefined && flat(alsoCalled) === flat(word),
  );
}

function begun(word: string, shape: (text: string) => string = (text) => text): string | null {
  return one(({ models = [] }) => models.some((begin) => fits(word, shape(begin))));
}

/**
 * True if a word starts like this: `o#` is an o and a digit; a beginning without its dash needs
 * something after it.
 */
function fits(word: string, begin: string): boolean {
  if (begin.endsWith('#')) return new RegExp(`^${begin.slice(0, -1)}\\d`).test(word);
  if (begin === '/') return /^[^/]+\/./.test(word);
  return word.startsWith(begin) && word.length > begin.length;
}

function flat(text: string): string {
  return text === '/' ? text : text.replaceAll(/[._-]/g, '');
}

function one(claims: (adapter: (typeof adapters)[number]) => boolean): string | null {
  const [first, ...others] = adapters.filter(claims);
  return first !== undefined && others.length === 0 ? first.name : null;
}

function nobody(why: string): NameMeaning {
  return { kind: 'nobody', why };
}

/** Says what is needed for a model that only an API or a server of the user offers; null for any other. */
function apiNeeded(said: string, plain: string): string | null {
  const [key = ''] = providers.xai.keys;
  const isGrok = flat(plain).startsWith('grok');
  if (!isGrok && familyOf(plain) === null) return null;
  const where = isGrok
    ? `provider = "xai", with a key in ${key}`
    : 'provider = "compatible", with the base_url of its server';
  return `"${said}" is a model that no CLI carries: it needs an agent with model = "${said}" and ${where}`;
}

function allAliases(): readonly string[] {
  return adapters.flatMap(({ aliases = [] }) => aliases);
}

/**
 * The models of the user’s agents; those that a CLI offers, too, only `toRead`, because an API
 * edits nothing.
 */
export function ownModels(
  settings: Iterable<readonly [name: string, settings: OwnAgent]>,
  { toRead }: { readonly toRead: boolean },
): OwnModels {
  const models = new Map<string, string>();
  for (const [name, { api }] of settings) {
    if (api === undefined || models.has(api.model)) continue;
    if (toRead || carrierOf(api.model) === null) models.set(api.model, name);
  }
  return models;
}

interface OwnAgent {
  readonly api?: { readonly model: string } | undefined;
}

/** The longest name of an agent, in characters. */
const longestName = 32;

/**
 * The name that an agent gets from its model, for keys, folders and receipts. A name that would be
 * cut, or that another model has, ends in a few letters derived from the model.
 */
export function agentNameOf(
  model: string,
  isTaken: (name: string) => boolean = () => false,
): string {
  const plain = model
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  if (plain.length <= longestName && !isTaken(plain)) return plain;
  const own = `-${sha256Of(model).slice(0, 4)}`;
  return plain.slice(0, longestName - own.length).replace(/-+$/, '') + own;
}
