import { isObject } from '../../model/json.ts';
import { type Node, fieldsOf } from './schema-parts.ts';
import { folded } from './vocabulary.ts';

type Fields = Record<string, unknown>;

/**
 * Gives the tasks of an object ids of the form that is asked for where one of them has another or
 * none, and follows every reference to them: by id, by number or by name.
 */
export function numbered(
  parent: Fields,
  items: Node | undefined,
  note: (text: string) => void,
): Fields {
  const { tasks } = parent;
  const id = items === undefined ? undefined : fieldsOf(items).get('id');
  if (id === undefined || !Array.isArray(tasks) || !tasks.every(isObject)) return parent;
  const { pattern } = id;
  const form = typeof pattern === 'string' ? new RegExp(pattern) : /^(?!\d)./;
  const isGood = ({ id: own }: Fields) => typeof own === 'string' && form.test(own);
  const distinct = new Set(tasks.map((task) => task['id'])).size === tasks.length;
  const keeps = tasks.every(isGood) && (distinct || typeof pattern !== 'string');
  const newId = (index: number) =>
    typeof pattern === 'string' ? `T${index + 1}` : `TASK-${String(index + 1).padStart(3, '0')}`;
  const ids = tasks.map((task, index) => (keeps ? String(task['id']) : newId(index)));
  if (!keeps) note(`tasks: numbered anew, ${ids[0]} to ${ids.at(-1)}`);
  const byWord = new Map<string, string>();
  const learn = (word: unknown, own: string) => {
    const key = typeof word === 'string' ? folded(word) : '';
    if (key !== '' && !byWord.has(key)) byWord.set(key, own);
  };
  const each = (words: (task: Fields) => unknown) =>
    tasks.forEach((task, index) => learn(words(task), ids[index] ?? ''));
  each((task) => task['id']);
  each(({ id: own }) => numberOf(own));
  each((task) => task['name'] ?? task['title']);
  const idFor = (word: unknown) => {
    const text = String(word);
    return ids.includes(text) && keeps
      ? text
      : (byWord.get(folded(text)) ?? byWord.get(numberOf(text)) ?? text);
  };
  const renumbered = tasks.map((task, index) => {
    const { depends_on: needs } = task;
    const depends_on = Array.isArray(needs) ? [...new Set(needs.map(idFor))] : needs;
    if (keeps && String(needs) !== String(depends_on))
      note(`depends_on: taken as ${String(depends_on)}`);
    return { ...task, id: ids[index], depends_on };
  });
  const { execution_flow: flow } = parent;
  const moved =
    typeof flow !== 'string' || keeps
      ? {}
      : { execution_flow: flow.replace(/(?:\b(?:T|task|step)[-_ ]?)?\d+(?:\.\d+)*/gi, idFor) };
  return { ...parent, tasks: renumbered, ...moved };
}

/** `1.1` for `T1.1`, `1` for `TASK-001`. */
function numberOf(id: unknown): string {
  const [number = ''] = /\d+(?:\.\d+)*$/.exec(String(id)) ?? [];
  return number === '' ? '' : folded(number.replace(/^0+(?=\d)/, ''));
}
