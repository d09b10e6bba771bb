// Runs `conclave validate` and `conclave schema`.
import { resolve } from 'node:path';
import { openRepository } from '../git/open-repository.ts';
import type { Base } from '../model/context.ts';
import { Stopped, wrongUsage } from '../model/failure.ts';
import { SessionId } from '../model/ids.ts';
import { type Finding, blockingIn } from '../model/finding.ts';
import { isSchemaName, jsonSchemaOf, schemaNames } from '../model/published.ts';
import type { Exists } from '../phases/planning/check-plan.ts';
import { validateFolder } from '../phases/planning/validate-folder.ts';
import { schemaCheck } from '../store/published-schemas.ts';
import { listSessionIds, openSessionFolder } from '../store/session-folder.ts';
import { suggestion } from '../app/closest-name.ts';
import { isFolder } from '../app/folders.ts';
import { printJson, printLines, printTable, printWarnings } from './output.ts';
import type { CommonOptions } from './program/options.ts';
import { latestSaved } from '../app/saved-session.ts';
import { loadSettings } from '../app/settings/load-settings.ts';

/** `conclave validate`: checks the files of a session; 6 if something blocks its plan. */
export async function validateCommand(
  target: string | undefined,
  { cwd, root, json }: CommonOptions,
): Promise<number> {
  const folder = await folderOf(target, { root, cwd });
  const settings = await loadSettings({ root });
  printWarnings(settings.warnings);
  const schemas = await schemaCheck({ extensions: settings.schemas });
  const findings = await validateFolder({
    folder,
    check: (name, value) => schemas.check(name, value),
    existsAt: async (base) => (base === null ? null : await existsAt(root, base)),
  });
  const blocking = blockingIn({ findings }).length;
  if (json) printJson({ folder, valid: blocking === 0, findings });
  else show(folder, findings);
  return blocking === 0 ? 0 : 6;
}

/** Null where the base is not in this repository any more, never was, or is no commit. */
async function existsAt(root: string, base: Base): Promise<Exists | null> {
  // What was there without git, nobody can say any more.
  if (base.commit === null) return null;
  try {
    const { signal } = new AbortController();
    const repository = await openRepository({ root, base, snapshots: null, signal });
    return (path) => repository.exists(path);
  } catch (error) {
    if (error instanceof Stopped && error.failure.reason === 'base-gone') return null;
    throw error;
  }
}

async function folderOf(
  target: string | undefined,
  { root, cwd }: { root: string; cwd: string },
): Promise<string> {
  const ids = await listSessionIds(root);
  const none = 'There is no saved session here; name a folder: conclave validate DIR';
  const id = target ?? (await latestSaved(root, none));
  if (ids.includes(id)) return (await openSessionFolder(root, id)).path;
  const folder = resolve(cwd, id);
  if (await isFolder(folder)) return folder;
  if (SessionId.safeParse(id).success)
    throw new Stopped({ reason: 'session-unknown', session: id });
  throw wrongUsage(`There is no folder ${folder} to check.`);
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

/** `conclave schema`: the published JSON Schema of one file, or the names of all. */
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
