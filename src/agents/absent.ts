import type { Agent } from './agent.ts';

/** Stands for an agent that a recorded session names and that is not configured any more. */
export function absentAgent(name: string): Agent {
  const remedy = `Set it up again under [agents.${name}], or let another agent take the seat.`;
  return {
    name,
    kind: 'model',
    ready: async () => ({ state: 'not-installed', why: `${name} is not configured`, remedy }),
    vendorOf: () => null,
    // oxlint-disable-next-line require-yield
    async *run() {
      throw new Error(`${name} was asked although it is not there`);
    },
  };
}
