// Runs `conclave pr`: pushes the branch of a session and opens a pull request with gh.
import {
  planPublication,
  holdsCarried,
  isThere,
  pushBranch,
  pushWords,
  openRequest,
  requestWords,
  whyNoGh,
} from '../app/publish.ts';
import { latestFor } from '../app/load-session.ts';
import { readReport, type ReportData } from '../app/read-report.ts';
import { describeSession } from '../app/saved-session.ts';
import { requireOwn } from '../app/trust.ts';
import { pullRequestText } from '../faces/pull-request-text.ts';
import { sessionDocument } from '../faces/session-document.ts';
import { reportHtml } from '../faces/web/page-html.tsx';
import { notOnBranchText, objectionsTo } from '../model/execution-summary.ts';
import { wrongUsage } from '../model/failure.ts';
import { printJson, printLines, shellLine } from './output.ts';
import type { CommonOptions } from './program/shared-options.ts';

/** Prints the address of the pull request, or the commands to open one. */
export async function pullRequestCommand(
  wanted: string | undefined,
  options: CommonOptions,
): Promise<number> {
  const { root, environment, json } = options;
  const place = { root, environment };
  const described = await describeSession(root, wanted ?? (await latestFor(options, 'publish')));
  const { folder, state } = described;
  await requireOwn(folder.id, place);
  const data = await readReport(described);
  const { result, codeReview: review, plan } = data;
  const branch = result?.branch ?? null;
  if (result === null || branch === null) {
    throw wrongUsage(
      `${folder.id} has no result to publish; carry its plan out with: conclave execute ${folder.id}`,
    );
  }
  if (result.applied !== null && !(await isThere(place, branch))) {
    throw wrongUsage(
      `The result of ${folder.id} was applied, so its branch ${branch} is gone; push the branch that it was applied to.`,
    );
  }
  if (await holdsCarried(place, branch)) {
    throw wrongUsage(
      `The branch ${branch} holds uncommitted files of yours (${result.carried.join(', ')}), which a pull request would publish; commit what belongs to it, then: conclave execute ${folder.id} --discard, and execute it again.`,
    );
  }
  const publication = await planPublication(place, branch);
  const objections = whyDraft(result);
  const isReady = options.ready === true;
  const text = pullRequestText({
    task: state.task_description,
    plan,
    result,
    review,
    objections,
  });
  await folder.write('pull-request.md', text.body);
  await folder.write('report.html', reportHtml(sessionDocument(data)));
  const bodyFile = folder.absolute('pull-request.md');
  const isDraft = objections.length > 0 && !isReady;
  const words = requestWords(publication, { title: text.title, bodyFile, isDraft });
  const files = { body: bodyFile, report: folder.absolute('report.html') };
  const typed = [shellLine(pushWords(publication)), shellLine(words)];
  if (options.dryRun === true) {
    if (json)
      printJson({
        session: folder.id,
        ...publication,
        ...text,
        files,
        objections,
        commands: typed,
      });
    else
      printLines(
        `Title:  ${text.title}`,
        '',
        text.body,
        `Report: ${files.report}`,
        '',
        'Nothing was pushed. To do it by hand:',
        ...typed.map((line) => `  ${line}`),
      );
    return 0;
  }
  await pushBranch(place, folder.id, publication);
  const why = await whyNoGh(place);
  const url =
    why === null
      ? await openRequest(place, { session: folder.id, words, isReady, ...publication })
      : null;
  if (json)
    printJson({
      session: folder.id,
      ...publication,
      url,
      files,
      objections,
      ...(why !== null && { why, commands: typed.slice(1) }),
    });
  else if (why !== null)
    printLines(
      `Pushed ${branch} to ${publication.remote}. No pull request was opened, as ${why}. To open one:`,
      `  ${typed[1] ?? ''}`,
      `Report to attach: ${files.report}`,
    );
  else
    printLines(
      url ?? '',
      ...(isDraft
        ? [
            `It is a draft: ${objections[0] ?? ''}. To make it ready: conclave pr ${folder.id} --ready`,
          ]
        : []),
      `Report to attach: ${files.report}`,
    );
  return 0;
}

/** What is open before a result should be merged, one sentence each. */
function whyDraft(result: NonNullable<ReportData['result']>): readonly string[] {
  const { accepted, not_on_branch: left, reviewed_by: reviewer, tasks } = result;
  return [
    ...objectionsTo(result),
    ...(reviewer === undefined ? ['it was reviewed by nobody'] : []),
    ...(left === undefined ? [] : [notOnBranchText(left)]),
    ...tasks.flatMap(({ task, status, why }) =>
      status === 'completed' || accepted?.[task] !== undefined
        ? []
        : [`${task} is ${status}: ${why}`],
    ),
  ];
}
