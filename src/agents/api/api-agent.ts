// Describes an agent that is a model behind an API; the code that asks it is loaded on the first call.
import type { Repository } from '../../git/repository.ts';
import { type Agent, bareTraits, type Readiness, switchedOff } from '../agent.ts';
import { strictSchema } from '../cli/strict-schema.ts';
import {
  addressNote,
  type ApiSetup,
  findKey,
  keyRemedy,
  longestPrompt,
  providerOf,
} from './api-setup.ts';

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
