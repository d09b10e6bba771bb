// Defines ids that are also file names, and the levels of effort and risk.
import { z } from 'zod';
import { Text } from './plain-shapes.ts';
import { agentNamePattern, sessionIdPattern } from './id-patterns.ts';

export const SessionId = Text.regex(sessionIdPattern);

/** A task id of a plan: also a file name under `.task/`. */
export const TaskId = Text.regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/);

export const AgentName = Text.regex(agentNamePattern);

/** A moment as ISO 8601 in UTC, e.g. `2026-11-21T08:00:00.000Z`. */
export const Timestamp = z.iso.datetime();

export const Level = z.enum(['low', 'medium', 'high']);
export type Level = z.infer<typeof Level>;
