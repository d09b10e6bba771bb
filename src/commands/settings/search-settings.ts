import { contextSettings } from './context-settings.ts';
import { defaultValues } from './default-values.ts';
import type { Settings } from './load-settings.ts';
import { findProjectFile, userConfigFile } from './locations.ts';
import { isThere } from '../working-folder.ts';

/** What of the settings a search goes by. */
export type SearchSettings = Pick<Settings, 'context' | 'warnings'> & {
  readonly limits: Pick<Settings['limits'], 'graceMs'>;
};

/**
 * As `loadSettings`. Where nothing is set, what reads and checks settings is not loaded: that takes
 * as long as the rest of the start.
 */
export async function searchSettings(place: {
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
}): Promise<SearchSettings> {
  if (await isAnythingSet(place)) {
    const { loadSettings } = await import('./load-settings.ts');
    return await loadSettings({ ...place, flags: {} });
  }
  const { workflow, context } = defaultValues;
  return {
    context: contextSettings(context, new Map()),
    limits: { graceMs: workflow.kill_grace * 1000 },
    warnings: [],
  };
}

async function isAnythingSet({
  cwd,
  environment,
}: Parameters<typeof searchSettings>[0]): Promise<boolean> {
  return (
    Object.keys(environment).some((name) => name.startsWith('CONCLAVE_')) ||
    (await isThere(userConfigFile(environment))) ||
    (await findProjectFile(cwd)) !== null
  );
}
