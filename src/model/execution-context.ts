// Defines `execution-context.json`, the input of execution.
import { z } from 'zod';
import { Text, Texts } from './plain-shapes.ts';
import { CodeReviewTool, ExecutionMethod, UserAnswer } from './decision.ts';
import { ExecutorAssignment } from './execution.ts';
import { Plan } from './plan.ts';

/** `execution-context.json`: what execution receives. Field names are fixed by the workflow. */
export const ExecutionContext = z.object({
  planObject: Plan,
  taskFiles: Texts.describe('Paths of the task files, relative to the repository.'),
  explorationsContext: z.null(),
  explorationAngles: Texts,
  explorationManifest: z.null(),
  clarificationContext: z
    .object({
      feedback: Texts,
      answers: z.array(UserAnswer),
    })
    .nullable(),
  executionMethod: ExecutionMethod,
  codeReviewTool: CodeReviewTool,
  originalUserInput: Text,
  executorAssignments: z
    .record(Text, ExecutorAssignment)
    .nullable()
    .describe('By the id of the task; null before an execution began.'),
  userConstraints: Texts,
  session: z.object({
    id: Text,
    folder: Text,
    artifacts: z.object({
      explorations: Texts,
      explorations_manifest: z.null(),
      plan: Text,
      task_dir: Text,
      synthesis_rounds: Texts,
      context_package: Text,
    }),
  }),
});
export type ExecutionContext = z.infer<typeof ExecutionContext>;
