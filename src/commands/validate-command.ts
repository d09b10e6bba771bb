// Runs `conclave validate` and `conclave schema`.
import { suggestion } from '../app/closest-name.ts';
import { loadSettings } from '../app/settings/load-settings.ts';
import { validate } from '../app/validate-plan.ts';
import { type Stopped, wrongUsage } from '../model/failure.ts';
import { type Finding, blockingIn } from '../model/finding.ts';
import { isSchemaName, jsonSchemaOf, schemaNames } from '../model/published.ts';
import { printTable } from './columns.ts';
import { printJson, printLines, printWarnings } from './output.ts';
import type { CommonOptions } from './program/shared-options.ts';

/** Checks the files of a session; 6 if something blocks its plan. */
export async function validateCommand(
  target: string | undefined,
  { cwd, root, environment, json }: CommonOptions,
): Promise<number> {
  const settings = await loadSettings({ root, environment });
  const { folder, findings } = await validate({ target, cwd, root, environment, settings });
  printWarnings(settings.warnings);
  const blocking = blockingIn({ findings }).length;
  if (json) printJson({ folder, valid: blocking === 0, findings });
  else show(folder, findings);
  return blocking === 0 ? 0 : 6;
}

function show(folder: string, findings: readonly Finding[]): void {
  if (findings.length === 0) {
    printLines(`No problem found in ${folder}.`);
    return;
  }
  printTable({
    head: ['SEVERITY', 'FILE', 'AT', 'RULE', 'FINDING'],
    rows: findings.map((one) => [one.severity, one.file, one.pointer, one.rule, one.message]),
  });
}

/** Prints the published JSON Schema of one file, or the names of all. */
export async function schemaCommand(name: string | undefined): Promise<number> {
  if (name === undefined) printLines(...schemaNames);
  else if (isSchemaName(name)) printJson(jsonSchemaOf(name));
  else throw noSchema(name);
  return 0;
}

function noSchema(name: string): Stopped {
  const hint = suggestion(name, schemaNames);
  return wrongUsage(`There is no schema "${name}".${hint} There are: ${schemaNames.join(', ')}.`);
}
