// Takes renames apart into what a plan can say, and leaves out files that are only read.
import { isObject } from '../../model/json.ts';
import { type Node, branchOf, fieldsOf } from './schema-fields.ts';
import { fold } from './vocabulary.ts';

/** True for entries that say what happens to a file. */
export function isOfFiles(items: Node): boolean {
  const action = fieldsOf(branchOf(items, 'object') ?? {}).get('action')?.['enum'];
  return Array.isArray(action) && action.includes('delete');
}

/** The entries that one stands for: of a file that moves, the one that goes and the one that comes. */
export function fileEntries(entry: unknown, note: (text: string) => void): readonly unknown[] {
  if (!isObject(entry) || typeof entry['action'] !== 'string') return [entry];
  const action = fold(entry['action']);
  const field = 'file' in entry ? 'file' : 'path';
  if (reading.has(action)) {
    note(`${String(entry[field])}: only read, left out`);
    return [];
  }
  if (!moving.has(action)) return [entry];
  const [from, to] = movedIn(entry, field);
  if (from === undefined || to === undefined) return [entry];
  note(`${from}: moved to ${to}, taken as deleted and created`);
  const { line: _, ...rest } = entry;
  return [
    { ...rest, [field]: from, action: 'delete' },
    { ...rest, [field]: to, action: 'create' },
  ];
}

const reading = new Set(['read', 'view', 'inspect', 'reference', 'none', 'unchanged', 'no_change']);
const moving = new Set(['rename', 'renamed', 'move', 'moved']);
const targets = ['to', 'new_file', 'new_path', 'new_name', 'destination', 'rename_to', 'target'];

function movedIn(entry: Node, field: string): readonly (string | undefined)[] {
  const own = entry[field] ?? entry['from'] ?? entry['old_path'];
  if (typeof own !== 'string') return [];
  const [from, to] = own.split(/\s*(?:→|->|=>)\s*/);
  const named = targets.map((name) => entry[name]).find((one) => typeof one === 'string');
  return [from, to ?? (named?.includes('.') || named?.includes('/') ? named : undefined)];
}
