import type { ContextPackage } from '../../model/context-package.ts';
import type { Finding } from '../../model/finding.ts';
import type { Plan } from '../../model/plan.ts';
import type { Task } from '../../model/task.ts';
import { planFindings, taskFile } from '../../model/plan-rules.ts';
import { checkCoverage } from './check-coverage.ts';
import { checkCriteria } from './check-criteria.ts';
import { checkFiles } from './check-files.ts';
import { checkFlow } from './check-flow.ts';

/**
 * The plan check: the meaning rules, then the plan against the solution, the user’s constraints
 * and the base. `exists` tells of the base; it is asked only for paths inside the repository, and
 * null where the base is not known.
 * Blocking is what makes execution unsafe or impossible; the rest warns. Blocking ones first.
 */
export async function checkPlan({
  plan,
  tasks,
  contextPackage,
  exists,
}: {
  readonly plan: Plan;
  readonly tasks: readonly Task[];
  readonly contextPackage: ContextPackage;
  readonly exists: ((path: string) => Promise<boolean>) | null;
}): Promise<readonly Finding[]> {
  const entries = tasks.map((task) => ({ file: taskFile(task.id), task }));
  const findings = [
    ...planFindings({ plan, tasks: entries }),
    ...(await checkFiles({ tasks, exists })),
    ...checkCoverage({ plan, tasks, contextPackage }),
    ...checkFlow({ plan, tasks, contextPackage }),
    ...tasks.flatMap(checkCriteria),
  ];
  return [
    ...findings.filter(({ severity }) => severity === 'blocking'),
    ...findings.filter(({ severity }) => severity === 'warning'),
  ];
}
