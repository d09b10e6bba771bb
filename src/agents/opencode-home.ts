import { join } from 'node:path';
import type { AgentRequest, RunFile, UserSide } from './agent.ts';
import { configHome, ownProviders, providersFor } from './opencode-settings.ts';

/** The opencode agent of a run with a role, which it accepts only as the prompt of an agent. */
export const roleAgent = 'conclave';

/**
 * Replaces the user’s `~/.config`, to keep out their servers, plugins, agents, commands and
 * instructions. Of their settings it has only the provider that is used.
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
    // Would copy the whole work tree after each step.
    snapshot: false,
    lsp: false,
    formatter: false,
    // Without this list it may use its own free models, which nobody chose.
    enabled_providers: providers,
    provider: Object.fromEntries(providers.flatMap((id) => (id in own ? [[id, own[id]]] : []))),
    ...agentOf(request),
  };
  return {
    'opencode/opencode.json': withoutReferences(config),
    // These two keep it from installing its plugin package.
    'opencode/node_modules/.keep': '',
    'opencode/package-lock.json': JSON.stringify({ packages: { '': { dependencies: plugins } } }),
    // Git has its settings in the same folder.
    git: { linkTo: join(configHome(user), 'git'), kind: 'file' },
  };
}

/** Where it finds its settings: in the folder of the run, or those of the user and the role. */
export function homeVariables(request: AgentRequest): Readonly<Record<string, string>> {
  const { isolation, filesFolder = '' } = request;
  if (isolation === 'none') return { OPENCODE_CONFIG_CONTENT: escaped(agentOf(request)) };
  return {
    XDG_CONFIG_HOME: filesFolder,
    // Where it looks for `~/.opencode`; everything else still uses the user’s home.
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

// A role may contain `{env:…}` or `{file:…}`, which it would replace.
function escaped(settings: object): string {
  return JSON.stringify(settings).replaceAll(/\{(?=env:|file:)/g, String.raw`\u007b`);
}
