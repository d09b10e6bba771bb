// Runs `conclave sessions export`, for plans and conversations, and `conclave report`.
import { createIssue, issueWords, whyNoGh } from '../app/publish.ts';
import { turnsOf } from '../app/conversation-history.ts';
import { findSession } from '../app/find-session.ts';
import { latestFor } from '../app/load-session.ts';
import { type ReportData, readReport } from '../app/read-report.ts';
import { type SessionDescription, describeSession } from '../app/saved-session.ts';
import { wrongUsage } from '../model/failure.ts';
import { isObject, jsonIn } from '../model/json.ts';
import { shorten } from '../faces/short-forms.ts';
import { counted, oneLine } from '../model/wording.ts';
import { taskMarkdown } from '../phases/planning/plan-text.ts';
import type { SessionFolder } from '../store/session-folder.ts';
import { turnDocument, turnsMarkdown } from './conversation-lines.ts';
import { confirm, printJson, printLines, shellLine } from './output.ts';
import type { CommonOptions } from './program/shared-options.ts';
import { sessionDocument } from '../faces/session-document.ts';
import { reportHtml } from '../faces/web/page-html.tsx';

const formats = ['md', 'json', 'github-issues'] as const;

/** Exports the plan of a session, or a conversation. Throws `usage` if there is neither. */
export async function exportCommand(
  wanted: string | undefined,
  options: CommonOptions,
): Promise<number> {
  const { root, environment, format = 'md' } = options;
  const known = formats.find((one) => one === format);
  if (known === undefined)
    throw wrongUsage(`--format takes one of ${formats.join(', ')}, not ${JSON.stringify(format)}.`);
  const meant = wanted === undefined ? null : await findSession({ root, environment }, wanted);
  if (meant?.isPlanned === false) return await exportConversation(meant.id, known, options);
  const described = await describeSession(root, meant?.id ?? (await latestFor(options, 'review')));
  const data = await readReport(described);
  if (data.plan === null)
    throw wrongUsage(
      `Session ${described.folder.id} has no plan yet. To continue: conclave resume ${described.folder.id}`,
    );
  if (known === 'github-issues') return await exportIssues(described, data, options);
  const text = known === 'md' ? await markdownOf(described) : jsonOf(described, data);
  process.stdout.write(text);
  return 0;
}

async function exportConversation(
  id: string,
  format: (typeof formats)[number],
  options: CommonOptions,
): Promise<number> {
  if (format === 'github-issues') {
    throw wrongUsage(`--format: ${id} is a conversation, which has no tasks; use md or json.`);
  }
  const turns = await turnsOf(options, id);
  const document = { session_id: id, turns: turns.map(turnDocument) };
  process.stdout.write(
    format === 'md' ? turnsMarkdown(id, turns) : `${JSON.stringify(document, null, 2)}\n`,
  );
  return 0;
}

async function markdownOf({ folder }: SessionDescription): Promise<string> {
  const text = await folder.read('plan.md');
  if (text === null)
    throw wrongUsage(
      `Session ${folder.id} has no plan.md; write it again with: conclave resume ${folder.id}`,
    );
  return text;
}

function jsonOf(
  { state, result }: SessionDescription,
  { plan, tasks, approval }: ReportData,
): string {
  const { session_id: session, task_description: task, user_decision: decision } = state;
  return `${JSON.stringify({ session, task, decision, plan, tasks, approval, result }, null, 2)}\n`;
}

interface Issue {
  readonly task: string;
  readonly file: string;
  readonly words: readonly string[];
}

/** Opens an issue for each task that has none yet; without a logged-in gh, prints the commands to type. */
async function exportIssues(
  { folder, state }: SessionDescription,
  { tasks }: ReportData,
  { root, environment, json, yes, dryRun = false }: CommonOptions,
): Promise<number> {
  const urls = await readUrls(folder);
  const issues: Issue[] = [];
  for (const task of tasks) {
    const path = `issues/${task.id}.md`;
    await folder.write(path, `${taskMarkdown(task)}\n\n${footOf(folder.id, task.depends_on)}\n`);
    const file = folder.absolute(path);
    const title = shorten(oneLine(task.title), 200);
    issues.push({ task: task.id, file, words: issueWords({ title, bodyFile: file }) });
  }
  const left = issues.filter(({ task }) => urls[task] === undefined);
  const place = { root, environment };
  const why = dryRun ? 'this is a dry run' : left.length === 0 ? null : await whyNoGh(place);
  const question = `Open ${counted(left.length, 'issue')} on GitHub for "${shorten(state.task_description, 80)}"?`;
  const isMeant = why === null && (left.length === 0 || yes || (await confirm(question)));
  for (const { task, words } of isMeant ? left : []) {
    urls[task] = await createIssue(place, folder.id, words);
    // Saved at once, so that a failure later on does not lead to a second issue for this task.
    await folder.writeJson(urlFile, urls);
  }
  const open = issues.filter(({ task }) => urls[task] === undefined);
  const commands = open.map(({ words }) => shellLine(words));
  if (json) {
    printJson({
      session: folder.id,
      issues: urls,
      files: issues.map(({ file }) => file),
      why,
      commands,
    });
    return 0;
  }
  printLines(...Object.entries(urls).map(([task, url]) => `${task}  ${url}`));
  if (open.length > 0) {
    const reason = why === null ? '' : `, as ${why}`;
    printLines(`No issue was opened for ${counted(open.length, 'task')}${reason}. By hand:`);
    printLines(...commands.map((line) => `  ${line}`));
  }
  return 0;
}

const urlFile = 'issues/opened.json';

/** The addresses of the issues that were opened earlier, by the id of the task. */
async function readUrls(folder: SessionFolder): Promise<Record<string, string>> {
  const known = jsonIn((await folder.read(urlFile)) ?? '{}');
  if (!isObject(known)) return {};
  const urls = Object.entries(known);
  return Object.fromEntries(
    urls.flatMap(([task, url]): [string, string][] =>
      typeof url === 'string' ? [[task, url]] : [],
    ),
  );
}

function footOf(session: string, needs: readonly string[]): string {
  const after = needs.length === 0 ? '' : `After ${needs.join(', ')}. `;
  return `${after}Planned with Conclave, session \`${session}\`.`;
}

/** Writes the report, and prints the path of the file. */
export async function reportCommand(
  wanted: string | undefined,
  { root, json }: CommonOptions,
): Promise<number> {
  const session = await describeSession(root, wanted);
  const { folder } = session;
  const page = reportHtml(sessionDocument(await readReport(session)));
  const file = folder.absolute('report.html');
  await folder.write('report.html', page);
  if (json) printJson({ session: folder.id, file });
  else printLines(file);
  return 0;
}
