import { listed } from '../../model/wording.ts';
import type { Leaves } from './leaf.ts';

/** Settings that are read and checked, and that nothing goes by. */
const idle = [
  { table: 'models', name: 'cli', why: 'each agent is asked by its own name' },
  { table: 'phases', name: 'is_destructive', why: 'no phase changes files of the project' },
] as const;

/** What is set without any effect in this version, one sentence for each kind. */
export function withoutEffect(leaves: Leaves): readonly string[] {
  return idle.flatMap(({ table, name, why }) => {
    const set = [...leaves].filter(([, { path }]) => path[0] === table && path[2] === name);
    if (set.length === 0) return [];
    const keys = listed(set.map(([key]) => key));
    return [`${keys} ${set.length === 1 ? 'has' : 'have'} no effect yet: ${why}.`];
  });
}
