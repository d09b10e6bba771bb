// Puts an answer into the form of its schema, finds the fields meant, and numbers its tasks.
import { isObject, jsonIn } from '../../model/json.ts';
import { describeValue } from '../../model/describe-value.ts';
import {
  type Facts,
  aliasesOf,
  argvIn,
  defaults,
  fitNumber,
  fitString,
  fold,
  inRange,
  isNothing,
  lineIn,
  wordFor,
} from './vocabulary.ts';

/**
 * Puts an answer into the form that its schema asks for, wherever it has one meaning: other words
 * for a word or a field, an entry for a list and the reverse, a text for an object, ids, paths.
 * `notes` describe each change in a few words. Everything else is left for the validation to
 * refuse.
 */
export function normalise(
  value: unknown,
  schema: Node,
  known: Facts = {},
): { readonly value: unknown; readonly notes: readonly string[] } {
  const notes = new Set<string>();
  const at = { name: 'answer', known, note: (text: string) => void notes.add(text) };
  return { value: fit(value, schema, at), notes: [...notes] };
}

interface Place {
  /** The field that contains a value. */
  readonly name: string;
  readonly known: Facts;
  readonly note: (text: string) => void;
}

/** Lists and votes that are never assumed to be empty. */
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
  const [only] = values;
  if (values.length === 1 && isObject(only)) return fitValue(only, schema, at);
  const [branch] = objectBranches(schema);
  const main = branch === undefined ? undefined : mainField(branch, 'array');
  if (branch !== undefined && main !== undefined) return fieldsFor({ [main]: values }, branch, at);
  if (branchOf(schema, 'string') === undefined || values.some(isObject)) return values;
  return fromText(values.map(String).join(at.name.includes('flow') ? ' → ' : '; '), schema, at);
}

function listOf(values: readonly unknown[], list: Node, at: Place): unknown {
  const [only] = values;
  const isLine = at.name === 'argv' && values.length === 1 && typeof only === 'string';
  const argv = isLine ? argvIn(only) : null;
  const entries = (Array.isArray(argv) ? argv : values)
    .filter((value) => value !== null && value !== undefined)
    .map((value) => fit(value, itemsOf(list), at));
  if (argv !== null && entries.length > 1) at.note('argv: taken apart');
  const most = typeof list['maxItems'] === 'number' ? list['maxItems'] : mostIn(at.name);
  if (entries.length > most) at.note(`${at.name}: ${entries.length} given, ${most} kept`);
  return entries.slice(0, most);
}

/** Returns the most entries of a list whose schema has no limit. */
function mostIn(name: string): number {
  // A command without its last words would be a different command.
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
  if (list !== undefined) return listOf([value], list, at);
  const texts = Object.values(value).filter((one) => typeof one === 'string');
  return branchOf(schema, 'string') !== undefined && texts.length > 0
    ? fromText(texts.join(': '), schema, at)
    : value;
}

