import type { Readiness } from './agent.ts';
import { type CliSetup, programPath, whyMissing } from './cli-setup.ts';
import { agentEnvironment } from './environment.ts';
import { checkProgram } from './readiness.ts';

export interface CliReadiness {
  readonly ready: (signal: AbortSignal) => Promise<Readiness>;
  /** The version that `ready` found; null before, or where it is not known. */
  readonly version: () => string | null;
}

/**
 * Whether a CLI can be used. The program is asked once per process; an answer that was cut off by
 * its caller’s signal is none.
 */
export function cliReadiness(setup: CliSetup): CliReadiness {
  let asked: Promise<Readiness | null> | null = null;
  let version: string | null = null;
  async function ready(signal: AbortSignal): Promise<Readiness> {
    signal.throwIfAborted();
    const current = (asked ??= ask(setup, signal));
    const answer = await current;
    if (answer !== null) {
      if (answer.state === 'ready') version = answer.version;
      return answer;
    }
    if (asked === current) asked = null;
    return ready(signal);
  }
  return { ready, version: () => version };
}

async function ask(setup: CliSetup, signal: AbortSignal): Promise<Readiness | null> {
  const { adapter, settings, environment } = setup;
  if (settings.enabled === false) {
    return {
      state: 'disabled',
      why: 'it is switched off in the settings',
      remedy: `Set "enabled = true" under [agents.${adapter.name}].`,
    };
  }
  const path = programPath(setup);
  if (path === null) {
    const remedy = `Install it: ${adapter.install}.`;
    return { state: 'not-installed', why: whyMissing(setup), remedy };
  }
  const env = agentEnvironment({ base: environment, adapter, settings, request: null });
  return checkProgram({ adapter, path, args: settings.args ?? [], env }, signal);
}
