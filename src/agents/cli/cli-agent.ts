// Makes an agent of a program; the code that runs it is loaded when it is asked.
import type { Agent, AgentRequest, AgentTraits } from '../agent.ts';
import { cliReadiness } from './cli-readiness.ts';
import {
  applySettings,
  canConfine,
  type CliSetup,
  isolateRequest,
  programPath,
  userSide,
} from './cli-setup.ts';
import type { RunOrder } from './run-end.ts';

/** Makes an agent of a program on this machine, called and read by its adapter. */
export function cliAgent({ adapter: given, settings, ...rest }: CliSetup): Agent {
  const adapter = { ...given, install: settings.install ?? given.install };
  const setup = { adapter, settings, ...rest };
  const readiness = cliReadiness(setup);
  const orderOf = (asked: AgentRequest): RunOrder => {
    const own = adapter.ownChoice?.(userSide(setup)) ?? null;
    const request = isolateRequest(applySettings(asked, settings, own), setup);
    return { setup, request, version: readiness.version };
  };
  return {
    name: adapter.name,
    traits: traitsOf(setup),
    kind: 'model',
    ready: readiness.ready,
    vendorOf: (model) => settings.vendor ?? adapter.vendorOf(model),
    async *run(asked, signal) {
      const { runCli } = await import('./run-cli.ts');
      return yield* runCli(orderOf(asked), signal);
    },
    async recall(asked, since) {
      return (await import('./run-cli.ts')).recallCli(orderOf(asked), since);
    },
  };
}

function traitsOf(setup: CliSetup): AgentTraits {
  const { adapter, settings } = setup;
  const { displayName: label, resumes, maxPromptBytes, loads = [] } = adapter;
  return {
    label,
    transport: setup.dialogue === undefined ? 'cli' : 'acp',
    resumes,
    maxPromptBytes,
    loads,
    unenforced: (wishes) =>
      adapter.unenforced?.({
        ...wishes,
        confined: canConfine(setup),
        isolation: settings.isolation ?? adapter.isolations?.[0],
      }) ?? [],
    edits: true,
    schemaWay: (schema) => adapter.schemaWay?.(schema) ?? null,
    startCommand(text) {
      const words = adapter.begin?.(text);
      if (words === undefined || programPath(setup) === null) return null;
      return [settings.path ?? adapter.command, ...words];
    },
  };
}
