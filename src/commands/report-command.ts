// Runs `conclave report`: writes `report.html`.
import { readReport } from '../app/read-report.ts';
import { describeSession } from '../app/saved-session.ts';
import { sessionDocument } from '../faces/session-document.ts';
import { reportHtml } from '../faces/web/page-html.tsx';
import { printJson, printLines } from './output.ts';
import type { CommonOptions } from './program/shared-options.ts';

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
