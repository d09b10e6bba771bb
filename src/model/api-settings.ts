// Lists the settings of agents that are models behind an API, speak ACP, or are other names of a CLI.
import { type ShapeParts, setting } from './setting.ts';

/** The providers of models that can be asked without a CLI. */
export const providerNames = ['openai', 'anthropic', 'google', 'xai', 'compatible'] as const;
export type ProviderName = (typeof providerNames)[number];

const price = ({ z }: ShapeParts) => z.number().min(0).max(100_000);

/** Fewer hold no plan with its schema. */
const leastContext = 8_192;

/** Entries of the table of settings. */
export const apiSettings = {
  agentProvider: setting('agents.*.provider', {
    about: `makes it a model behind an API: ${providerNames.join(', ')}; it reads the repository and edits nothing`,
    shape: ({ z }) => z.enum(providerNames),
  }),
  agentCli: setting('agents.*.cli', {
    about:
      'makes it another name of a CLI, with a model and settings of its own beside those of that CLI',
    shape: ({ z }) => z.string(),
    ofSession: 'always',
  }),
  agentAcp: setting('agents.*.acp', {
    about:
      'makes it a program that speaks the Agent Client Protocol: its command, with its arguments',
    shape: ({ z }) => z.array(z.string().min(1)).min(1),
    variable: '',
    holds: 'arguments',
  }),
  agentMode: setting('agents.*.mode', {
    about: 'the mode of its own in which an ACP agent plans, one that only reads',
    shape: ({ z }) => z.string().min(1),
  }),
  agentBaseUrl: setting('agents.*.base_url', {
    about: 'where its API is; needed for "compatible"',
    shape: ({ z }) =>
      z.url({
        protocol: /^https?$/,
        error: ({ input }) =>
          `must be an address that begins with http:// or https://, not ${JSON.stringify(input)}`,
      }),
  }),
  agentKeyEnv: setting('agents.*.key_env', {
    about: 'the variable that holds its key, in place of the provider’s own',
    shape: ({ z }) =>
      z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, {
        error: ({ input }) => `must be the name of a variable, not ${JSON.stringify(input)}`,
      }),
  }),
  agentKeyCommand: setting('agents.*.key_command', {
    about: 'a program that prints its key, run once where no variable holds one',
    shape: ({ z }) => z.array(z.string().min(1)).min(1),
    variable: '',
  }),
  agentContextTokens: setting('agents.*.context_tokens', {
    about: 'the tokens that its model takes; prompts shrink to it',
    shape: ({ z }) => z.int().min(leastContext),
  }),
  modelPrices: setting('models.*.usd_per_million', {
    about:
      'what a million tokens cost in US dollars, for models behind an API; without it, only tokens count',
    shape: (shapes) =>
      shapes.z.strictObject({
        input: price(shapes),
        output: price(shapes),
        cached: price(shapes).optional(),
      }),
  }),
};
