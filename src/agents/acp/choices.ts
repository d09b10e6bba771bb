// Finds how an ACP session is told its mode or its model.
import { type Fields, fieldsIn, objectsIn, textOr } from '../cli/adapter-parts.ts';

/** A choice in a session. `offers` begins with a semicolon and names what there is instead. */
export type Choice =
  | { readonly state: 'set' }
  | { readonly state: 'offered'; readonly method: string; readonly params: Fields }
  | { readonly state: 'unknown'; readonly offers: string };

/** Reads the result of `session/new` in its two forms: lists of their own, or options. */
export function choiceOf(session: Fields, what: 'mode' | 'model', wanted: string): Choice {
  const { list, current, id, method } = forms[what];
  const own = fieldsIn(session[`${what}s`]);
  const ids = objectsIn(own[list]).map((one) => textOr(one[id], ''));
  const found = ids.find((one) => isMeant(one, wanted));
  if (found !== undefined) {
    if (found === own[current]) return { state: 'set' };
    return { state: 'offered', method, params: { [id === 'id' ? 'modeId' : id]: found } };
  }
  const option = optionOf(session, what);
  const values = valuesIn(option?.['options']);
  const value = values.find((one) => isMeant(one, wanted));
  if (value === undefined) return { state: 'unknown', offers: offersOf([...ids, ...values]) };
  if (value === option?.['currentValue']) return { state: 'set' };
  const params = { configId: option?.['id'], value };
  return { state: 'offered', method: 'session/set_config_option', params };
}

/** The model of a session that has just begun; null if it does not say. */
export function currentModel(session: Fields): string | null {
  const told = fieldsIn(session['models'])['currentModelId'];
  return textOr(told ?? optionOf(session, 'model')?.['currentValue'], null);
}

function optionOf(session: Fields, what: 'mode' | 'model'): Fields | undefined {
  return objectsIn(session['configOptions']).find(
    (one) => one['category'] === what || one['id'] === what,
  );
}

const forms = {
  mode: {
    list: 'availableModes',
    current: 'currentModeId',
    id: 'id',
    method: 'session/set_mode',
  },
  model: {
    list: 'availableModels',
    current: 'currentModelId',
    id: 'modelId',
    method: 'session/set_model',
  },
} as const;

/** Options may stand in groups. */
function valuesIn(options: unknown): readonly string[] {
  return objectsIn(options).flatMap((one) =>
    'options' in one ? valuesIn(one['options']) : textOr(one['value'], ''),
  );
}

/** Some programs name their modes by addresses: `https://…/session-modes#plan`. */
function isMeant(id: string, wanted: string): boolean {
  return id !== '' && (id === wanted || id.endsWith(`#${wanted}`));
}

function offersOf(names: readonly string[]): string {
  const known = [...new Set(names)].filter((name) => name !== '').slice(0, 12);
  return known.length === 0 ? '' : `; it offers ${known.join(', ')}`;
}
