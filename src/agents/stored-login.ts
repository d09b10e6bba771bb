import { isObject, jsonIn } from '../model/json.ts';
import type { LoginState, UserSide } from './agent.ts';

/** Where a CLI writes when its login ends, and what it renews it with. */
interface LoginFields {
  /** In ms since 1970. */
  readonly expiresAt: unknown;
  readonly refreshToken: unknown;
}

/**
 * What a file that holds a login tells without a use of it: that it is there, cannot be read, or is
 * over and cannot renew itself. Nothing else in it is looked at.
 */
export function storedLogin(
  path: string,
  user: UserSide,
  fieldsOf: (login: Readonly<Record<string, unknown>>) => LoginFields | null,
): LoginState {
  const login = jsonIn(user.read(path) ?? '');
  if (!isObject(login)) {
    return { state: 'logged-out', why: `the login stored in ${path} cannot be read` };
  }
  const fields = fieldsOf(login);
  if (fields === null) return { state: 'stored' };
  const { expiresAt, refreshToken } = fields;
  const isOver = typeof expiresAt === 'number' && expiresAt < user.now && !refreshToken;
  if (!isOver) return { state: 'stored' };
  const day = new Date(expiresAt).toISOString().slice(0, 10);
  return { state: 'logged-out', why: `its stored login expired on ${day}` };
}
