// Puts an answer into the form of its schema, and numbers its tasks.
import { isObject, jsonIn } from '../../model/json.ts';
import { describeValue } from '../../store/schema-findings.ts';
import {
  type Node,
  branchOf,
  fieldsOf,
  itemsOf,
  objectBranch,
  moveFields,
  renameFields,
  requiredOf,
} from './schema-fields.ts';
import { fileEntries, isOfFiles } from './file-actions.ts';
import { type Facts, entriesIn, fitNumber, fitString, inRange, lineIn, objectOf } from './texts.ts';
import { argvIn, defaults, fold, isNothing } from './vocabulary.ts';

/**
 * Puts an answer into the form that its schema asks for, wherever it has one meaning: other words
 * for a word or a field, a list for a text and the reverse, wrappers, numbers in words, ids, paths.
 * `notes` tell each change in a few words. What remains is for the validation to refuse.
 */
export function normalise(
  value: unknown,
  schema: Node,
  known: Facts = {},
): { readonly value: unknown; readonly notes: readonly string[] } {
  const notes = new Set<string>();
  const at = { name: 'answer', keep: null, known, note: (text: string) => void notes.add(text) };
  return { value: fit(value, schema, at), notes: [...notes] };
}

interface Place {
  /** The field that a value stands in. */
  readonly name: string;
  /** The name of the entry that must not be cut off a list. */
  readonly keep: unknown;
  readonly known: Facts;
  readonly note: (text: string) => void;
}

/** Lists and votes that are never taken to be empty. */
const neverFilled = new Set(['claims', 'stances', 'recommended', 'preferred']);

function fit(value: unknown, schema: Node, at: Place): unknown {
  const result = fitValue(value, schema, at);
  const isSame = typeof value === 'object' && Array.isArray(value) === Array.isArray(result);
  if (result !== value && !(isSame && isObject(result) === isObject(value))) {
    at.note(`${at.name}: ${describeValue(value)} taken as ${describeValue(result)}`);
  }
  return result;
}

function fitValue(value: unknown, schema: Node, at: Place): unknown {
  const string = branchOf(schema, 'string');
  const isText = typeof value === 'string' && string !== undefined && !('pattern' in string);
  if (branchOf(schema, 'null') !== undefined && !isText && isNothing(value)) return null;
  if (Array.isArray(value)) return fromList(value, schema, at);
  if (isObject(value)) return fromObject(value, schema, at);
  if (typeof value === 'string') return fromText(value, schema, at);
  const number = branchOf(schema, 'number') ?? branchOf(schema, 'integer');
  if (typeof value === 'number' && number !== undefined) return inRange(value, number);
  return typeof value === 'number' && string !== undefined ? String(value) : value;
}

function fromList(values: readonly unknown[], schema: Node, at: Place): unknown {
  const list = branchOf(schema, 'array');
  if (list !== undefined) return listOf(values, list, at);
  const into = branchOf(schema, 'object');
  const [first] = values;
  const isOne = values.length === 1 && typeof first === 'object';
  if (into !== undefined) return fitValue(isOne ? first : objectOf(values, into), schema, at);
  if (branchOf(schema, 'string') === undefined)
    return values.length === 0 ? values : fitValue(first, schema, at);
  const between = at.name.includes('flow') ? ' → ' : '; ';
  return fromText(values.map(textOf).join(between), schema, at);
}

function listOf(values: readonly unknown[], list: Node, { keep, ...at }: Place): unknown {
  const items = isObject(list['items']) ? list['items'] : {};
  const argv = at.name === 'argv' && values.length === 1 ? argvIn(textOf(values[0])) : null;
  if (argv !== null && argv.length > 1) at.note('argv: taken apart');
  const files = isOfFiles(items) ? values.flatMap((value) => fileEntries(value, at.note)) : values;
  const entries = (argv ?? files)
    .filter((value) => value !== null && value !== undefined)
    .map((value) => fit(value, items, { ...at, keep: null }));
  const most = typeof list['maxItems'] === 'number' ? list['maxItems'] : mostIn(at.name);
  if (entries.length <= most) return entries;
  at.note(`${at.name}: ${entries.length} given, ${most} kept`);
  const isWanted = (entry: unknown) =>
    typeof keep === 'string' && isObject(entry) && entry['name'] === keep;
  const wanted = entries.slice(most).filter(isWanted).slice(0, 1);
  return [...entries.slice(0, most - wanted.length), ...wanted];
}

