import { shapeOf } from '../../model/config.ts';
import type { Setting } from '../../model/setting.ts';
import { settingsTable } from '../../model/settings.ts';
import type { Leaf, Leaves } from './leaf.ts';
import { analystNames, expanded, knownAgents } from './roster.ts';

/** What of an untrusted project's settings counts, and what does not, or not whole. */
export interface Narrowed {
  readonly leaves: readonly Leaf[];
  readonly widening: readonly Leaf[];
}

/**
 * A project that nobody trusted may ask for less than the user allows, never for more. `allowed`
 * is what the user's own settings and the defaults come to, with the roster.
 */
export function narrow(leaves: readonly Leaf[], allowed: Leaves): Narrowed {
  const parts = leaves.map((leaf) => ({ leaf, value: countingPart(leaf, allowed) }));
  return {
    leaves: parts.flatMap(({ leaf, value }) => (value === undefined ? [] : [{ ...leaf, value }])),
    widening: parts.flatMap(({ leaf, value }) => (isWhole(leaf.value, value) ? [] : [leaf])),
  };
}

/** The part of a value that counts; undefined if nothing of it does. */
function countingPart({ setting, key, path, value }: Leaf, user: Leaves): unknown {
  const [table, name = ''] = path;
  if (table === 'agents' && !knownAgents(user).includes(name)) return undefined;
  const own = (user.get(key) ?? user.get(totalLimit(setting)))?.value;
  switch (setting.untrusted) {
    case 'any':
      return value;
    case 'true':
      return value === true ? true : undefined;
    case 'false':
      return value === false ? false : undefined;
    case 'default':
      return value === setting.default || value === own ? value : undefined;
    case 'at-most':
      return isAtMost(value, own) ? value : undefined;
    case 'lower':
      return own === undefined || isAtMost(value, own) ? value : undefined;
    case 'among':
      return partOf(setting, { asked: namesOf(value), own: namesOf(own) });
    case undefined:
    default:
      return undefined;
  }
}

/** The time of one agent is limited by that of all where it has none of its own. */
function totalLimit(setting: Setting): string {
  return setting === settingsTable.agentTimeout ? settingsTable.timeout.path : '';
}

function isAtMost(value: unknown, limit: unknown): boolean {
  return typeof value === 'number' && typeof limit === 'number' && value <= limit;
}

/** The analysts are at the end of every chain anyway. */
function partOf(
  setting: Setting,
  { asked, own }: { readonly asked: readonly string[]; readonly own: readonly string[] },
): readonly string[] | undefined {
  const areAgents = setting.names !== undefined;
  const allowed = areAgents ? [...expanded(own), ...analystNames] : own;
  const part = (areAgents ? expanded(asked) : asked).filter((name) => allowed.includes(name));
  return shapeOf(setting).safeParse(part).success ? part : undefined;
}

function namesOf(value: unknown): readonly string[] {
  return [value].flat().filter((name) => typeof name === 'string');
}

// A list of which only a part counts is told like one that does not count.
function isWhole(asked: unknown, part: unknown): boolean {
  if (part === undefined) return false;
  if (!Array.isArray(part)) return true;
  const isIn = (name: string): boolean => part.includes(name);
  return namesOf(asked).every(isIn) || expanded(namesOf(asked)).every(isIn);
}