function fieldsFor(value: Node, branch: Node, at: Place): unknown {
  const properties = fieldsOf(branch);
  if (properties.size === 0) return value;
  const given = renameFields(value, branch, at.note);
  const result: Record<string, unknown> = {};
  for (const [name, property] of properties) {
    const isRequired = requiredOf(branch).includes(name);
    const field = fieldFor(given, { property, isRequired, place: { ...at, name } });
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
    return fit(raw, property, place);
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

/** True if an enum’s words include the value: `action` of a file is not that of a reply. */
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
    return /^\s*true\s*$/i.test(text) || (/^\s*false\s*$/i.test(text) ? false : text);
  }
  const inside = /^\s*[[{]/.test(text) ? jsonIn(text) : undefined;
  if (inside !== undefined) return fitValue(inside, schema, at);
  const list = branchOf(schema, 'array');
  if (list !== undefined) return listOf(isNothing(text) ? [] : linesIn(text), list, at);
  const [branch, ...others] = objectBranches(schema);
  const fields = branch === undefined || others.length > 0 ? null : objectOf(text, branch);
  return branch === undefined || fields === null ? text : fieldsFor(fields, branch, at);
}

/** Lists the lines of a text without their bullets, or the names between its commas. */
function linesIn(text: string): readonly string[] {
  if (/^[\w./-]+(?:\s*,\s*[\w./-]+)+$/.test(text.trim())) return text.trim().split(/\s*,\s*/);
  const lines = text.split('\n').map((line) => line.replace(/^\s*[-*•]\s+/, '').trim());
  return lines.filter((line) => line !== '');
}

/** Makes the object that a text means: its main field, and for a file what happens to it ("a.ts (new)"). */
function objectOf(text: string, branch: Node): Node | null {
  const main = mainField(branch, 'string') ?? mainField(branch, 'array');
  const words = fieldsOf(branch).get('action')?.['enum'];
  if (main === undefined) return null;
  if (!Array.isArray(words) || !/\s/.test(text.trim())) return { [main]: text };
  const [, path, remark = ''] = /^(\S+) \((\w+)\)$/.exec(text.trim()) ?? [];
  const action = wordFor(remark, words.map(String));
  return action === null ? null : { [main]: path, action };
}

/** Finds the first required field of a type, or else the first; an id does not count. */
function mainField(schema: Node, type: string): string | undefined {
  const fields = fieldsOf(schema);
  return [...requiredOf(schema), ...fields.keys()].find((name) => {
    const field = fields.get(name) ?? {};
    return name !== 'id' && field['type'] === type && !('const' in field);
  });
}

/**
 * Gives the tasks of an object ids of the requested form if one of them has another or none, and
 * updates every reference to them: by id, by number or by name.
 */
function numberTasks(parent: Node, items: Node, note: (text: string) => void): Node {
  const { tasks, execution_flow: flow } = parent;
  const form = fieldsOf(items).get('id');
  if (form === undefined || !Array.isArray(tasks) || !tasks.every(isObject)) return parent;
  const { pattern } = form;
  const isShort = typeof pattern === 'string';
  const good = isShort ? new RegExp(pattern) : /^(?!\d)./;
  const own = tasks.map(({ id }) => wordOf(id));
  const isDistinct = !isShort || new Set(own).size === tasks.length;
  const keeps = isDistinct && own.every((id) => good.test(id));
  const idAt = (at: number) => (isShort ? `T${at + 1}` : `TASK-${String(at + 1).padStart(3, '0')}`);
  const ids = keeps ? own : own.map((_, at) => idAt(at));
  if (!keeps) note(`tasks: renumbered, ${ids[0]} to ${ids.at(-1)}`);

  const namings = [
    own,
    own.map(numberOf),
    tasks.map(({ name, title }) => fold(wordOf(name ?? title))),
  ];
  const idFor = (word: unknown) => {
    const text = String(word);
    const words = [text, numberOf(text), fold(text)];
    const places = namings.map((names, at) => names.indexOf(words[at] ?? ''));
    return ids[places.find((place) => place !== -1) ?? -1] ?? text;
  };
  const numbered = tasks.map((task, at) => {
    const { depends_on: needs } = task;
    const depends_on = Array.isArray(needs) ? [...new Set(needs.map(idFor))] : needs;
    if (keeps && String(needs) !== String(depends_on))
      note(`depends_on: taken as ${String(depends_on)}`);
    return { ...task, id: ids[at], depends_on };
  });
  const mentions = /(?:\b(?:T|task|step)[-_ ]?)?\d+(?:\.\d+)*/gi;
  const moved = typeof flow === 'string' && !keeps ? flow.replace(mentions, idFor) : flow;
  return { ...parent, tasks: numbered, ...(flow === undefined ? {} : { execution_flow: moved }) };
}

function wordOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/**
 * The number in an id: `1.1` for `T1.1`, `1` for `TASK-001`; a text without a number at its end is
 * returned unchanged.
 */
function numberOf(id: string): string {
  const [number] = /\d+(?:\.\d+)*$/.exec(id) ?? [];
  return number === undefined ? fold(id) : number.replace(/^0+(?=\d)/, '');
}

/** A JSON Schema or a part of it; also an object that should fit one. */
export type Node = Readonly<Record<string, unknown>>;

/** Picks the schema itself or the first branch of its union that has this type. */
function branchOf(schema: Node, type: string): Node | undefined {
  return branches(schema).find((branch) => branch['type'] === type);
}

/** Picks the object branch that matches the value’s constants best, then its field names. */
function objectBranch(schema: Node, value: Node): Node | undefined {
  const score = (branch: Node) =>
    [...fieldsOf(branch)].reduce((sum, [name, property]) => {
      if ('const' in property) return sum + (isConstant(value[name], property) ? 100 : 0);
      return sum + (name in value ? 1 : 0);
    }, 0);
  return objectBranches(schema).toSorted((a, b) => score(b) - score(a))[0];
}

function objectBranches(schema: Node): readonly Node[] {
  return branches(schema).filter((branch) => branch['type'] === 'object');
}

function fieldsOf({ properties }: Node): ReadonlyMap<string, Node> {
  const entries = isObject(properties) ? Object.entries(properties) : [];
  return new Map(entries.flatMap(([name, field]) => (isObject(field) ? [[name, field]] : [])));
}

export function requiredOf({ required }: Node): readonly string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}

/** Returns the schema of the entries of a list. */
function itemsOf(schema: Node): Node {
  const items = branchOf(schema, 'array')?.['items'];
  return isObject(items) ? items : {};
}

function isConstant(value: unknown, property: Node): boolean {
  const { const: wanted } = property;
  if (typeof value !== 'string' || typeof wanted !== 'string') return value === wanted;
  return wordFor(value, [wanted]) === wanted;
}

function branches(schema: Node): readonly Node[] {
  const union = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(union)) return union.filter(isObject);
  const types: unknown = schema['type'];
  return Array.isArray(types) ? types.map((type) => ({ ...schema, type })) : [schema];
}