/** The most entries of a list whose schema has no limit. */
function mostIn(name: string): number {
  // A command without its last words is another command.
  return name === 'argv' ? Infinity : (mostEntries[name] ?? 400);
}

const mostEntries: Readonly<Record<string, number>> = {
  questions: 20,
  claims: 60,
  tasks: 60,
  findings: 40,
};

function fromObject(value: Node, schema: Node, at: Place): unknown {
  const branch = objectBranch(schema, value);
  if (branch !== undefined) return fieldsFor(value, branch, at);
  const list = branchOf(schema, 'array');
  if (list !== undefined) return listOf(entriesOf(value, list), list, at);
  if (branchOf(schema, 'string') !== undefined) return fromText(textOf(value), schema, at);
  const number = branchOf(schema, 'number') ?? branchOf(schema, 'integer');
  const plain = Object.values(value).find((one) => typeof one !== 'object');
  return number === undefined || plain === undefined ? value : fitValue(plain, schema, at);
}

function fieldsFor(value: Node, branch: Node, at: Place): unknown {
  const properties = fieldsOf(branch);
  if (properties.size === 0) return value;
  const given = moveFields(renameFields(value, branch, at.note), branch, at.note);
  const result: Record<string, unknown> = {};
  for (const [name, property] of properties) {
    const place = { ...at, name, keep: given['recommended'] };
    const isRequired = requiredOf(branch).includes(name);
    const field = fieldFor(given, { property, isRequired, place });
    if (field !== undefined) result[name] = field;
  }
  const others = Object.entries(given).filter(([name]) => !properties.has(name));
  if (isObject(branch['additionalProperties'])) Object.assign(result, Object.fromEntries(others));
  else for (const [name] of others) at.note(`${name}: not a field of ${at.name}, left out`);
  return numberTasks(result, itemsOf(properties.get('tasks') ?? {}), at.note);
}

function fieldFor(
  given: Node,
  field: { property: Node; isRequired: boolean; place: Place },
): unknown {
  const { property, isRequired, place } = field;
  const { name, note } = place;
  const raw = given[name];
  const { const: constant } = property;
  if (constant !== undefined || 'not' in property) {
    if (raw !== constant)
      note(`${name}: ${describeValue(raw)} taken as ${describeValue(constant)}`);
    return constant;
  }
  if (raw !== undefined && raw !== null && (raw !== '' || !isRequired)) {
    const fitted = fit(raw, property, place);
    const isRating = branchOf(property, 'number') !== undefined && name in defaults;
    if (!isRating || typeof fitted !== 'string') return fitted;
    note(`${name}: ${describeValue(raw)} taken as ${describeValue(defaults[name])}`);
    return defaults[name];
  }
  const isNullable = branchOf(property, 'null') !== undefined;
  if (isNullable && raw === null) return null;
  if (!isRequired || neverFilled.has(name)) return raw ?? undefined;
  if (isNullable) return null;
  const list = branchOf(property, 'array');
  if (list !== undefined && !('minItems' in list)) return [];
  const instead = (name === 'line' ? lineIn(given['path']) : null) ?? defaults[name];
  if (instead === undefined || !allows(property, instead)) return raw ?? undefined;
  const filled = fitValue(instead, property, place);
  if (filled !== raw) note(`${name}: missing, taken as ${describeValue(filled)}`);
  return filled;
}

/** False where the words of an enum do not hold the value: `action` of a file is not that of a reply. */
function allows(property: Node, value: unknown): boolean {
  const words = branchOf(property, 'string')?.['enum'];
  const isOne = (word: unknown) => String(word).toLowerCase() === String(value).toLowerCase();
  return !Array.isArray(words) || words.some(isOne);
}

