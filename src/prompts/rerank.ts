import type { RelevantFile } from '../model/context.ts';
import { fileLine } from './context-text.ts';
import { bullets, commonValues, fencedValues, type Question } from './question.ts';
import { renderWithin } from './render.ts';

/** The question for the order of found files. */
export function rerankPrompt(
  question: Question & {
    readonly task: string;
    /** Best first, as the search sees it. */
    readonly files: readonly RelevantFile[];
  },
): string {
  const values = {
    ...commonValues({ ...question, phase: 'rerank', repair: false }),
    task: question.task,
    files: bullets(question.files.map(fileLine)),
  };
  return renderWithin('rerank', values, {
    maxBytes: question.maxBytes,
    cuttable: ['files', 'task'],
    dress: (raw) => fencedValues(question.nonce, { task: 'task', files: 'found files' }, raw),
  });
}
