// Lists the settings of agents, models and phases.
import { chosenPhases } from './phase-choice.ts';
import {
  type ShapeParts,
  someText,
  modelName,
  textByName,
  oneOf,
  onOff,
  seconds,
  text,
  texts,
  whole,
  words,
  setting,
} from './setting.ts';

/** The names of the built-in analysts, which use no model. */
export const analystNames: readonly string[] = ['structure', 'history'];

/** The providers of models that can be asked without a CLI. */
export const providerNames = ['openai', 'anthropic', 'google', 'xai', 'compatible'] as const;
export type ProviderName = (typeof providerNames)[number];

/** The smallest context, in tokens, that holds a plan with its schema. */
const leastContext = 8_192;

const price = ({ z }: ShapeParts) => z.number().min(0).max(100_000);

/** The tables of settings for agents, models and phases. Times are in seconds. */
export const agentTables = {
  agent: {
    cli: setting('agent.cli', {
      about:
        'the agent that writes the plan; where neither it nor model is set, one of the discussion',
      shape: text,
      default: 'claude',
      variable: 'CONCLAVE_AGENT',
      names: 'models',
      ofSession: 'always',
    }),
    model: setting('agent.model', {
      about: 'its model',
      shape: modelName,
      example: 'NAME',
      variable: 'CONCLAVE_AGENT_MODEL',
      ofSession: 'always',
    }),
  },
  agents: {
    enabled: setting('agents.*.enabled', {
      about: 'false takes the agent out of every run',
      shape: onOff,
      default: true,
      untrusted: { only: false },
    }),
    model: setting('agents.*.model', {
      about: 'the model of an agent',
      shape: modelName,
      example: 'NAME',
      flag: '--model <AGENT=NAME>',
      takenBy: ['plan', 'execute'],
      ofSession: 'always',
    }),
    effort: setting('agents.*.effort', {
      about: 'how hard the model thinks (all but gemini), in the words of that CLI',
      shape: modelName,
      example: 'high',
      ofSession: 'always',
    }),
    path: setting('agents.*.path', {
      about: 'the program to start instead of the one on PATH',
      shape: text,
      example: '/path/to/the/program',
      holds: 'program',
    }),
    args: setting('agents.*.args', {
      about: 'arguments put before our own',
      shape: texts,
      default: [],
      holds: 'arguments',
    }),
    allowFlags: setting('agents.*.allow_flags', {
      about: 'flags that a host may pass to its program by work_with; "*" stands for all of them',
      shape: texts,
      default: [],
      example: ['--search'],
    }),
    env: setting('agents.*.env', {
      about: 'variables added for this agent',
      shape: textByName,
      default: {},
      example: { NAME: 'value' },
      isSecret: true,
    }),
    isolation: setting('agents.*.isolation', {
      about:
        'what keeps MCP servers and hooks out: "flags", a "home" of its own, or "none" where it may edit',
      shape: oneOf('flags', 'home', 'none'),
      example: 'home',
    }),
    vendor: setting('agents.*.vendor', {
      about: 'who provides the model that answers',
      shape: text,
      example: 'my-vendor',
    }),
    timeoutMs: setting('agents.*.timeout', {
      about:
        'seconds for one run, instead of workflow.timeout, and of the 1800 of "work" and the 300 of "consult"',
      shape: seconds,
      example: 900,
      untrusted: 'at-most',
      isTime: true,
    }),
    provider: setting('agents.*.provider', {
      about: `makes it a model behind an API: ${providerNames.join(', ')}; it reads the repository and edits nothing`,
      shape: oneOf(...providerNames),
    }),
    cli: setting('agents.*.cli', {
      about:
        'makes it another name of a CLI, with a model and settings of its own beside those of that CLI',
      shape: text,
      ofSession: 'always',
    }),
    acp: setting('agents.*.acp', {
      about:
        'makes it a program that speaks the Agent Client Protocol: its command, with its arguments',
      shape: words,
      holds: 'arguments',
    }),
    mode: setting('agents.*.mode', {
      about: 'the mode of its own in which an ACP agent plans, one that only reads',
      shape: someText,
    }),
    baseUrl: setting('agents.*.base_url', {
      about: 'where its API is; needed for "compatible"',
      shape: ({ z }) =>
        z.url({
          protocol: /^https?$/,
          error: ({ input }) =>
            `must be an address that begins with http:// or https://, not ${JSON.stringify(input)}`,
        }),
    }),
    keyEnv: setting('agents.*.key_env', {
      about: 'the variable that holds its key, instead of the provider’s own',
      shape: ({ z }) =>
        z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, {
          error: ({ input }) => `must be the name of a variable, not ${JSON.stringify(input)}`,
        }),
    }),
    keyCommand: setting('agents.*.key_command', {
      about: 'a program that prints its key, run once where no variable holds one',
      shape: words,
    }),
    atOnce: setting('agents.*.at_once', {
      about: 'the most runs of it at once in a session, on all machines together',
      shape: ({ z }) => z.int().min(1).max(64),
      example: 2,
    }),
    contextTokens: setting('agents.*.context_tokens', {
      about: 'the tokens that its model takes; prompts shrink to it',
      shape: whole(leastContext),
    }),
  },
  models: {
    prices: setting('models.*.usd_per_million', {
      about:
        'what a million tokens cost in US dollars, for models behind an API; without it, only tokens count',
      shape: (shapes) =>
        shapes.z.strictObject({
          input: price(shapes),
          output: price(shapes),
          cached: price(shapes).optional(),
        }),
    }),
  },
  phases: {
    isDestructive: setting('phases.*.is_destructive', {
      about: 'true makes a phase that changes files, execution, do one task at a time',
      shape: onOff,
      default: false,
      alias: 'destructive',
      untrusted: { only: true },
    }),
    agent: setting('phases.*.agent', {
      about: `who does the work of a phase: ${chosenPhases.join(', ')}`,
      shape: text,
      names: 'models',
      example: 'NAME',
      ofSession: 'always',
    }),
    model: setting('phases.*.model', {
      about: 'the model of that agent in this phase',
      shape: modelName,
      example: 'NAME',
      ofSession: 'always',
    }),
    machine: setting('phases.*.machine', {
      about: 'the machine on which the agents run',
      shape: text,
      example: 'build-1',
      flag: '--machine <NAME>',
      flagName: 'all',
      takenBy: ['plan', 'execute'],
      isOfUser: true,
    }),
    effort: setting('phases.*.effort', {
      about: 'its effort in this phase, in the words of its CLI',
      shape: modelName,
      example: 'high',
      ofSession: 'always',
    }),
  },
};