function fromText(text: string, schema: Node, at: Place): unknown {
  const string = branchOf(schema, 'string');
  if (string !== undefined) return fitString(text, string, at);
  const number = branchOf(schema, 'number') ?? branchOf(schema, 'integer');
  if (number !== undefined) return fitNumber(text, number);
  if (branchOf(schema, 'boolean') !== undefined) {
    return (
      /^\s*(?:true|yes)\s*$/i.test(text) || (/^\s*(?:false|no)\s*$/i.test(text) ? false : text)
    );
  }
  const inside = /^\s*[[{]/.test(text) ? jsonIn(text) : undefined;
  if (inside !== undefined) return fitValue(inside, schema, at);
  const list = branchOf(schema, 'array');
  if (list !== undefined) return listOf(entriesIn(text, at.name), list, at);
  const branch = objectBranch(schema, { kind: argvIn(text) === null ? 'manual' : 'command' });
  return branch === undefined ? text : fieldsFor(objectOf(text, branch), branch, at);
}

/** The entries of a list that came as an object: itself, its only list, or a map by name. */
function entriesOf(value: Node, list: Node): readonly unknown[] {
  const into = itemsOf({ anyOf: [list] });
  const entries = Object.entries(value);
  const [only] = entries;
  if (entries.length === 1 && Array.isArray(only?.[1])) return only[1];
  if (into === undefined) return entries.map(([name, one]) => `${name}: ${textOf(one)}`);
  const known = fieldsOf(into);
  if (entries.some(([name, one]) => known.has(fold(name)) && !isObject(one))) return [value];
  const key = ['id', 'solution', 'file', 'path', 'name'].find((name) => known.has(name)) ?? 'name';
  const other = requiredOf(into).find((name) => name !== key) ?? key;
  return entries.map(([name, one]) => ({
    [key]: name,
    ...(isObject(one) ? one : { [other]: one }),
  }));
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  if (!isObject(value)) return String(value);
  const texts = Object.values(value).filter((one) => !isNothing(one));
  return texts.map(textOf).join(': ');
}

/**
 * Gives the tasks of an object ids of the form that is asked for where one of them has another or
 * none, and follows every reference to them: by id, by number or by name.
 */
function numberTasks(parent: Node, items: Node | undefined, note: (text: string) => void): Node {
  const { tasks, execution_flow: flow } = parent;
  const form = items === undefined ? undefined : fieldsOf(items).get('id');
  if (form === undefined || !Array.isArray(tasks) || !tasks.every(isObject)) return parent;
  const { pattern } = form;
  const isShort = typeof pattern === 'string';
  const good = isShort ? new RegExp(pattern) : /^(?!\d)./;
  const own = tasks.map(({ id }) => id);
  const isDistinct = !isShort || new Set(own).size === tasks.length;
  const keeps = isDistinct && own.every((id) => typeof id === 'string' && good.test(id));
  const idAt = (at: number) => (isShort ? `T${at + 1}` : `TASK-${String(at + 1).padStart(3, '0')}`);
  const ids = own.map((id, at) => (keeps ? String(id) : idAt(at)));
  if (!keeps) note(`tasks: renumbered, ${ids[0]} to ${ids.at(-1)}`);

  const idFor = idFinder(tasks, ids);
  const renumbered = tasks.map((task, at) => {
    const { depends_on: needs } = task;
    const depends_on = Array.isArray(needs) ? [...new Set(needs.map(idFor))] : needs;
    if (keeps && String(needs) !== String(depends_on))
      note(`depends_on: taken as ${String(depends_on)}`);
    return { ...task, id: ids[at], depends_on };
  });
  const numbers = /(?:\b(?:T|task|step)[-_ ]?)?\d+(?:\.\d+)*/gi;
  const moved = typeof flow === 'string' && !keeps ? flow.replace(numbers, idFor) : flow;
  const order = flow === undefined ? {} : { execution_flow: moved };
  return { ...parent, tasks: renumbered, ...order };
}

/**
 * Finds the new id of the task that a word means: the one of just that id, else the first of that
 * id spelt otherwise, else of that number, else of that name.
 */
function idFinder(tasks: readonly Node[], ids: readonly string[]): (word: unknown) => string {
  const known = new Map<string, string>();
  const namings = [({ id }: Node) => id, ({ id }: Node) => numberOf(id), nameOf];
  for (const naming of namings) {
    for (const [at, task] of tasks.entries()) {
      const word = naming(task);
      const key = typeof word === 'string' ? fold(word) : '';
      if (key !== '' && !known.has(key)) known.set(key, ids[at] ?? '');
    }
  }
  return (word) => {
    const text = String(word);
    const at = tasks.findIndex(({ id }) => String(id) === text);
    return ids[at] ?? known.get(fold(text)) ?? known.get(numberOf(text)) ?? text;
  };
}

function nameOf({ name, title }: Node): unknown {
  return name ?? title;
}

/** `1.1` for `T1.1`, `1` for `TASK-001`. */
function numberOf(id: unknown): string {
  const [number = ''] = /\d+(?:\.\d+)*$/.exec(String(id)) ?? [];
  return number === '' ? '' : fold(number.replace(/^0+(?=\d)/, ''));
}
