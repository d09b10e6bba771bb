import { cleanText } from '../../model/clean-text.ts';
import type { ContextPackage } from '../../model/context-package.ts';
import type { Finding } from '../../model/finding.ts';
import type { Plan } from '../../model/plan.ts';
import type { Task } from '../../model/task.ts';
import { tidyPath } from '../../model/repository-path.ts';
import type { AffectedFile } from '../../model/synthesis.ts';
import { oneLine } from '../../model/wording.ts';
import { mentions, significantWords, textIn } from './mentions.ts';

/** What the solution and the user ask for, and the plan does not have. */
export function checkCoverage({
  plan,
  tasks,
  contextPackage,
}: {
  readonly plan: Plan;
  readonly tasks: readonly Task[];
  readonly contextPackage: ContextPackage;
}): readonly Finding[] {
  const covered = new Set(
    tasks.flatMap(({ files = [] }) => files.map(({ path }) => tidyPath(path))),
  );
  const affected = new Map(
    contextPackage.affected_files.map((file) => [tidyPath(file.file), file]),
  );
  const words = significantWords(textIn([plan, tasks]));
  return [
    ...[...affected].filter(([path]) => !covered.has(path)).map(([, file]) => uncovered(file)),
    ...contextPackage.constraints
      .filter((constraint) => !mentions(words, constraint))
      .map(unmentioned),
  ];
}

/** A file whose reference failed the check may never have been there. */
function uncovered({ file, action, status }: AffectedFile): Finding {
  const failed = status === 'failed' ? ' (its reference failed the check)' : '';
  return {
    severity: status === 'failed' ? 'warning' : 'blocking',
    rule: 'file-uncovered',
    file: 'plan.json',
    pointer: '/task_ids',
    message: `The solution wants to ${action} ${cleanText(file)}${failed}, but no task names it; add it to the files of a task.`,
  };
}

function unmentioned(constraint: string): Finding {
  return {
    severity: 'warning',
    rule: 'constraint-unmentioned',
    file: 'plan.json',
    pointer: '/constraints',
    message: `Neither the plan nor a task mentions the constraint "${oneLine(cleanText(constraint))}"; say in the tasks how it is met.`,
  };
}
