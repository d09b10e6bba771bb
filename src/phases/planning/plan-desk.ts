// Lets a person read and change the plan files.
import { type Result, Stopped } from '../../model/failure.ts';
import { jsonIn, readAs } from '../../model/json.ts';
import { type Document, diff, documentOf } from '../../model/document.ts';
import {
  type PlanChange,
  type PlanEdit,
  type SavedComment,
  fieldText,
} from '../../model/plan-edit.ts';
import type { PlanReading } from '../../model/plan-reading.ts';
import { Plan, type PlanFiles } from '../../model/plan.ts';
import type { Tools } from '../phase-tools.ts';
import { type EditRefusal, applyEdits, planFileFault, refuseEdit } from './editing/apply-edit.ts';
import { planChanges } from './editing/plan-changes.ts';
import { hasOtherCommands, withTest } from '../../model/task-test.ts';
import { counted } from '../../model/wording.ts';
import { planDocument } from '../documents/plan-document.ts';
import { type PlannedFiles, planFindingsOf } from './check-plan.ts';
import { type WrittenComment, keepComment, readComments, taskOf } from './comments.ts';
import { proofFile } from '../proof/proof-files.ts';
import { type ReviewedPlan, readApproval, readStoredPlan, readUncheckedPlan } from './read-plan.ts';
import { planToEdit } from './editing/plan-markdown.ts';
import { isEditedText, planMarkdown } from './plan-text.ts';
import type { KnownFiles } from './validate-folder.ts';
import { listVersions, latestPlanning, noteRestored, readVersion, versionNow } from './versions.ts';
import { readReading, readingFile } from './reading-file.ts';
import { fileText, writePlan, writeTogether } from './write-plan.ts';

/** The plan files of a session as they are on disk. */
export interface PlanOnDesk extends ReviewedPlan {
  /** The version: 1 for the session’s first plan, one more for each new plan of the planner. */
  readonly version: number;
  /** The hash in `approval.json`; null if there is none. */
  readonly approvedHash: string | null;
  /** The changes since the previous version; for the first one, since the planner wrote it. */
  readonly changes: readonly PlanChange[];
  /** The findings of other vendors in the plan; null if nobody was asked to read it. */
  readonly reading: PlanReading | null;
  /** All of it as a person reads it, with the anchors of its lines; null if the files cannot be read. */
  readonly document: Document | null;
  /** True if somebody edited `plan.md`, which is only written and never read. */
  readonly isTextEdited: boolean;
  /** The numbers of earlier versions that can be compared and restored. */
  readonly versions: readonly number[];
  /** What a person wrote about it, in the order of writing. */
  readonly comments: readonly SavedComment[];
}

/** Lets a person read and change the plan of a session. A refused change writes nothing. */
export interface PlanDesk {
  read(): Promise<PlanOnDesk>;
  /** Applies all of the edits, in order, or none. */
  readonly edit: (
    edit: PlanEdit,
    ...more: readonly PlanEdit[]
  ) => Promise<Result<PlanOnDesk, EditRefusal>>;
  /** The plan as Markdown for an editor; empty if the files cannot be read. */
  markdown(): Promise<string>;
  /** A kept version or the present one; null if it cannot be read. */
  version(number: number): Promise<PlanFiles | null>;
  /** Reverts the last change made at this desk, if the files are still as it left them. */
  undo(): Promise<Result<PlanOnDesk, EditRefusal>>;
  /** Saves a comment at once, and returns all; one without a text is removed. */
  readonly comment: (comment: WrittenComment) => Promise<readonly SavedComment[]>;
  /** The text of `plan.json`, `.task/ID.json` or the code of a proof; throws `usage` for any other file. */
  text(file: string): Promise<string>;
  /** Replaces the code of a proof, or a file while the files cannot be read as a plan. */
  replace(file: string, text: string): Promise<Result<PlanOnDesk, EditRefusal>>;
}

/** The desk as the session uses it. */
interface OpenDesk extends PlanDesk {
  /** Stores the readers’ findings next to the plan and adds them to `plan.md`. */
  keepReading(reading: PlanReading): Promise<void>;
}

type DeskTools = Pick<Tools, 'folder' | 'schemas' | 'repository' | 'emit'>;

