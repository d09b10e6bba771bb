// Runs `conclave report`: reads what a session left on disk and writes `report.html`.
import { readdir } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import type { ZodType } from 'zod';
import { type ReportData, reportPage } from '../faces/report/page.ts';
import { Approval } from '../model/approval.ts';
import { CodeReview, ExecutionResult } from '../model/execution.ts';
import { TaskId } from '../model/ids.ts';
import { jsonIn } from '../model/json.ts';
import { taskFile } from '../model/plan-rules.ts';
import { Plan } from '../model/plan.ts';
import { Receipt } from '../model/receipt.ts';
import type { SessionState } from '../model/session.ts';
import { Task } from '../model/task.ts';
import { writeAtomic } from '../store/atomic.ts';
import type { SessionFolder } from '../store/session-folder.ts';
import { printJson, printLines } from './output.ts';
import type { CommonOptions } from './program/options.ts';
import { readRounds, shownSession } from '../app/saved-session.ts';

/** `conclave report`: writes what a session did as one HTML file. */
export async function reportCommand(
  wanted: string | undefined,
  { root, cwd, json, output }: CommonOptions,
): Promise<number> {
  const { folder, state } = await shownSession(root, wanted);
  const page = reportPage(await readReport(folder, state));
  const file = output === undefined ? folder.absolute('report.html') : resolve(cwd, output);
  if (output === undefined) await folder.write('report.html', page);
  else await writeAtomic(file, page);
  if (json) printJson({ session: folder.id, file });
  else printLines(file);
  return 0;
}

async function readReport(folder: SessionFolder, state: SessionState): Promise<ReportData> {
  const plan = await readAs(folder, 'plan.json', Plan);
  const tasks = (plan?.task_ids ?? [])
    .filter((id) => TaskId.safeParse(id).success)
    .map((id) => readAs(folder, taskFile(id), Task));
  const files = await readdir(folder.path, { recursive: true, withFileTypes: true });
  const receipts = files
    .filter((file) => file.isFile() && /^receipt(?:-\w+)?\.json$/.test(file.name))
    .map((file) => relative(folder.path, resolve(file.parentPath, file.name)))
    .toSorted()
    .map((file) => readAs(folder, file, Receipt));
  return {
    state,
    rounds: await readRounds(folder),
    plan,
    tasks: (await Promise.all(tasks)).filter((task) => task !== null),
    approval: await readAs(folder, 'approval.json', Approval),
    receipts: (await Promise.all(receipts)).filter((receipt) => receipt !== null),
    result: await readAs(folder, 'execution-result.json', ExecutionResult),
    codeReview: await readAs(folder, 'code-review.json', CodeReview),
  };
}

/** Null where it is not there, or is not what it should be. */
async function readAs<T>(
  folder: SessionFolder,
  file: string,
  shape: ZodType<T>,
): Promise<T | null> {
  const text = await folder.read(file);
  return text === null ? null : (shape.safeParse(jsonIn(text)).data ?? null);
}
