import { ExecutionContext } from '../../model/execution-context.ts';
import type { Tools } from '../tools.ts';
import { type HandedOver, buildExecutionContext } from './execution-context.ts';

/** Writes `execution-context.json`, with which execution starts. */
export async function handOff(
  input: HandedOver & { readonly number: number },
  tools: Tools,
  signal: AbortSignal,
): Promise<ExecutionContext> {
  const group = `hand-off-${input.number}`;
  const { value } = await tools.steps.run(
    { key: group, group, kind: 'calculation', input: {}, shape: ExecutionContext, signal },
    async () => {
      const context = buildExecutionContext({
        ...input,
        sessionId: tools.folder.id,
        folder: tools.folder.relative,
      });
      await tools.folder.writeJson('execution-context.json', context);
      return context;
    },
  );
  return value;
}
