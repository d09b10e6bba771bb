import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isSystemError } from '../store/system-error.ts';
import type { UserSide } from './agent.ts';
import type { CliSetup } from './cli-setup.ts';
import { agentEnvironment } from './environment.ts';

/** What is the user’s own around one CLI, as it would find it without us. */
export function userSide({ adapter, settings, environment: base }: CliSetup): UserSide {
  const environment = agentEnvironment({ base, adapter, settings, request: null });
  return { home: environment['HOME'] ?? homedir(), environment, read, has: existsSync };
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isSystemError(error)) return null;
    throw error;
  }
}
