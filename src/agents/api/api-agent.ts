// Makes and describes an agent that is a model behind an API; the code that asks it is loaded late.
import type { Repository } from '../../git/repository.ts';
import { type Agent, type Readiness, bareTraits, switchedOff } from '../agent.ts';
import { strictSchema } from '../cli/strict-schema.ts';
import {
  type ApiSetup,
  addressNote,
  addressOf,
  findKey,
  keyRemedy,
  keyWays,
  longestPrompt,
  mostCalls,
  providerOf,
} from './api-setup.ts';
import { counted } from '../../model/wording.ts';
import type { AgentProgram } from '../cli/describe.ts';
import type { Login } from '../cli/login.ts';
import { permissions } from '../permission.ts';

const readsOneFolder = 'it reads only its working directory, none of the additional ones';

/** Makes an agent of a model behind an API: it reads the repository with our tools, and edits nothing. */
export function apiAgent(setup: ApiSetup & { readonly repository: Repository }): Agent {
  const { name, settings, api } = setup;
  const provider = providerOf(setup);
  const order = { ...setup, refused: new Map() };
  return {
    name,
    kind: 'model',
    traits: {
      ...bareTraits(`${api.model} (${provider.label})`),
      transport: 'api',
      maxPromptBytes: longestPrompt(setup),
      unenforced: ({ extraDirs = [] }) => (extraDirs.length === 0 ? [] : [readsOneFolder]),
      // A user’s own server may silently drop a schema.
      schemaWay: (schema) =>
        provider.isOwnServer || strictSchema(schema) === null ? null : { tool: null },
    },
    ready: async () => readinessOf(setup),
    vendorOf: (model) => settings.vendor ?? provider.vendorOf(model ?? api.model),
    async *run(request, signal) {
      const { runModel } = await import('./run-model.ts');
      return yield* runModel(order, request, signal);
    },
  };
}

function readinessOf(setup: ApiSetup): Readiness {
  const { settings, name } = setup;
  if (settings.enabled === false) return switchedOff(name, settings.enabledBy);
  const key = findKey(setup);
  if (key.state === 'missing') {
    return { state: 'not-logged-in', why: key.why, remedy: keyRemedy(setup) };
  }
  const note = addressNote(setup);
  return { state: 'ready', path: null, version: null, ...(note === null ? {} : { note }) };
}

/** The facts of a model behind an API, in the same form as those of a CLI. */
export function describeApi(setup: ApiSetup): AgentProgram {
  const { name, api } = setup;
  const { address } = addressOf(setup);
  return {
    address,
    login: `conclave login ${name}`,
    keyWays: keyWays(setup),
    tested: null,
    readOnlyBy: 'it is offered only our reading tools',
    isolations: [],
    isolation: null,
    isolationNotes: [],
    tellsPlan: false,
    paidBy: () => 'the key of its provider, if it needs one',
    warnings: [],
    explained: [
      `it reads the repository by at most ${counted(mostCalls, 'call')} of list_files, read_file and search_text in an answer`,
      'secrets are removed from what it reads',
      ...(api.contextTokens === undefined
        ? []
        : [`its requests keep within ${api.contextTokens} tokens`]),
    ],
    changes: { args: [address], isolation: undefined },
    callsIn: () =>
      permissions.map((permission) => ({
        permission,
        tools: permission === 'read-only' ? ['file_read' as const] : [],
        argv: permission === 'read-only' ? ['POST', address] : ['refused: it edits nothing'],
        variables: {},
        files: [],
        isolation: null,
        not_enforced: [],
      })),
    unknownFlags: async () => [],
    offeredModels: async () => null,
  };
}

/** Tells whether it has a key, as far as that shows without a request. */
export function keyState(setup: ApiSetup): Login {
  const key = findKey(setup);
  switch (key.state) {
    case 'found':
    case 'not-needed':
      return { state: 'stored' };
    case 'command':
      return { state: 'unknown' };
    case 'missing':
      return { state: 'logged-out', why: key.why, remedy: keyRemedy(setup) };
  }
}
