import { Stopped } from '../model/failure.ts';
import { type SchemaName, jsonSchemaOf, published } from '../model/published.ts';
import { nearest } from './nearest.ts';
import { printJson, printLines } from './output.ts';

/** `conclave schema`: the published JSON Schema of one file, or the names of all. */
export async function run(name: string | undefined): Promise<number> {
  const names = Object.keys(published);
  if (name === undefined) printLines(...names);
  else if (isPublished(name)) printJson(jsonSchemaOf(name));
  else throw unknown(name, names);
  return 0;
}

function isPublished(name: string): name is SchemaName {
  return Object.hasOwn(published, name);
}

function unknown(name: string, names: readonly string[]): Stopped {
  const near = nearest(name, names);
  const hint = near === null ? '' : `Did you mean ${near}? `;
  const message = `There is no schema "${name}". ${hint}There are: ${names.join(', ')}.`;
  return new Stopped({ reason: 'usage', message });
}
