// Reads the options of an executor’s call, and refuses what cannot be.
import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { type Permission, type RunWishes, wishFault } from '../agents/permission.ts';
import { wrongUsage } from '../model/failure.ts';
import { firstMisfit } from '../store/schema-findings.ts';
import type { ExecutorOptions, ToolPermissions } from './executor.ts';

const folder = z.string().refine((path) => isAbsolute(path), { error: 'must be an absolute path' });
const tools = z.array(z.enum(['file_read', 'file_write', 'shell', 'git', 'web']));
const positive = z.int().min(1);

const Options = z.strictObject({
  sessionId: z.string().min(1),
  prompt: z.string().refine((text) => text.trim() !== '', { error: 'must not be empty' }),
  workingDirectory: folder,
  additionalDirectories: z.array(folder).optional(),
  permissions: z
    .strictObject({
      allowAll: z.boolean().optional(),
      allowed: tools.optional(),
      denied: tools.optional(),
      sandboxMode: z.enum(['read-only', 'full-auto', 'danger-full-access']).optional(),
    })
    .optional(),
  maxTurns: positive.optional(),
  timeout: positive.optional(),
  resumeSessionId: z.string().min(1).optional(),
});

/** A call with its limits in the words of our agents. */
export interface ExecutorOrder extends ExecutorOptions {
  readonly wishes: RunWishes;
}

/** Throws `usage`, naming the option, for one that is not known, missing or of another kind. */
export function readOrder(options: ExecutorOptions): ExecutorOrder {
  const misfit = firstMisfit(options, Options);
  if (misfit !== '') throw wrongUsage(`execute: ${misfit}.`);
  const { permissions = {}, maxTurns = null, additionalDirectories: extraDirs = [] } = options;
  const { allowed = [], denied = [] } = permissions;
  const permission = permissionOf(permissions);
  const fault = wishFault({ permission, allowed, denied });
  if (fault !== null) throw wrongUsage(`execute: permissions.allowed: ${fault}.`);
  return { ...options, wishes: { permission, allowed, denied, maxTurns, extraDirs } };
}

function permissionOf({ allowAll = false, sandboxMode }: ToolPermissions): Permission {
  if (allowAll && sandboxMode === 'read-only') {
    throw wrongUsage(
      'execute: permissions.allowAll cannot stand beside sandboxMode "read-only"; leave one of them out.',
    );
  }
  return modes[sandboxMode ?? (allowAll ? 'danger-full-access' : 'read-only')];
}

const modes = {
  'read-only': 'read-only',
  'full-auto': 'edit-and-shell',
  'danger-full-access': 'full',
} as const;
