// Defines `approval.json`, the approval of a plan by its hash.
import { z } from 'zod';
import { DecidedBy } from './decision.ts';

/** `approval.json`: binds an approval to the exact plan and tasks. */
export const Approval = z.object({
  session_id: z.string(),
  plan_hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe('sha256 over plan and tasks without the fields that execution writes.'),
  approved_at: z.string(),
  approved_by: DecidedBy,
  unread: z
    .string()
    .optional()
    .describe('Why no other vendor read the plan, if one should have; else absent.'),
  open_findings: z
    .array(z.string())
    .optional()
    .describe('What readers had found and was still open; left out where nothing was.'),
  base_commit: z.string().nullable(),
  cited_files: z
    .record(z.string(), z.string())
    .describe('Path of each cited file to the sha256 of its content at approval, or "absent".'),
});
export type Approval = z.infer<typeof Approval>;
