// Lists in a few words the names that can be used for agents, and the models that each stands for.
import { adapters } from '../agents/cli/list.ts';
import type { Settings } from './settings/load-settings.ts';

/** Writes the list, e.g. `claude (opus, claude-*), opencode (PROVIDER/MODEL), quick (haiku of claude)`. */
export function nameModels({ agents }: Pick<Settings, 'agents'>): string {
  const clis = adapters.map(({ name, aliases = [], models = [] }) => {
    return [name, [...aliases, ...models.map(patternOf)].join(', ')] as const;
  });
  const isCli = (name: string) => clis.some(([cli]) => cli === name);
  const own = Object.entries(agents)
    .filter(([name]) => !isCli(name))
    .map(([name, { model, cli, api }]) => [name, ownModel(model, api?.provider ?? cli)] as const);
  return [...clis, ...own]
    .filter(([name]) => agents[name]?.enabled !== false)
    .map(([name, models]) => (models === '' ? name : `${name} (${models})`))
    .join(', ');
}

/** The start of model names as people write it, e.g. `claude-*` or `PROVIDER/MODEL`. */
function patternOf(begin: string): string {
  if (begin === '/') return 'PROVIDER/MODEL';
  return begin.endsWith('#') ? `${begin.slice(0, -1)}3` : `${begin}*`;
}

function ownModel(model: string | undefined, carrier: string | undefined): string {
  if (model === undefined) return carrier ?? '';
  return carrier === undefined ? model : `${model} of ${carrier}`;
}
