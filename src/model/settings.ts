// Lists all settings: path, shape, default, variable, flag, trust.
import { apiSettings } from './api-settings.ts';
import { budgetSettings } from './budget.ts';
import { critiqueSettings } from './critique-settings.ts';
import { conversationSettings } from './conversation-settings.ts';
import { chosenPhases } from './phase-choice.ts';
import { mcpSettings } from './mcp-settings.ts';
import { executionSettings } from './execution-settings.ts';
import { searchSettings } from './search-settings.ts';
import { type Setting, type ShapeParts, setting } from './setting.ts';

const text = ({ z }: ShapeParts) => z.string();
const texts = ({ z }: ShapeParts) => z.array(z.string());
const named = ({ z }: ShapeParts) => z.record(z.string(), z.string());
const onOff = ({ z }: ShapeParts) => z.boolean();
/** More than there are vendors: as many as there are. */
export const mostReaders = 20;
const seconds = ({ z }: ShapeParts) => z.number().positive().max(86_400);
const modelName = ({ modelName: shape }: ShapeParts) => shape;

/** Every setting. Times in seconds. Whatever knows settings derives from here. */
export const settingsTable = {
  autoYes: setting('workflow.auto_yes', {
    about: 'take the recommended answers, without asking',
    shape: onOff,
    default: false,
    flag: '-y, --auto-yes',
    takenBy: ['plan', 'critique', 'execute'],
  }),
  tools: setting('workflow.tools', {
    about: 'the agents to ask; "local" stands for the built-in analysts',
    shape: ({ z }) => z.array(z.string()).min(1),
    default: ['gemini', 'codex'],
    flag: '--tools <A,B>',
    takenBy: ['plan', 'critique'],
    untrusted: 'among',
    names: 'agents',
    ofSession: 'always',
  }),
  fallbackChain: setting('workflow.fallback_chain', {
    about: 'who takes the place of an agent that is not ready or fails, best first',
    shape: texts,
    default: ['gemini', 'codex', 'claude', 'copilot', 'opencode'],
    untrusted: 'among',
    names: 'agents',
    ofSession: 'always',
  }),
  mode: setting('workflow.mode', {
    about: 'ask the agents in "parallel" or "serial"',
    shape: ({ z }) => z.enum(['parallel', 'serial']),
    default: 'parallel',
    flag: '--mode <MODE>',
    untrusted: 'any',
    ofSession: 'always',
  }),
  maxRounds: setting('workflow.max_rounds', {
    about: 'stop discussing after this many rounds (1 to 20)',
    shape: ({ z }) => z.int().min(1).max(20),
    default: 3,
    flag: '--max-rounds <N>',
    untrusted: 'at-most',
    ofSession: 'always',
  }),
  constraints: setting('workflow.constraints', {
    about: 'what the plan must respect; all sources count together',
    shape: texts,
    example: ['No new dependency'],
    flag: '--constraint <TEXT>',
    untrusted: 'as-data',
    addsUp: true,
    ofSession: 'always',
  }),
  requireConvergence: setting('workflow.require_convergence', {
    about: 'end with 4, before any plan, if the agents do not converge',
    shape: onOff,
    default: false,
    flag: '--require-convergence',
    untrusted: { only: true },
    ofSession: 'always',
  }),
  planReaders: setting('workflow.plan_readers', {
    about: 'how many other vendors read a finished plan, the cheapest first; 0 for none',
    shape: ({ z }) => z.int().min(0).max(mostReaders),
    default: 1,
    untrusted: 'at-most',
    ofSession: 'always',
  }),
  role: setting('workflow.role', {
    about: 'the role in which agents plan and review: planner, codereviewer, or one of your own',
    shape: ({ modelName: shape }) => shape,
    example: 'planner',
    flag: '--role <ROLE>',
    ofSession: 'always',
  }),
  depth: setting('workflow.depth', {
    about: `"quick": one round, no plan readers; "deep": three rounds, all vendors read the plan; what is set itself wins`,
    shape: ({ z }) => z.enum(['quick', 'normal', 'deep']),
    default: 'normal',
    flag: '--depth <DEPTH>',
    ofSession: 'always',
  }),
  timeout: setting('workflow.timeout', {
    about: 'seconds that one agent run may take',
    shape: seconds,
    default: 900,
    flag: '--timeout <S>',
    untrusted: 'at-most',
    ofSession: 'by-flag',
  }),
  firstOutputTimeout: setting('workflow.first_output_timeout', {
    about: 'seconds that an agent may take to its first output',
    shape: seconds,
    default: 120,
    untrusted: 'at-most',
  }),
  idleTimeout: setting('workflow.idle_timeout', {
    about: 'seconds that an agent may be silent after that',
    shape: seconds,
    default: 300,
    untrusted: 'at-most',
  }),
  killGrace: setting('workflow.kill_grace', {
    about: 'seconds between SIGTERM and SIGKILL',
    shape: ({ z }) => z.number().min(0).max(60),
    default: 5,
    untrusted: 'at-most',
  }),
  notify: setting('workflow.notify', {
    about: 'ring the bell, set the title and notify when an answer is needed and at the end',
    shape: onOff,
    default: true,
  }),
  planner: setting('agent.cli', {
    about:
      'the agent that writes the plan; where neither it nor model is set, one of the discussion',
    shape: text,
    default: 'claude',
    variable: 'CONCLAVE_AGENT',
    names: 'models',
    ofSession: 'always',
  }),
  plannerModel: setting('agent.model', {
    about: 'its model',
    shape: modelName,
    example: 'NAME',
    ofSession: 'always',
  }),
  agentEnabled: setting('agents.*.enabled', {
    about: 'false takes the agent out of every run',
    shape: onOff,
    default: true,
    untrusted: { only: false },
  }),
  agentModel: setting('agents.*.model', {
    about: 'the model of an agent',
    shape: modelName,
    example: 'NAME',
    flag: '--model <AGENT=NAME>',
    takenBy: ['plan', 'execute'],
    ofSession: 'always',
  }),
  agentEffort: setting('agents.*.effort', {
    about: 'how hard the model thinks (all but gemini), in the words of that CLI',
    shape: modelName,
    example: 'high',
    ofSession: 'always',
  }),
  agentPath: setting('agents.*.path', {
    about: 'the program to start instead of the one on PATH',
    shape: text,
    example: '/path/to/the/program',
    holds: 'program',
  }),
  agentArgs: setting('agents.*.args', {
    about: 'arguments put before our own',
    shape: texts,
    default: [],
    variable: '',
    holds: 'arguments',
  }),
  agentAllowFlags: setting('agents.*.allow_flags', {
    about: 'flags that a host may pass to its program by work_with; "*" stands for all of them',
    shape: texts,
    default: [],
    example: ['--search'],
    variable: '',
  }),
  agentEnv: setting('agents.*.env', {
    about: 'variables added for this agent',
    shape: named,
    default: {},
    example: { NAME: 'value' },
    isSecret: true,
  }),
  agentIsolation: setting('agents.*.isolation', {
    about:
      'what keeps MCP servers and hooks out: "flags", a "home" of its own, or "none" where it may edit',
    shape: ({ z }) => z.enum(['flags', 'home', 'none']),
    example: 'home',
  }),
  agentVendor: setting('agents.*.vendor', {
    about: 'who provides the model that answers',
    shape: text,
    example: 'my-vendor',
  }),
  agentTimeout: setting('agents.*.timeout', {
    about: 'seconds for one run, in place of workflow.timeout',
    shape: seconds,
    example: 900,
    untrusted: 'at-most',
  }),
  modelProvider: setting('models.*.provider', {
    about: 'who provides this model, where its agent has no vendor',
    shape: text,
  }),
  modelCli: setting('models.*.cli', {
    about: 'the agent of this model: the planner where agent.model names it without agent.cli',
    shape: text,
    names: 'models',
  }),
  ...apiSettings,
  ...budgetSettings,
  ...executionSettings,
  ...searchSettings,
  ...conversationSettings,
  ...mcpSettings,
  ...critiqueSettings,
  phaseIsDestructive: setting('phases.*.is_destructive', {
    about: 'true makes a phase that changes files, execution, do one task at a time',
    shape: onOff,
    default: false,
    untrusted: { only: true },
  }),
  phaseDestructive: setting('phases.*.destructive', {
    about: 'another name of is_destructive',
    shape: onOff,
    untrusted: { only: true },
  }),
  phaseAgent: setting('phases.*.agent', {
    about: `who does the work of a phase: ${chosenPhases.join(', ')}`,
    shape: text,
    names: 'models',
    example: 'NAME',
    ofSession: 'always',
  }),
  phaseModel: setting('phases.*.model', {
    about: 'the model of that agent in this phase',
    shape: modelName,
    example: 'NAME',
    ofSession: 'always',
  }),
  phaseEffort: setting('phases.*.effort', {
    about: 'its effort in this phase, in the words of its CLI',
    shape: modelName,
    example: 'high',
    ofSession: 'always',
  }),
  planSchema: setting('schemas.plan', {
    about: 'a JSON Schema of yours that the plan must fulfil besides ours',
    shape: text,
    example: 'plan.extension.json',
    holds: 'file',
  }),
  taskSchema: setting('schemas.task', {
    about: 'the same for each task',
    shape: text,
    holds: 'file',
  }),
};

/** All of them, in the order of their tables. */
export const settingsList: readonly Setting[] = Object.values(settingsTable);
