import { join } from 'node:path';
import { parse, TomlError } from 'smol-toml';
import { isObject, jsonIn } from '../model/json.ts';
import type {
  LoginQuestion,
  LoginReply,
  LoginState,
  OwnChoice,
  RunFile,
  UserSide,
} from './agent.ts';
import { type Fields, isString, textOr } from './adapter-parts.ts';

/**
 * The choice in the user’s config.toml, which runs pass over. A model of another provider than the
 * built-in one could not be asked.
 */
export function chosenByUser(user: UserSide): OwnChoice {
  const config = tomlIn(user.read(join(homeOf(user), 'config.toml')) ?? '');
  const { profile, profiles } = config;
  const chosen = isObject(profiles) && isString(profile) ? profiles[profile] : undefined;
  const settled = { ...config, ...(isObject(chosen) ? chosen : {}) };
  const { model, model_provider: provider, model_reasoning_effort: effort } = settled;
  const isOwn = provider === undefined || provider === 'openai';
  return { model: isOwn ? textOr(model, null) : null, effort: textOr(effort, null) };
}

/** As its record of the thread tells, which lies in a folder by the day that is in the thread’s id. */
export function modelOfThread(thread: string, user: UserSide): string | null {
  const begun = new Date(Number.parseInt(thread.replaceAll('-', '').slice(0, 12), 16));
  const day = [begun.getMonth() + 1, begun.getDate()].map((part) => String(part).padStart(2, '0'));
  const folder = join(homeOf(user), 'sessions', String(begun.getFullYear()), ...day);
  const name = user.list(folder).find((file) => file.includes(thread));
  const lines = name === undefined ? [] : (user.read(join(folder, name)) ?? '').split('\n');
  const turn = lines.findLast((line) => line.includes('"turn_context"'));
  const told = jsonIn(turn ?? '');
  const payload = isObject(told) ? told['payload'] : undefined;
  return isObject(payload) ? textOr(payload['model'], null) : null;
}

/** What is the user’s in a home of its own: the sessions. */
export function codexHome(user: UserSide): Readonly<Record<string, RunFile>> {
  return { sessions: { linkTo: join(homeOf(user), 'sessions'), kind: 'folder' } };
}

/**
 * Codex tells it itself, without the network. It does not count the key that a run takes from the
 * environment. A provider of the user’s own makes no difference: runs pass over their config.toml,
 * though not over that of the machine.
 */
export function codexLogin(user: UserSide): LoginState | LoginQuestion {
  const { home, environment } = user;
  if (environment['CODEX_API_KEY']) return { state: 'stored' };
  return {
    argv: ['login', 'status'],
    // It puts helpers for a run into its home, unless that is a place for temporary files.
    env: (empty) =>
      user.isolation === 'home'
        ? { CODEX_HOME: empty }
        : { TMPDIR: environment['CODEX_HOME'] || home },
    read: (reply) => {
      const found = stateIn(reply);
      if (found.state !== 'logged-out') return found;
      if (machineSettings.some((path) => user.has(path))) return { state: 'unknown' };
      return environment['OPENAI_API_KEY'] ? { ...found, ...keyOfTheOther } : found;
    },
  };
}

const keyOfTheOther = {
  why: 'OPENAI_API_KEY is set, but codex takes its key from CODEX_API_KEY',
  remedy: 'Set it: export CODEX_API_KEY="$OPENAI_API_KEY". Or log in: codex login.',
};

const machineSettings = ['/etc/codex/config.toml', '/etc/codex/managed_config.toml'];

function stateIn({ exitCode, stderr, stdout }: LoginReply): LoginState {
  if (exitCode === 0) return { state: 'stored' };
  return /^not logged in$/im.test(`${stdout}\n${stderr}`)
    ? { state: 'logged-out', why: 'it has neither a login nor a key' }
    : { state: 'unknown' };
}

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
