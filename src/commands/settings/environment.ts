import { Config } from '../../model/config.ts';
import { Stopped } from '../../model/failure.ts';
import { closestName } from '../closest-name.ts';
import { faultOf } from './issue-text.ts';
import { type Leaf, nest, pathsOf } from './leaf.ts';

type Kind = 'text' | 'number' | 'switch' | 'commas' | 'lines';
interface Variable {
  readonly path: readonly string[];
  readonly kind: Kind;
}

const variables: Readonly<Record<string, Variable>> = {
  CONCLAVE_AGENT: { path: ['agent', 'cli'], kind: 'text' },
  CONCLAVE_AGENT_MODEL: { path: ['agent', 'model'], kind: 'text' },
  CONCLAVE_TOOLS: { path: ['workflow', 'tools'], kind: 'commas' },
  CONCLAVE_FALLBACK_CHAIN: { path: ['workflow', 'fallback_chain'], kind: 'commas' },
  CONCLAVE_MODE: { path: ['workflow', 'mode'], kind: 'text' },
  CONCLAVE_MAX_ROUNDS: { path: ['workflow', 'max_rounds'], kind: 'number' },
  CONCLAVE_CONSTRAINTS: { path: ['workflow', 'constraints'], kind: 'lines' },
  CONCLAVE_REQUIRE_CONVERGENCE: { path: ['workflow', 'require_convergence'], kind: 'switch' },
  CONCLAVE_AUTO_YES: { path: ['workflow', 'auto_yes'], kind: 'switch' },
  CONCLAVE_TIMEOUT: { path: ['workflow', 'timeout'], kind: 'number' },
  CONCLAVE_FIRST_OUTPUT_TIMEOUT: { path: ['workflow', 'first_output_timeout'], kind: 'number' },
  CONCLAVE_IDLE_TIMEOUT: { path: ['workflow', 'idle_timeout'], kind: 'number' },
  CONCLAVE_KILL_GRACE: { path: ['workflow', 'kill_grace'], kind: 'number' },
  CONCLAVE_CONTEXT_PROVIDERS: { path: ['context', 'providers'], kind: 'commas' },
  CONCLAVE_CONTEXT_MAX_FILES: { path: ['context', 'max_files'], kind: 'number' },
  CONCLAVE_CONTEXT_RERANK: { path: ['context', 'rerank'], kind: 'text' },
  CONCLAVE_CONTEXT_TIMEOUT: { path: ['context', 'timeout'], kind: 'number' },
};

const ofOneAgent = {
  ENABLED: 'switch',
  PATH: 'text',
  MODEL: 'text',
  VENDOR: 'text',
  TIMEOUT: 'number',
} as const satisfies Record<string, Kind>;

/**
 * The settings that `CONCLAVE_*` variables make; an empty variable says nothing. A name that is
 * nearly one of ours gives a warning, as other programs may use the prefix as well. Throws
 * `config`, naming the variable, for a value that does not fit.
 */
export function environmentLeaves(environment: NodeJS.ProcessEnv): {
  readonly leaves: readonly Leaf[];
  readonly warnings: readonly string[];
} {
  const leaves: Leaf[] = [];
  const warnings: string[] = [];
  for (const [name, text = ''] of Object.entries(environment)) {
    if (!name.startsWith('CONCLAVE_') || text.trim() === '') continue;
    const variable = variables[name] ?? agentVariable(name);
    if (variable !== null) leaves.push(...leavesOf({ name, text, variable }));
    else warnings.push(...misspelt(name));
  }
  return { leaves, warnings };
}

function agentVariable(name: string): Variable | null {
  const [, agent, key] = /^CONCLAVE_AGENTS_([A-Z0-9_]+)_([A-Z]+)$/.exec(name) ?? [];
  const kind = Object.entries(ofOneAgent).find(([known]) => known === key)?.[1];
  if (agent === undefined || key === undefined || kind === undefined) return null;
  return { path: ['agents', agent.toLowerCase(), key.toLowerCase()], kind };
}

function leavesOf(given: {
  readonly name: string;
  readonly text: string;
  readonly variable: Variable;
}): readonly Leaf[] {
  const { name, text, variable } = given;
  const stop = (message: string) => new Stopped({ reason: 'config', file: name, message });
  const raw = nest(variable.path, valueOf(text, variable.kind));
  const parsed = Config.safeParse(raw);
  if (!parsed.success) throw stop(faultOf(parsed.error, raw).message);
  return pathsOf(parsed.data).map((leaf) => ({ ...leaf, source: name, stop }));
}

/** A text that is no value of its kind stays a text, and the check says what is wrong with it. */
function valueOf(text: string, kind: Kind): unknown {
  const word = text.trim();
  switch (kind) {
    case 'text':
      return word;
    case 'number':
      return /^\d+(\.\d+)?$/.test(word) ? Number(word) : word;
    case 'switch':
      return switches.get(word.toLowerCase()) ?? word;
    case 'commas':
      return parts(text, ',');
    case 'lines':
    default:
      return parts(text, '\n');
  }
}

const switches = new Map([
  ...['1', 'true', 'yes', 'on'].map((word) => [word, true] as const),
  ...['0', 'false', 'no', 'off'].map((word) => [word, false] as const),
]);

function parts(text: string, separator: string): readonly string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function misspelt(name: string): readonly string[] {
  const near = closestName(name, Object.keys(variables));
  return near === null ? [] : [`The variable ${name} is no setting; did you mean ${near}?`];
}
