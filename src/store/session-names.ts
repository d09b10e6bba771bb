import { randomInt } from 'node:crypto';
import { Stopped } from '../model/failure.ts';
import { SessionId } from '../model/ids.ts';
import { shown } from './printable.ts';

/** Where all sessions of a repository are, below its root. */
export const sessionsFolder = ['.workflow', '.multi-cli-plan'] as const;

const idParts = /^MCP-(.+)-\d{4}-\d{2}-\d{2}-[a-z0-9]{4}$/;

/** `MCP-{slug}-{date}-{four random characters}`; the date is that of UTC. */
export function newSessionId({ slug, now }: { slug: string; now: Date }): string {
  const random = Array.from({ length: 4 }, () => randomInt(36).toString(36)).join('');
  return `MCP-${slug}-${now.toISOString().slice(0, 10)}-${random}`;
}

/** At most 40 characters of lower-case ASCII; `task` where nothing of the text can be kept. */
export function slugOf(task: string): string {
  const words = task
    .slice(0, 1000)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-');
  return trimDashes(trimDashes(words).slice(0, 40)) || 'task';
}

/** The slug inside an id that `newSessionId` made, or the slug of any other id. */
export function slugInId(id: string): string {
  return slugOf(idParts.exec(id)?.[1] ?? id);
}

/** Throws `usage` for anything that cannot be the name of a session folder. */
export function checkSessionId(id: string): void {
  if (SessionId.safeParse(id).success) return;
  const rule = 'it takes 1 to 128 letters, digits, "-" and "_" and starts with a letter or digit';
  throw new Stopped({
    reason: 'usage',
    message: `The session id ${shown(id)} is not valid: ${rule}.`,
  });
}

function trimDashes(text: string): string {
  return text.replace(/^-+/, '').replace(/-+$/, '');
}
