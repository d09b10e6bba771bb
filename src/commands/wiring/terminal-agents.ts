import type { Agent } from '../../agents/agent.ts';
import { agentPool } from '../../agents/pool.ts';
import type { AgentStanding } from '../../faces/tui/ports.ts';
import { partOf, reportOf, withLogin } from '../agents.ts';
import { analystNames } from '../settings/defaults.ts';
import type { Settings } from '../settings/load-settings.ts';
import type { Ground } from './terminal-ports.ts';

/**
 * Shows every agent as `looking`, each again when it has told its version, and again where it turns
 * out not to be logged in. The repository is not opened for it: the built-in analysts are always
 * ready.
 */
export async function probeAgents(
  { settings }: Ground,
  show: (standing: AgentStanding) => void,
): Promise<void> {
  const { signal } = new AbortController();
  const pool = agentPool({ settings: settings.agents, environment: process.env, analysts: [] });
  const models = pool.models();
  for (const agent of models) show(standingOf(agent, settings));
  for (const analyst of analystsOf(settings)) show(analyst);
  await Promise.all(
    models.map(async (agent) => {
      const login = pool.adapterOf(agent.name)?.login ?? null;
      const tell = ({ state, version, why, remedy }: ReturnType<typeof reportOf>) =>
        show({ ...standingOf(agent, settings), state, version, why, remedy, login });
      const report = reportOf(agent, settings, await agent.ready(signal));
      tell(report);
      if (report.state !== 'ready') return;
      const loggedIn = withLogin(report, await pool.checkLogin(agent.name, signal));
      if (loggedIn.state !== report.state) tell(loggedIn);
    }),
  );
}

function analystsOf(settings: Settings): readonly AgentStanding[] {
  return analystNames
    .filter((name) => settings.agents[name]?.enabled !== false)
    .map((name) => ({ ...standingOf({ name, kind: 'analyst' }, settings), state: 'ready' }));
}

function standingOf(agent: Pick<Agent, 'name' | 'kind'>, settings: Settings): AgentStanding {
  const { tools, fallback_chain: chain } = settings.run;
  const turn = [...new Set([...tools, ...chain, ...analystNames])].indexOf(agent.name);
  return {
    name: agent.name,
    kind: agent.kind,
    state: 'looking',
    version: null,
    model: settings.agents[agent.name]?.model ?? null,
    part: partOf(agent, settings),
    turn: turn === -1 ? null : turn,
    why: null,
    remedy: null,
    login: null,
  };
}
