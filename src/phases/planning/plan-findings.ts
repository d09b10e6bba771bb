import type { ContextPackage } from '../../model/context-package.ts';
import type { Finding } from '../../model/finding.ts';
import type { Plan } from '../../model/plan.ts';
import type { Task } from '../../model/task.ts';
import type { Tools } from '../tools.ts';
import { checkPlan } from './check-plan.ts';

/** Shape by the published (and any extended) schemas first, then the plan check. */
export async function planFindingsOf(made: {
  readonly plan: Plan;
  readonly tasks: readonly Task[];
  readonly contextPackage: ContextPackage;
  readonly tools: Pick<Tools, 'schemas' | 'repository'>;
}): Promise<readonly Finding[]> {
  const { plan, tasks, contextPackage, tools } = made;
  const shape = [
    ...shapeFindings('plan.json', tools.schemas.check('plan', plan)),
    ...tasks.flatMap((task) =>
      shapeFindings(`.task/${task.id}.json`, tools.schemas.check('task', task)),
    ),
  ];
  const exists = (path: string) => tools.repository.exists(path);
  return [...shape, ...(await checkPlan({ plan, tasks, contextPackage, exists }))];
}

function shapeFindings(
  file: string,
  found: readonly { readonly pointer: string; readonly message: string }[],
): Finding[] {
  return found.map(({ pointer, message }) => ({
    severity: 'blocking',
    rule: 'shape',
    file,
    pointer,
    message,
  }));
}