/**
 * Leaves out of a value the innermost optional part on the way to a place: a field, or an entry of an
 * optional list. Returns the value itself if nothing is optional.
 */
export function withoutOptional(value: unknown, schema: Node, pointer: string): unknown {
  const path = pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  return dropPart(value, { schema, path, isOptional: false }) ?? value;
}

/** Drops the innermost optional part; null if nothing on the way is optional. */
function dropPart(
  value: unknown,
  way: { readonly schema: Node; readonly path: readonly string[]; readonly isOptional: boolean },
): unknown {
  const { schema, isOptional } = way;
  const [key, ...path] = way.path;
  if (key === undefined) return null;
  if (Array.isArray(value)) {
    const at = Number(key);
    const inner = dropPart(value[at], { schema: itemsOf(schema), path, isOptional: false });
    if (inner !== null) return value.with(at, inner);
    return isOptional && at in value ? value.toSpliced(at, 1) : null;
  }
  if (!isObject(value)) return null;
  const branch = objectBranch(schema, value) ?? {};
  const property = fieldsOf(branch).get(key);
  if (property === undefined) return null;
  const isFree = !requiredOf(branch).includes(key);
  const inner = dropPart(value[key], { schema: property, path, isOptional: isFree });
  if (inner !== null) return { ...value, [key]: inner };
  if (!isFree || !Object.hasOwn(value, key)) return null;
  const { [key]: _, ...others } = value;
  return others;
}

/** Renames the fields of a value to those of its schema: other spellings, or other names. */
function renameFields(value: Node, schema: Node, note: (text: string) => void): Node {
  const properties = fieldsOf(schema);
  const required = requiredOf(schema);
  const isOpen = isObject(schema['additionalProperties']);
  const result: Record<string, unknown> = { ...value };
  for (const ofName of [(name: string) => [name], aliasesOf]) {
    for (const name of new Set([...required, ...properties.keys()])) {
      const isKnown = !isNothing(result[name]) || result[name] === false;
      const isFree = ofName === aliasesOf && isOpen && !required.includes(name);
      if (isKnown || isFree || 'const' in (properties.get(name) ?? {})) continue;
      const from = ofName(name)
        .map((one) => Object.keys(result).find((key) => !properties.has(key) && fold(key) === one))
        .find((key) => key !== undefined);
      if (from === undefined) continue;
      result[name] = result[from];
      delete result[from];
      note(`${from}: taken as ${name}`);
    }
  }
  return result;
}
