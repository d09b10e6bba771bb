import type { LoginQuestion, LoginReply, LoginState, UserSide } from './agent.ts';

/**
 * Codex tells it itself, without the network. It does not count the key that a run takes from the
 * environment. A provider of the user’s own makes no difference: runs pass over their config.toml,
 * though not over that of the machine.
 */
export function askLogin(user: UserSide): LoginState | LoginQuestion {
  const { home, environment } = user;
  if (environment['CODEX_API_KEY']) return { state: 'logged-in' };
  return {
    argv: ['login', 'status'],
    // It puts helpers for a run into its home, unless that is a place for temporary files.
    env: () => ({ TMPDIR: environment['CODEX_HOME'] || home }),
    read: (reply) => {
      const state = stateIn(reply);
      const isOpen = state.state === 'logged-out' && machineSettings.some((path) => user.has(path));
      return isOpen ? { state: 'unknown' } : state;
    },
  };
}

const machineSettings = ['/etc/codex/config.toml', '/etc/codex/managed_config.toml'];

function stateIn({ exitCode, stderr, stdout }: LoginReply): LoginState {
  if (exitCode === 0) return { state: 'logged-in' };
  return /^not logged in$/im.test(`${stdout}\n${stderr}`)
    ? { state: 'logged-out', why: 'it has neither a login nor a key' }
    : { state: 'unknown' };
}
