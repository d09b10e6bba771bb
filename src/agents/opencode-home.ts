import { join } from 'node:path';
import type { AgentRequest, RunFile, UserSide } from './agent.ts';
import { providersFor } from './opencode-login.ts';
import { configHome, ownProviders } from './opencode-settings.ts';

/** The agent of a run that has a role: opencode takes one only as the prompt of an agent. */
export const roleAgent = 'conclave';

/**
 * A folder in the place of the user’s `~/.config`, so that their servers, plugins, agents, commands
 * and instructions stay out. Of their own settings only the provider that is asked is in it.
 */
export function configFiles(
  request: AgentRequest,
  user: UserSide,
): Readonly<Record<string, RunFile>> {
  if (request.isolation === 'none') return {};
  const { model } = request;
  const providers = providersFor(model, user);
  const own = ownProviders(user);
  const config = {
    $schema: 'https://opencode.ai/config.json',
    autoupdate: false,
    share: 'disabled',
    // Copies of the whole work tree, after each step.
    snapshot: false,
    lsp: false,
    formatter: false,
    // Without this list, models that nobody chose are asked too: opencode’s own free ones.
    enabled_providers: providers,
    provider: Object.fromEntries(providers.flatMap((id) => (id in own ? [[id, own[id]]] : []))),
    ...agentOf(request),
  };
  return {
    'opencode/opencode.json': withoutReferences(config),
    // These two keep it from installing a package for plugins here.
    'opencode/node_modules/.keep': '',
    'opencode/package-lock.json': JSON.stringify({ packages: { '': { dependencies: plugins } } }),
    // Git looks for its settings in the same place.
    git: { linkTo: join(configHome(user), 'git'), kind: 'file' },
  };
}

/** Where it finds its settings: in the folder of the run, or where the user’s are, the role beside. */
export function homeVariables(request: AgentRequest): Readonly<Record<string, string>> {
  const { isolation, filesFolder = '' } = request;
  if (isolation === 'none') return { OPENCODE_CONFIG_CONTENT: escaped(agentOf(request)) };
  return {
    XDG_CONFIG_HOME: filesFolder,
    // Where it looks for `~/.opencode`; the user’s home is still that of all the rest.
    OPENCODE_TEST_HOME: filesFolder,
    OPENCODE_CONFIG: '',
    OPENCODE_PURE: '1',
    OPENCODE_DISABLE_CLAUDE_CODE: '1',
    OPENCODE_DISABLE_EXTERNAL_SKILLS: '1',
  };
}

function agentOf({ role }: AgentRequest) {
  return role === null ? {} : { agent: { [roleAgent]: { mode: 'primary', prompt: role } } };
}

const plugins = { '@opencode-ai/plugin': '*' };

function withoutReferences(config: { readonly agent?: unknown; readonly provider: unknown }) {
  const { provider, ...ours } = config;
  return `${escaped(ours).slice(0, -1)},"provider":${JSON.stringify(provider)}}`;
}

// A role may hold what it would take for the name of a variable or a file, and replace.
function escaped(settings: object): string {
  return JSON.stringify(settings).replaceAll(/\{(?=env:|file:)/g, String.raw`\u007b`);
}
