// Reads the list of models that Codex prints of itself.
import { jsonIn } from '../../model/json.ts';
import { fieldsIn, objectsIn, textOr } from './adapter-parts.ts';

/** Those that it shows to people; with a login, the list is that of the account. */
export const codexCatalogue = {
  argv: ['debug', 'models'],
  names: (output: string): readonly string[] =>
    objectsIn(fieldsIn(jsonIn(output))['models'])
      .filter(({ visibility }) => visibility === 'list')
      .map(({ slug }) => textOr(slug, ''))
      .filter((name) => name !== ''),
};
