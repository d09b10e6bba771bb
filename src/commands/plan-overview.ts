import { rejectedText } from '../model/decision.ts';
import { blockingIn, findingText, type Finding } from '../model/finding.ts';
import { isDraftPlan } from '../model/plan.ts';
import { counted, sentence } from '../model/wording.ts';
import { changeText } from '../phases/planning/editing/plan-changes.ts';
import type { PlanOnDesk } from '../phases/planning/plan-desk.ts';
import type { SessionFolder } from '../store/session-folder.ts';
import type { Planned } from '../workflow/recorded.ts';
import { printJson, printLines, printTable } from './output.ts';

interface Overview {
  readonly folder: SessionFolder;
  readonly planned: Planned;
  readonly seen: PlanOnDesk;
  readonly json: boolean;
}

/** Prints the plan as it stands and what can be done with it. Returns 6 if something blocks it. */
export function printOverview({ folder, planned, seen, json }: Overview): number {
  const approval = approvalOf(seen);
  const { isBeingRevised, rejected } = planned;
  if (json) {
    const { folder: _path, ...facts } = { folder, session: folder.id, ...seen };
    const { relative } = folder;
    printJson({ ...facts, folder: relative, approval, rejected, being_revised: isBeingRevised });
  } else {
    printLines(...headLines({ folder, planned, seen }), '');
    printTasks(seen);
    printLines(
      '',
      ...findingLines(seen.findings),
      '',
      ...changeLines(seen),
      `Approval: ${rejected === null ? approvalText[approval] : sentence(rejectedText(rejected))}`,
    );
    printLines(...nextLines(folder.id, { seen, isBeingRevised }));
  }
  return blockingIn(seen).length === 0 ? 0 : 6;
}

type ApprovalState = 'none' | 'holds' | 'stale';

function approvalOf({ hash, approvedHash }: PlanOnDesk): ApprovalState {
  if (approvedHash === null) return 'none';
  return approvedHash === hash ? 'holds' : 'stale';
}

const approvalText: Readonly<Record<ApprovalState, string>> = {
  none: 'not approved yet.',
  holds: 'approved.',
  stale: 'outdated: the plan changed after it was approved; approve it again.',
};

function headLines({ folder, planned, seen }: Omit<Overview, 'json'>): readonly string[] {
  const { version, plan } = seen;
  const by = planned.written.source;
  const rules = isDraftPlan(plan)
    ? 'a draft by rules'
    : 'derived by rules, without a planning agent';
  const source = by === 'derived' ? rules : `by ${by}`;
  return [
    `Session:  ${folder.id}`,
    `Plan:     ${folder.relative}/plan.json, version ${version}, ${source}`,
    ...(plan === null ? [] : [`Summary:  ${plan.summary}`]),
  ];
}

function printTasks({ tasks }: PlanOnDesk): void {
  if (tasks.length === 0) return;
  printTable({
    head: ['TASK', 'TITLE', 'DEPENDS ON', 'FILES'],
    rows: tasks.map(({ id, title, depends_on: needs, files = [] }) => [
      id,
      title,
      needs.join(', ') || '-',
      files.map(({ path }) => path).join(', ') || '-',
    ]),
    cut: true,
  });
}

function findingLines(findings: readonly Finding[]): readonly string[] {
  if (findings.length === 0) return ['Plan check: no findings.'];
  return [
    `Plan check: ${counted(findings.length, 'finding')}.`,
    ...findings.map((finding) => `  ${finding.severity}  ${findingText(finding)}`),
  ];
}

function changeLines({ changes, version }: PlanOnDesk): readonly string[] {
  if (changes.length === 0) return [];
  const since = version === 1 ? 'the planner wrote it' : `version ${version - 1}`;
  return [`Changes since ${since}:`, ...changes.map((change) => `  ${changeText(change)}`), ''];
}

function nextLines(
  id: string,
  { seen, isBeingRevised }: { readonly seen: PlanOnDesk; readonly isBeingRevised: boolean },
): readonly string[] {
  if (isBeingRevised) {
    return [
      'The session stopped while a new version was being made. To finish it and see it:',
      `  conclave review ${id} --approve   (nothing is approved before you have seen it)`,
    ];
  }
  if (seen.plan === null) {
    return [
      'Next: fix these files in an editor and look again, or have a new plan written in a fork:',
      `  conclave review ${id}`,
      `  conclave sessions fork ${id}`,
    ];
  }
  if (approvalOf(seen) === 'holds') return [];
  const approve = blockingIn(seen).length === 0 ? [`  conclave review ${id} --approve`] : [];
  return [
    'Next:',
    ...approve,
    `  conclave review ${id} --set TASK-001.title="..."`,
    `  conclave review ${id} --comment "TASK-001: ..."`,
  ];
}
