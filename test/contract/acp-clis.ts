import { acpSetup } from '../../src/agents/acp/acp-setup.ts';
import { presets } from '../../src/agents/acp/programs.ts';
import { type RealCli, testKey } from './real-clis.ts';

function adapterOf(name: string): RealCli['adapter'] {
  const command = presets.get(name)?.command;
  if (command === undefined) throw new Error(`${name} is no known program`);
  return acpSetup({ name, acp: { command }, settings: {}, environment: {} }).adapter;
}

const common = {
  takesId: false,
  vendor: 'stub',
  model: 'stub-model',
  settings: () => ({}),
} as const;

/** The programs that are known only by the Agent Client Protocol, as far as npm has them. */
export const acpClis = {
  droid: {
    ...common,
    adapter: adapterOf('droid'),
    unbound: adapterOf('droid'),
    version: '0.225.2',
    startsWithin: 12_000,
    dialect: 'droid',
    own: /^home\/\./,
    login: {},
    // It asks nobody on the network but its model, then.
    environment: () => ({ FACTORY_API_KEY: testKey, FACTORY_AIRGAP_ENABLED: 'true' }),
  },
  qwen: {
    ...common,
    adapter: adapterOf('qwen'),
    unbound: adapterOf('qwen'),
    version: '0.24.4',
    startsWithin: 25_000,
    dialect: 'qwen',
    own: /^home\/\./,
    login: { '.qwen/settings.json': '{"security":{"auth":{"selectedType":"openai"}}}' },
    environment: (url) => ({
      OPENAI_BASE_URL: `${url}/qwen/v1`,
      OPENAI_API_KEY: testKey,
      OPENAI_MODEL: 'stub-model',
    }),
  },
} as const satisfies Readonly<Record<string, RealCli>>;

/** The settings of droid with which it asks the model server. */
export const droidFiles = (url: string) => ({
  '.factory/settings.json': JSON.stringify({
    sessionDefaultSettings: { model: 'custom:Stub-0' },
    customModels: [
      {
        model: 'stub-model',
        displayName: 'Stub',
        baseUrl: `${url}/droid/v1`,
        apiKey: testKey,
        provider: 'generic-chat-completion-api',
        maxOutputTokens: 16_384,
      },
    ],
  }),
});
