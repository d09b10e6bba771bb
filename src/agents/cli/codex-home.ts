// Reads the home of Codex: the user's choices, its threads, its login.
import { join } from 'node:path';
import { parse, TomlError } from 'smol-toml';
import { isObject, jsonIn } from '../../model/json.ts';
import type { AgentRequest, LoginState, OwnChoice, RunFile, UserSide } from '../agent.ts';
import type { AgentEvent } from '../../model/agent-event.ts';
import {
  type Fields,
  sessionsIn,
  fieldsIn,
  isString,
  textOrNull,
  windowEvent,
  amountOr,
} from './adapter-parts.ts';

/**
 * The choice in the user’s config.toml, which our runs ignore. Without it, a model of the user’s
 * own provider cannot be used.
 */
export function userChoice(user: UserSide): OwnChoice {
  const config = tomlIn(user.read(join(homeOf(user), 'config.toml')) ?? '');
  const { profile, profiles } = config;
  const chosen = isObject(profiles) && isString(profile) ? profiles[profile] : undefined;
  const settled = { ...config, ...(isObject(chosen) ? chosen : {}) };
  const { model, model_provider: provider } = settled;
  const { model_reasoning_effort: effort, model_verbosity: verbosity } = settled;
  const isOwn = provider === undefined || provider === 'openai';
  return {
    model: isOwn ? textOrNull(model) : null,
    effort: textOrNull(effort),
    verbosity: textOrNull(verbosity),
  };
}

interface ThreadOfRun {
  readonly thread: string;
  readonly request: AgentRequest;
}

/** Reads the model in its record of the thread. */
export function modelOfThread(of: ThreadOfRun, user: UserSide): string | null {
  const turn = linesOf(of, user).findLast((line) => line.includes('"turn_context"'));
  return textOrNull(payloadIn(turn)['model']);
}

/** Reads how much of the plan was used at the first and at the last answer of the latest turn. */
export function windowsOfThread(of: ThreadOfRun, user: UserSide): AgentEvent[] {
  const lines = linesOf(of, user);
  const turn = lines.findLastIndex((line) => line.includes('"turn_context"'));
  const told = lines.slice(turn).filter((line) => line.includes('"used_percent"'));
  return [...told.slice(0, 1), ...told.slice(1).slice(-1)].flatMap((line) =>
    Object.values(fieldsIn(payloadIn(line)['rate_limits'])).flatMap((one) => {
      const { used_percent: percent, window_minutes: minutes, resets_at } = fieldsIn(one);
      return windowEvent({ minutes, used: amountOr(percent, NaN) / 100, resetsAt: resets_at });
    }),
  );
}

/** The lines of its record of a thread, in the folder of the day that the thread’s id encodes. */
function linesOf({ thread, request }: ThreadOfRun, user: UserSide): readonly string[] {
  const begun = new Date(Number.parseInt(thread.replaceAll('-', '').slice(0, 12), 16));
  const day = [begun.getMonth() + 1, begun.getDate()].map((part) => String(part).padStart(2, '0'));
  const folder = join(threadsOf(request, user), String(begun.getFullYear()), ...day);
  const name = user.list(folder).find((file) => file.includes(thread));
  return name === undefined ? [] : (user.read(join(folder, name)) ?? '').split('\n');
}

function payloadIn(line = ''): Fields {
  return fieldsIn(fieldsIn(jsonIn(line))['payload']);
}

function threadsOf(request: AgentRequest, user: UserSide): string {
  return sessionsIn(request, join(homeOf(user), 'sessions'));
}

/** A separate home with links to the user’s login; only the sessions outlive it. */
export function codexHome(
  request: AgentRequest,
  user: UserSide,
): Readonly<Record<string, RunFile>> {
  // It writes through these links, and the locks keep two runs from renewing a login at once.
  const login = ['auth.json', 'auth.lock', 'models_cache.json'];
  return {
    sessions: { linkTo: threadsOf(request, user), kind: 'folder' },
    ...Object.fromEntries(
      login.map((name) => [name, { linkTo: join(homeOf(user), name), kind: 'file' } as const]),
    ),
  };
}

/**
 * Judges the login. A provider in the user’s config.toml does not count, because runs ignore that
 * file; the machine’s does.
 */
export function codexLogin(user: UserSide): LoginState {
  const {
    CODEX_API_KEY: key,
    CODEX_ACCESS_TOKEN: token,
    OPENAI_API_KEY: otherKey,
  } = user.environment;
  if (key || token) return { state: 'stored' };
  if (user.has(join(homeOf(user), 'auth.json'))) return { state: 'stored' };
  const isOwn = user.isolation === 'home';
  const config = isOwn ? null : user.read(join(homeOf(user), 'config.toml'));
  // The login may be kept in a keychain.
  const mayBeElsewhere =
    config?.includes('cli_auth_credentials_store') === true ||
    machineSettings.some((path) => user.has(path));
  if (mayBeElsewhere) return { state: 'unknown' };
  return otherKey
    ? {
        state: 'logged-out',
        why: 'OPENAI_API_KEY is set, but codex takes its key from CODEX_API_KEY',
        remedy: 'Set it: export CODEX_API_KEY="$OPENAI_API_KEY". Or log in: codex login.',
      }
    : { state: 'logged-out', why: 'it has neither a login nor a key' };
}

const machineSettings = ['/etc/codex/config.toml', '/etc/codex/managed_config.toml'];

function homeOf({ environment, home }: UserSide): string {
  return environment['CODEX_HOME'] || join(home, '.codex');
}

function tomlIn(text: string): Fields {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof TomlError) return {};
    throw error;
  }
}
