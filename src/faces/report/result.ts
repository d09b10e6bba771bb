import type { ExecutionResult } from '../../model/execution.ts';
import { counted } from '../../model/wording.ts';
import { countedTasks, executedText } from '../execution-words.ts';
import { type Part, bulletList, foldable, markup, paragraphs } from './markup.ts';

/** What the execution came to: how the tasks ended, what stands in the way, which files it changed. */
export function resultText(result: ExecutionResult): Part {
  const { tasks, notes, conflicts, completionSummary: summary, carried } = result;
  const text = executedText(countedTasks(tasks));
  const problems = [
    ...tasks.flatMap(({ task, status, why }) =>
      status === 'completed' ? [] : [`${task} ${status}${why === '' ? '' : `: ${why}`}`],
    ),
    ...conflicts.map(({ task, files }) => `${task} conflicted in ${files.join(', ')}`),
    ...(carried.length === 0
      ? []
      : [`It began with uncommitted changes of the work tree: ${carried.join(', ')}`]),
    ...notes,
  ];
  return markup`<p class="lead">${text}.</p>${summary === text ? null : paragraphs(summary)}
${bulletList(problems)}${changedFiles(result.keyOutputs)}`;
}

function changedFiles(files: readonly string[]): Part {
  if (files.length === 0) return markup`<p>No file was changed.</p>`;
  const body = markup`<ul>${files.map((file) => markup`<li><code>${file}</code></li>`)}</ul>`;
  return foldable(`${counted(files.length, 'file')} changed`, { body, open: files.length <= 20 });
}