/** Opens the desk of a plan version; `since` is the version with which changes are compared. */
export function planDesk(
  tools: DeskTools,
  { version, since }: { readonly version: number; readonly since: PlanFiles },
): OpenDesk {
  let last: Promise<unknown> = Promise.resolve();
  const undoable: { readonly before: PlannedFiles; readonly hash: string | null }[] = [];
  const knownFiles: KnownFiles = new Map();
  const onDisk = () => readStoredPlan({ ...tools, known: knownFiles });
  const emit = (task: string | null, field: string) =>
    tools.emit({ type: 'plan.edited', task, field });
  return {
    read: () => inTurn(read),
    edit: (...edits) =>
      inTurn(async () => {
        const stored = await onDisk();
        if (stored.plan === null) {
          const why = stored.findings[0]?.message ?? '';
          return refuseEdit(
            `The files on disk cannot be read as a plan, so fix them first: ${why}`,
          );
        }
        const edited = applyEdits(stored, edits, tools.schemas);
        if (!edited.ok) return edited;
        for (const edit of edits) {
          const from = edit.kind === 'whole' ? edit.restores : undefined;
          if (from !== undefined)
            await noteRestored(tools.folder, { ...stored, version: await now() }, from);
          const field = edit.kind === 'set' ? edit.field : edit.kind;
          emit('task' in edit ? edit.task : null, field);
        }
        await write(stored, edited.value);
        return await keepForUndo(stored);
      }),
    undo: () =>
      inTurn(async () => {
        const change = undoable.at(-1);
        if (change === undefined) return refuseEdit('There is no edit to undo.');
        const stored = await onDisk();
        if (stored.plan === null || stored.hash !== change.hash)
          return refuseEdit('The files have changed since the last edit, so it cannot be undone.');
        await write(stored, change.before);
        undoable.pop();
        emit(null, 'undo');
        return { ok: true, value: await read() };
      }),
    markdown: () =>
      inTurn(async () => {
        const stored = await onDisk();
        return stored.plan === null ? '' : planToEdit(stored);
      }),
    version: (number) =>
      inTurn(async () => {
        if (number !== (await now())) return await readVersion(tools.folder, number);
        const { plan, tasks } = await onDisk();
        return plan && { plan, tasks };
      }),
    comment: (comment) =>
      inTurn(async () => {
        const { task_ids: ids = [] } = readAs(Plan, await tools.folder.read('plan.json')) ?? {};
        const task = comment.task ?? taskOf(comment.anchor ?? '', ids);
        const place = { on: 'plan', version: await now() } as const;
        await keepComment(tools.folder, { ...comment, task }, place);
        return await readComments(tools.folder);
      }),
    text: (file) => inTurn(() => textOf(file)),
    replace: (file, text) =>
      inTurn(async () => {
        await textOf(file);
        const isCode = !file.endsWith('.json');
        const fault = isCode ? null : planFileFault(file, text, tools.schemas);
        if (fault !== null) return refuseEdit(fault);
        const kept = isCode ? text : fileText(jsonIn(text));
        await writeTogether(tools.folder, [{ path: file, text: kept }]);
        emit(/^\.task\/(.+)\.json$/.exec(file)?.[1] ?? null, 'file');
        return { ok: true, value: await read() };
      }),
    keepReading: (reading) =>
      inTurn(async () => {
        await tools.folder.writeJson(readingFile, reading);
        const stored = await onDisk();
        if (stored.plan === null) return;
        const text = planMarkdown({ ...stored, folder: tools.folder, reading });
        await writeTogether(tools.folder, [{ path: 'plan.md', text }]);
      }),
  };

  async function textOf(file: string): Promise<string> {
    const { plan } = (await readUncheckedPlan(tools)) ?? {};
    const isCode = plan?.proofs?.some((proof) => proofFile(proof) === file) === true;
    const isPart = isCode || file === 'plan.json' || /^\.task\/[^/]+\.json$/.test(file);
    const text = isPart ? await tools.folder.read(file) : null;
    if (text !== null) return text;
    const message = `${JSON.stringify(file)} is not a file of this plan; it has plan.json and .task/ID.json.`;
    throw new Stopped({ reason: 'usage', message });
  }

  /** Writes the files whose text changed, and `plan.md` with the current findings of the plan check. */
  async function write(
    { contextPackage, tasks: before }: PlannedFiles,
    { plan, tasks }: PlanFiles,
  ): Promise<void> {
    const own = tasks.map((task) => (hasOtherCommands(task) ? withTest(task) : task));
    const made = { plan, tasks: own, contextPackage };
    const findings = await planFindingsOf({ ...made, tools });
    await writePlan({ ...made, findings, before, folder: tools.folder });
  }

  async function keepForUndo(before: PlannedFiles): Promise<Result<PlanOnDesk, EditRefusal>> {
    const value = await read();
    undoable.push({ before, hash: value.hash });
    return { ok: true, value };
  }

  /** Runs changes one after the other; two at once would start from the same files. */
  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = last.then(work, work);
    last = turn.catch(() => undefined);
    return await turn;
  }

  /** The number of the version on disk. */
  async function now(): Promise<number> {
    return await versionNow(tools.folder, await latestPlanning(tools.folder), version);
  }

  async function read(): Promise<PlanOnDesk> {
    const stored = await onDisk();
    const { plan, tasks, findings, hash } = stored;
    const approvedHash = (await readApproval(tools.folder))?.plan_hash ?? null;
    const reading = await readReading(tools);
    const comments = await readComments(tools.folder);
    const number = await now();
    const kept = await listVersions(tools.folder);
    const before =
      number === version ? since : ((await readVersion(tools.folder, number - 1)) ?? since);
    const changes = plan === null ? [] : planChanges(before, { plan, tasks });
    const told = { ...stored, reading, changes, version: number };
    const document = told.plan === null ? null : planDocument(told);
    const versions = kept.filter((one) => one < number);
    const known = { version: number, plan, tasks, findings, hash, approvedHash, changes, reading };
    const text = await tools.folder.read('plan.md');
    const isTextEdited = text !== null && isEditedText(text);
    return { ...known, document, comments, versions, isTextEdited };
  }
}

/** Shows what changed from one version to another as a diff; null if one of them cannot be read. */
export async function compareVersions(
  desk: Pick<PlanDesk, 'version'>,
  from: number,
  to: number,
): Promise<Document | null> {
  const [older, newer] = [await desk.version(from), await desk.version(to)];
  if (older === null || newer === null) return null;
  const changes = planChanges(older, newer);
  const title = `Version ${to}: ${counted(changes.length, 'change')} since version ${from}`;
  const lines = changes.flatMap(({ task, field, before, after }) => [
    `@@ ${task ?? 'plan'} ${fieldText(field)}`,
    ...(before === null ? [] : [`-${before}`]),
    ...(after === null ? [] : [`+${after}`]),
  ]);
  return documentOf(title, lines.length === 0 ? [] : [diff('plan.md', lines.join('\n'))]);
}
