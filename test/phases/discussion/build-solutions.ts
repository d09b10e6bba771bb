import { z } from 'zod';
import type { CheckedSolution } from '../../../src/phases/discussion/check-references.ts';
import type { PlannedFile } from '../../../src/model/proposal.ts';

/** One agent’s solution, told in short. `idea` says which ones mean the same. */
export const ToldSolution = z.object({
  agent: z.string(),
  idea: z.string(),
  name: z.string(),
  summary: z.string(),
  approach: z.string(),
  tasks: z.array(z.tuple([z.string(), z.string().nullable()])).describe('Name and key point.'),
  files: z.array(z.string()).describe('`+` creates, `-` deletes, else modifies.'),
  external: z.array(z.string()).default([]),
});
export type ToldSolution = z.infer<typeof ToldSolution>;

export const Scenario = z.object({ task: z.string(), solutions: z.array(ToldSolution) });
export type Scenario = z.infer<typeof Scenario>;

/** A told solution in full, as if every file reference had passed the check. */
export function tell(told: ToldSolution): CheckedSolution {
  const files = told.files.map((path) => ({
    file: path.replace(/^[+-]/, ''),
    action: actionOf(path),
  }));
  return {
    agent: told.agent,
    claims: [],
    files: files.map(({ file, action }) => ({
      file,
      line: null,
      action,
      status: action === 'create' ? ('planned' as const) : ('verified' as const),
      note: '',
    })),
    solution: {
      name: told.name,
      summary: told.summary,
      feasibility: 0.8,
      effort: 'medium',
      risk: 'low',
      implementation_plan: {
        approach: told.approach,
        tasks: told.tasks.map(([name, keyPoint], index) => ({
          id: `T${index + 1}`,
          name,
          depends_on: index === 0 ? [] : [`T${index}`],
          files: index === 0 ? files : [],
          key_point: keyPoint,
        })),
        execution_flow: told.tasks.map((_, index) => `T${index + 1}`).join(' → '),
        milestones: [],
      },
      dependencies: { internal: [], external: told.external },
      technical_concerns: [],
      pros: [],
      cons: [],
      claims: [],
    },
  };
}

function actionOf(path: string): PlannedFile['action'] {
  if (path.startsWith('+')) return 'create';
  return path.startsWith('-') ? 'delete' : 'modify';
}
