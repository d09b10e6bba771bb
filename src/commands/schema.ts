import { Stopped } from '../model/failure.ts';
import { isSchemaName, jsonSchemaOf, schemaNames } from '../model/published.ts';
import { closestName } from './closest-name.ts';
import { printJson, printLines } from './output.ts';

/** `conclave schema`: the published JSON Schema of one file, or the names of all. */
export async function schemaCommand(name: string | undefined): Promise<number> {
  if (name === undefined) printLines(...schemaNames);
  else if (isSchemaName(name)) printJson(jsonSchemaOf(name));
  else throw unknown(name);
  return 0;
}

function unknown(name: string): Stopped {
  const near = closestName(name, schemaNames);
  const hint = near === null ? '' : `Did you mean ${near}? `;
  const message = `There is no schema "${name}". ${hint}There are: ${schemaNames.join(', ')}.`;
  return new Stopped({ reason: 'usage', message });
}
