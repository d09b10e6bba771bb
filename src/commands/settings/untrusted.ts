import type { Config } from '../../model/config.ts';
import { analystNames } from './defaults.ts';
import { type Leaf, type Leaves, configOf, keyOf } from './leaf.ts';
import { expanded, rosterOf } from './roster.ts';

/** What of an untrusted project's settings counts, and what does not, or not whole. */
export interface Narrowed {
  readonly leaves: readonly Leaf[];
  readonly widening: readonly Leaf[];
}

/**
 * A project that nobody trusted may ask for less than the user allows, never for more: only what
 * is listed here counts, compared with the user's own settings and the defaults.
 */
export function narrow(leaves: readonly Leaf[], allowed: Leaves): Narrowed {
  const config = configOf(allowed);
  const kept = leaves.map((leaf) => ({ leaf, value: narrowed(leaf, { allowed, config }) }));
  return {
    leaves: kept.flatMap(({ leaf, value }) => (value === undefined ? [] : [{ ...leaf, value }])),
    widening: kept.flatMap(({ leaf, value }) => (isWhole(leaf.value, value) ? [] : [leaf])),
  };
}

interface Allowed {
  readonly allowed: Leaves;
  readonly config: Config;
}

/** The part of a value that counts; undefined if nothing of it does. */
function narrowed(leaf: Leaf, user: Allowed): unknown {
  const [section = '', name = '', key = ''] = leaf.path;
  switch (section) {
    case 'workflow':
      return workflowSetting(leaf, user);
    case 'context':
      return contextSetting(leaf, user);
    case 'agents':
      return rosterOf(user.config).known.includes(name) ? agentSetting(leaf, user) : undefined;
    case 'phases':
      return key === 'is_destructive' && leaf.value === true ? true : undefined;
    default:
      return undefined;
  }
}

function workflowSetting({ path, value }: Leaf, user: Allowed): unknown {
  const { config, allowed } = user;
  const roster = rosterOf(config);
  switch (path[1] ?? '') {
    case 'mode':
    case 'constraints':
      return value;
    case 'require_convergence':
      return value === true ? true : undefined;
    case 'max_rounds':
    case 'timeout':
    case 'first_output_timeout':
    case 'idle_timeout':
    case 'kill_grace':
      return atMost(value, allowed.get(keyOf(path))?.value);
    case 'tools':
      return among(value, [...expanded(config.workflow?.tools ?? roster.seats), ...analystNames]);
    case 'fallback_chain':
      return among(value, expanded(config.workflow?.fallback_chain ?? roster.chain)) ?? [];
    default:
      return undefined;
  }
}

/** A server is started only because the user says so. */
function contextSetting({ path, value }: Leaf, { allowed, config }: Allowed): unknown {
  const [, name = '', key = ''] = path;
  if (name === 'providers') {
    const own = config.context?.providers ?? [];
    const names = Array.isArray(value) ? value : [];
    const kept = names.filter((one) => one !== 'mcp' || own.includes('mcp'));
    return kept.length === 0 ? undefined : kept;
  }
  // An agent’s answer is paid for.
  if (name === 'rerank') {
    return value === 'off' || config.context?.rerank === value ? value : undefined;
  }
  if (name !== 'mcp') return value;
  if (key === 'enabled') return value === false ? false : undefined;
  const isLimit = key === 'timeout' || key === 'max_bytes';
  return isLimit ? atMost(value, allowed.get(keyOf(path))?.value) : undefined;
}

function agentSetting({ path, value }: Leaf, { allowed }: Allowed): unknown {
  if (path[2] === 'enabled') return value === false ? false : undefined;
  if (path[2] !== 'timeout') return undefined;
  const own = allowed.get(keyOf(path)) ?? allowed.get('workflow.timeout');
  return atMost(value, own?.value);
}

function atMost(value: unknown, limit: unknown): unknown {
  const isLess = typeof value === 'number' && typeof limit === 'number' && value <= limit;
  return isLess ? value : undefined;
}

function among(value: unknown, allowed: readonly string[]): readonly string[] | undefined {
  const names = Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
  const kept = expanded(names).filter((name) => allowed.includes(name));
  return kept.length === 0 ? undefined : kept;
}

// A list of which only a part counts is told like one that does not count.
function isWhole(asked: unknown, kept: unknown): boolean {
  if (kept === undefined) return false;
  if (!Array.isArray(asked) || !Array.isArray(kept)) return true;
  const names = asked.filter((name) => typeof name === 'string');
  const isKept = (name: string): boolean => kept.includes(name);
  return names.every(isKept) || expanded(names).every(isKept);
}
