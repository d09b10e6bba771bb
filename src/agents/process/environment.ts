// Builds the environment variables of an agent.
import { redactTokens } from '../../model/secrets.ts';
import type { AgentAdapter, AgentRequest } from '../agent.ts';

/**
 * The whole environment of an agent: what every program needs, the CLI’s own and its vendor’s
 * variables, what the adapter sets, and what the user configured for this agent. Nothing else is
 * passed on, especially no keys of other vendors. Without a request the adapter sets nothing.
 */
export function agentEnvironment({
  base,
  adapter,
  settings,
  request,
}: {
  readonly base: NodeJS.ProcessEnv;
  readonly adapter: Pick<AgentAdapter, 'variables' | 'env'>;
  readonly settings: { readonly env?: Readonly<Record<string, string>> | undefined };
  readonly request: AgentRequest | null;
}): Record<string, string> {
  const allowed = [...common, ...adapter.variables];
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(base)) {
    if (value !== undefined && matches(name, allowed) && !matches(name, never)) {
      passed[name] = value;
    }
  }
  return { ...passed, ...(request === null ? {} : adapter.env(request)), ...settings.env };
}

const common = [
  'PATH HOME USER LOGNAME SHELL TMPDIR LANG LANGUAGE LC_* TERM COLORTERM NO_COLOR TZ XDG_*',
  'HTTP_PROXY http_proxy HTTPS_PROXY https_proxy ALL_PROXY all_proxy NO_PROXY no_proxy',
  'NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR',
].flatMap((names) => names.split(' '));

// Variables that load code into the agent, or make a CLI believe that it runs inside another one.
// Only the user’s own `env` can set these, never an adapter’s pattern.
const never = ['LD_*', 'DYLD_*', 'NODE_OPTIONS', 'BASH_ENV', 'CLAUDECODE', 'CONCLAVE_RUN'];

/** True if a variable is among some; a star at the end of one matches anything. */
export function matches(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) =>
    pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
  );
}

/**
 * Makes a filter for what must not reach a log or a screen: the values of secret variables, by
 * their names, and well-known forms of tokens.
 */
export function secretFilter(environment: NodeJS.ProcessEnv): (text: string) => string {
  const secrets = Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && secretName.test(name) && isKey(value) ? [{ name, value }] : [],
  );
  return (text) =>
    redactTokens(
      secrets.reduce((safe, { name, value }) => safe.replaceAll(value, `[${name}]`), text),
    );
}

// Short words, such as a test password, and paths may occur anywhere in code.
const isKey = (value: string): boolean =>
  (value.length >= 16 || (value.length >= 8 && /\d/.test(value))) && !/^[~.]*\//.test(value);

const secretName = /KEY|TOKEN|SECRET|PASSW|CREDENTIAL|_PAT$/i;
