// Reads the text of a role: the user's own, a trusted project's, or a built-in one.
import { join } from 'node:path';
import { readRole, roleFolders } from '../conversation/find-role.ts';
import { settingsTable } from '../model/settings.ts';
import { rolesFolder } from './folders.ts';
import type { Workplace } from './workplace.ts';

/** Reads a role’s text; a project’s roles count only if its settings are trusted. Throws like `readRole`. */
export async function roleText(
  name: string,
  { root, environment, settings }: Workplace,
): Promise<string> {
  const ofProject = { path: join(root, '.workflow/roles'), within: root };
  const ofUser = { path: rolesFolder(environment), within: null };
  const own = settings.files.project?.trusted === true ? [ofProject, ofUser] : [ofUser];
  return await readRole(name, roleFolders(own));
}

/** The text of the role in which agents plan; null if none is set. Throws like `readRole`. */
export async function planningRole(workplace: Workplace): Promise<string | null> {
  const name = workplace.settings.read(settingsTable.workflow.role);
  return name === undefined ? null : await roleText(name, workplace);
}
