import { type Json, isObject } from '../../../../model/json.ts';
import { jsonSchemaOf } from '../../../../model/published.ts';
import { editable, fieldName, listOf, typedValue, valueAt } from './fields.ts';
import { type Reviewing, ask, change, key, pick, write } from './reviewing.ts';
import { type ReviewState, chosenField, uncovered } from './state.ts';

interface FieldPlace {
  readonly task: string | null;
  readonly field: string;
}

/** Opens the chosen field with its text, to be changed. */
export function editField(reviewing: Reviewing): void {
  const state = reviewing.state.get();
  const field = chosenField(state);
  if (field !== null) changeField(reviewing, { task: state.about, field });
}

/** Opens one more entry of the list that the chosen field is in. */
export function addEntry(reviewing: Reviewing): void {
  const state = reviewing.state.get();
  const entry = listOf(chosenField(state) ?? '');
  if (entry === null) {
    return reviewing.say('Choose a list entry first; a adds another one to its list.', 'warn');
  }
  const list = valueAt(shownObject(state), entry.list);
  const length = Array.isArray(list) ? list.length : 0;
  changeField(reviewing, { task: state.about, field: `${entry.list}.${length}` });
}

/** Asks before the chosen field goes, or the whole entry of the list that it belongs to. */
export function removeField(reviewing: Reviewing): void {
  const state = reviewing.state.get();
  const chosen = chosenField(state);
  if (chosen === null || valueAt(shownObject(state), chosen) === undefined) return;
  const entry = listOf(chosen);
  const field = entry === null ? chosen : `${entry.list}.${entry.index}`;
  const place = { task: state.about, field };
  const remove = () =>
    change(
      reviewing,
      { kind: 'set', ...place, value: null },
      () => `${nameOfPlace(place)} removed.`,
    );
  ask(reviewing, {
    title: `Remove ${nameOfPlace(place)}?`,
    says: [],
    keys: [key(['enter', 'y'], 'remove it', remove)],
  });
}

/** A field of fixed choice is picked, any other is written. */
function changeField(reviewing: Reviewing, place: FieldPlace): void {
  const { values, optional } = choicesFor(reviewing.state.get(), place);
  if (values.length === 0) return writeField(reviewing, place, optional);
  const before = valueAt(shownObject(reviewing.state.get()), place.field);
  const offered = [...values, ...(optional && before !== undefined ? [null] : [])];
  pick(reviewing, {
    title: nameOfPlace(place),
    entries: offered.map((value) => (value === null ? '(remove it)' : String(value))),
    at: Math.max(
      0,
      offered.findIndex((value) => value === before),
    ),
    does: 'choose it',
    accept: ({ at }) => setField(reviewing, place, offered[at] ?? null),
  });
}

/** A task waits for other tasks of the plan. */
function choicesFor({ desk }: ReviewState, { task: id, field }: FieldPlace): Choices {
  const task = desk.tasks.find((one) => one.id === id);
  if (task === undefined || !/^depends_on\.\d+$/.test(field))
    return choicesAt(id === null ? 'plan' : 'task', field);
  const known = task.depends_on.filter((need) => need !== valueAt(task, field));
  const others = desk.tasks.map((one) => one.id).filter((one) => one !== id);
  return { values: others.filter((one) => !known.includes(one)), optional: true };
}

/** What a field may hold where that is fixed, and whether it may also be left out. */
interface Choices {
  readonly values: readonly (string | boolean)[];
  readonly optional: boolean;
}

/** As the published schema of a plan or a task has it; no values where any text may stand. */
function choicesAt(name: 'plan' | 'task', field: string): Choices {
  let shapes = alternatives(jsonSchemaOf(name));
  let optional = true;
  for (const part of field.split('.')) {
    optional = !shapes.some(({ required }) => Array.isArray(required) && required.includes(part));
    shapes = shapes.flatMap(({ items, properties }) =>
      alternatives(isObject(properties) ? properties[part] : items),
    );
  }
  const values = shapes.flatMap((shape): readonly (string | boolean)[] => {
    if (shape['type'] === 'boolean') return [true, false];
    const fixed: readonly unknown[] = Array.isArray(shape['enum']) ? shape['enum'] : [];
    return fixed.filter((value) => typeof value === 'string');
  });
  return { values, optional };
}

function alternatives(schema: unknown): readonly Record<string, unknown>[] {
  if (!isObject(schema)) return [];
  const { anyOf, oneOf } = schema;
  const inner = [anyOf, oneOf].flatMap((list): readonly unknown[] =>
    Array.isArray(list) ? list : [],
  );
  return [schema, ...inner.flatMap(alternatives)];
}

function setField(reviewing: Reviewing, place: FieldPlace, value: Json): unknown {
  const before = valueAt(shownObject(reviewing.state.get()), place.field);
  if (value === before) return reviewing.state.change((now) => ({ ...now, ...uncovered }));
  const done = value === null ? 'removed' : before === undefined ? 'added' : 'changed';
  const said = () => `${nameOfPlace(place)} ${done}.`;
  return change(reviewing, { kind: 'set', ...place, value }, said);
}

function writeField(reviewing: Reviewing, place: FieldPlace, optional: boolean): void {
  const { field } = place;
  const before = valueAt(shownObject(reviewing.state.get()), field);
  const accept = (text: string) => {
    if (text === editable(before))
      return reviewing.state.change((now) => ({ ...now, ...uncovered }));
    return setField(reviewing, place, typedValue(text, { before, field }));
  };
  const title = nameOfPlace(place);
  const placeholder = optional ? 'Leave empty to remove' : 'It cannot be left empty';
  write(reviewing, { title, placeholder, lines: 'many', does: 'save', accept }, editable(before));
}

/** The plan or the task whose fields are shown. */
function shownObject({ desk, about }: ReviewState): unknown {
  return about === null ? desk.plan : desk.tasks.find(({ id }) => id === about);
}

function nameOfPlace({ task, field }: FieldPlace): string {
  return `${task ?? 'plan'} ${fieldName(field)}`;
}
