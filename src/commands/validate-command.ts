// Runs `conclave validate`.
import { loadSettings } from '../app/settings/load-settings.ts';
import { validate } from '../app/validate-plan.ts';
import { type Finding, blockingIn } from '../model/finding.ts';
import { printTable } from './columns.ts';
import { printJson, printLines, printWarnings } from './output.ts';
import type { CommonOptions } from './program/shared-options.ts';

/** Checks the files of a session; the exit code is 6 if something blocks its plan. */
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
