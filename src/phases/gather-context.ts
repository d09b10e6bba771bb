// Runs phase 1: finds and records the code that the task is about.
import { CodebaseContext, type ProjectFact } from '../model/context.ts';
import { withoutInvisible } from '../model/invisible.ts';
import { steps } from '../model/steps.ts';
import { findCode, tellFalls, tellNotes } from './find-code.ts';
import type { Tools } from './phase-tools.ts';

/** Phase 1: finds the code that the task is about and writes `codebase-context.json`. */
export async function gatherContext(
  task: string,
  tools: Tools,
  signal: AbortSignal,
): Promise<CodebaseContext> {
  const { value } = await tools.steps.run(
    { ...steps.context.search, input: { task }, shape: CodebaseContext, signal },
    async () => {
      const found = await findCode(task, tools, signal);
      const context: CodebaseContext = {
        session_id: tools.folder.id,
        task_description: task,
        ...found,
        project_facts: [...factsToTell(tools), ...found.project_facts],
        base: tools.repository.base,
      };
      await tools.folder.writeJson('codebase-context.json', context);
      return context;
    },
  );
  announce(value, tools);
  return value;
}

function factsToTell({ search: { facts = [] } }: Tools): readonly ProjectFact[] {
  return facts.map((fact) => ({ ...fact, text: withoutInvisible(fact.text).text }));
}

function announce(context: CodebaseContext, tools: Tools): void {
  const { degraded, falls, notes } = context;
  tellFalls(falls, tools.emit);
  if (!degraded) tellNotes(notes, tools.emit);
  const reasons = [...falls.map(({ provider, reason }) => `${provider}: ${reason}`), ...notes];
  tools.emit({
    type: 'context.gathered',
    provider: context.provider,
    degraded,
    files: context.relevant_files.map(({ path, start, end }) => `${path}:${start}-${end}`),
    reason: degraded ? reasons.join('; ') : null,
  });
}
