import type { RelevantFile } from '../model/context.ts';
import { fileLine } from './context-text.ts';
import { type PromptInput, bullets, promptText } from './question.ts';

/** The question for the order of found files. */
export function rerankPrompt(
  question: PromptInput & {
    readonly task: string;
    /** Best first, as the search sees it. */
    readonly files: readonly RelevantFile[];
  },
): string {
  const { task, files } = question;
  return promptText(question, {
    template: 'rerank',
    phase: 'rerank',
    request: { task: ['task', task] },
    data: { files: ['found files', bullets(files.map(fileLine))] },
    cuttable: ['files', 'task'],
  });
}
