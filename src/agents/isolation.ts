import type { AgentRequest } from './agent.ts';
import type { CliSetup } from './cli-setup.ts';
import { toolsOf } from './permission.ts';

/** With its isolation. A hook or a server could write, so who may only read is never without. */
export function isolated(request: AgentRequest, { adapter, settings }: CliSetup): AgentRequest {
  const [usual] = adapter.isolations ?? [];
  const { isolation: chosen = usual } = settings;
  const isOpen = chosen === 'none' && !toolsOf(request).has('file_write');
  return { ...request, isolation: isOpen ? usual : chosen };
}

/** Whether its login is looked for in a home of its own, where there is none. */
export function losesLogin({ adapter, settings }: CliSetup): boolean {
  return settings.isolation === 'home' && adapter.isolations?.[0] !== 'home';
}

/** What a person should know of an isolation that is not the default. */
export function isolationNotes(setup: CliSetup): readonly string[] {
  if (losesLogin(setup)) {
    return ['it takes a key from its environment; a login kept in your home is not seen'];
  }
  if (setup.settings.isolation !== 'none') return [];
  return [
    'your MCP servers and hooks run wherever it may edit, and no permission binds them',
    'so do those of the project, where the CLI trusts it',
    'they stay out where it may only read, as they could write',
  ];
}
