import { existsSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { type Leaf, keyOf } from './leaf.ts';

/** Where relative paths of a source start, and what `~/` stands for. Both absolute. */
export interface PathStarts {
  readonly folder: string;
  readonly home: string;
}

/**
 * The leaves of one source with one spelling for each setting: `destructive` is
 * `is_destructive`, and paths are absolute. Throws where both spellings disagree.
 */
export function normalLeaves(leaves: readonly Leaf[], starts: PathStarts): readonly Leaf[] {
  const normal = leaves.map((leaf) => withoutAlias(withPath(leaf, starts)));
  const said = new Map<string, Leaf>();
  for (const leaf of normal) {
    const key = keyOf(leaf.path);
    const before = said.get(key);
    if (before !== undefined && before.value !== leaf.value) {
      throw leaf.stop(`${key} and its other name "destructive" disagree; keep one of them.`);
    }
    said.set(key, leaf);
  }
  return [...said.values()];
}

function withoutAlias(leaf: Leaf): Leaf {
  const [section, name, key] = leaf.path;
  if (section !== 'phases' || name === undefined || key !== 'destructive') return leaf;
  return { ...leaf, path: [section, name, 'is_destructive'] };
}

function withPath(leaf: Leaf, starts: PathStarts): Leaf {
  const { path, value } = leaf;
  const isServer = path[0] === 'context' && path[1] === 'mcp';
  const key = path[0] === 'agents' || isServer ? path[2] : null;
  if (key === (isServer ? 'command' : 'path') && typeof value === 'string') {
    return { ...leaf, value: programPath(value, starts) };
  }
  if (key === 'args' && Array.isArray(value)) {
    return { ...leaf, value: value.map((part: unknown) => argument(part, starts)) };
  }
  if (path[0] === 'schemas' && typeof value === 'string') {
    return { ...leaf, value: absolute(value, starts) };
  }
  return leaf;
}

// A bare word is a program on PATH.
function programPath(value: string, starts: PathStarts): string {
  return value.includes('/') ? absolute(value, starts) : value;
}

// "openai/model" or a URL has a slash too, so only what is plainly a path, or a file that is
// there, is taken for one.
function argument(part: unknown, starts: PathStarts): unknown {
  if (typeof part !== 'string' || !part.includes('/') || part.startsWith('-')) return part;
  const path = absolute(part, starts);
  return /^(?:\.{1,2}|~)\//.test(part) || existsSync(path) ? path : part;
}

function absolute(value: string, { folder, home }: PathStarts): string {
  if (isAbsolute(value)) return value;
  return value.startsWith('~/') ? join(home, value.slice(2)) : resolve(folder, value);
}
