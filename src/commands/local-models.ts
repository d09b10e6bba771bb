// Offers the local models that answer on this machine; none is used without being chosen.
import {
  nameForServer,
  findLocalServers,
  type LocalServer,
  offerOf,
  settingOf,
  usualPlaces,
} from '../agents/api/local-servers.ts';
import type { Settings } from '../app/settings/load-settings.ts';

/** Lists the servers of local models that answer here and that no agent uses; none is used without being chosen. */
export async function localOffers(
  settings: Settings,
  environment: NodeJS.ProcessEnv,
  places = usualPlaces(environment),
): Promise<readonly string[]> {
  return (await unusedServers(settings, places)).map(offerOf);
}

async function unusedServers(
  settings: Settings,
  places: ReturnType<typeof usualPlaces>,
): Promise<readonly LocalServer[]> {
  const known = Object.values(settings.agents).map(({ api }) => api?.baseUrl?.replace(/\/+$/, ''));
  const found = await findLocalServers(places);
  return found.filter(
    ({ baseUrl }) => !known.some((one) => one !== undefined && baseUrl.startsWith(one)),
  );
}

/** Reports the same servers as agents that are not set up. */
export async function offerLocalAgents(settings: Settings, environment: NodeJS.ProcessEnv) {
  const servers = await unusedServers(settings, usualPlaces(environment));
  return servers.flatMap((server) => {
    const [model] = server.models;
    const name = nameForServer(server);
    if (model === undefined || name in settings.agents) return [];
    const offer = {
      name,
      kind: 'model',
      transport: 'api',
      address: server.baseUrl,
      state: 'offered',
      login_state: 'unknown',
      version: null,
      path: null,
      model,
      vendor: null,
      part: 'not used',
      turn: null,
      why: `${server.label} answers on this machine`,
      remedy: `To use it, put this into your settings:\n${settingOf(server, model)}`,
      login: null,
    } as const;
    return [offer];
  });
}
