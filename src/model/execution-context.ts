// Defines `execution-context.json`, the input of execution.
import { z } from 'zod';
import { CodeReviewTool, ExecutionMethod, UserAnswer } from './decision.ts';
import { ExecutorAssignment } from './execution.ts';
import { Plan } from './plan.ts';

/** `execution-context.json`: what execution receives. Field names are fixed by the workflow. */
export const ExecutionContext = z.object({
  planObject: Plan,
  taskFiles: z.array(z.string()).describe('Paths of the task files, relative to the repository.'),
  explorationsContext: z.null(),
  explorationAngles: z.array(z.string()),
  explorationManifest: z.null(),
  clarificationContext: z
    .object({
      feedback: z.array(z.string()),
      answers: z.array(UserAnswer),
    })
    .nullable(),
  executionMethod: ExecutionMethod,
  codeReviewTool: CodeReviewTool,
  originalUserInput: z.string(),
  executorAssignments: z
    .record(z.string(), ExecutorAssignment)
    .nullable()
    .describe('By the id of the task; null before an execution began.'),
  userConstraints: z.array(z.string()),
  session: z.object({
    id: z.string(),
    folder: z.string(),
    artifacts: z.object({
      explorations: z.array(z.string()),
      explorations_manifest: z.null(),
      plan: z.string(),
      task_dir: z.string(),
      synthesis_rounds: z.array(z.string()),
      context_package: z.string(),
    }),
  }),
});
export type ExecutionContext = z.infer<typeof ExecutionContext>;
