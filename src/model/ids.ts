// Defines ids that are also file names, and the levels of effort and risk.
import { z } from 'zod';

/** A session id: also the name of its folder, so it can never leave `.workflow/.multi-cli-plan/`. */
export const SessionId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/);

/** A task id of a plan: also a file name under `.task/`. */
export const TaskId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/);

/** An agent's name: also a folder name under `rounds/N/agents/`. */
export const AgentName = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,31}$/);

/** A moment as ISO 8601 in UTC, e.g. `2026-11-21T08:00:00.000Z`. */
export const Timestamp = z.iso.datetime();

export const Level = z.enum(['low', 'medium', 'high']);
export type Level = z.infer<typeof Level>;
