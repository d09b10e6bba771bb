// Describes a model behind an API to the commands about agents: its address, its key, its limits.
import { counted } from '../../model/wording.ts';
import type { AgentProgram } from '../cli/describe.ts';
import type { Login } from '../cli/login.ts';
import { permissions } from '../permission.ts';
import { addressOf, type ApiSetup, findKey, keyRemedy, keyWays, mostCalls } from './api-setup.ts';

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
