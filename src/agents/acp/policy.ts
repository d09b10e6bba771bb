// Answers the permission requests of an ACP agent by what its request allows.
import { isAbsolute, relative } from 'node:path';
import type { AgentRequest } from '../agent.ts';
import { type Fields, isString, objectsIn, textOr } from '../cli/adapter-parts.ts';
import { type ToolKind, toolsOf } from '../permission.ts';
import { placesIn } from './updates.ts';

/** The answer to one permission request. */
export interface PermissionAnswer {
  readonly outcome: Fields;
  readonly isAllowed: boolean;
  /** The call that it was for, in a few words. */
  readonly tool: string | null;
  readonly what: string;
  readonly call: string | null;
}

/**
 * Allows a call once where the request allows its kind and all that it names stays in its folders; a
 * change has to name something. What the program does not offer to refuse is answered as broken off.
 * Nothing is ever allowed for longer.
 */
export function answerPermission(
  request: AgentRequest,
  call: Fields,
  choices: unknown,
): PermissionAnswer {
  const options = objectsIn(choices);
  const offered = (kind: string) => {
    const id = options.find((option) => option['kind'] === kind)?.['optionId'];
    return isString(id) ? id : null;
  };
  const once = isPermitted(request, call) ? offered('allow_once') : null;
  const option = once ?? offered('reject_once');
  return {
    outcome: option === null ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: option },
    isAllowed: once !== null,
    tool: textOr(call['kind'], null),
    what: textOr(call['title'], ''),
    call: textOr(call['toolCallId'], null),
  };
}

function isPermitted(request: AgentRequest, call: Fields): boolean {
  if (request.permission === 'full') return true;
  const tool = Object.entries(toolsOfKinds).find(([name]) => name === call['kind'])?.[1];
  if (tool === undefined || !toolsOf(request).has(tool)) return false;
  if (tool !== 'file_write') return true;
  const places = placesIn(call);
  return places.length > 0 && places.every((place) => isWithin(request, place));
}

/** The kinds of calls in ACP; any other one is not allowed. */
const toolsOfKinds: Readonly<Record<string, ToolKind>> = {
  read: 'file_read',
  search: 'file_read',
  think: 'file_read',
  edit: 'file_write',
  delete: 'file_write',
  move: 'file_write',
  execute: 'shell',
  fetch: 'web',
};

function isWithin({ cwd, extraDirs }: AgentRequest, path: string): boolean {
  if (!isAbsolute(path)) return !path.split('/').includes('..');
  return [cwd, ...extraDirs].some((folder) => {
    const way = relative(folder, path);
    return way !== '' && way !== '..' && !way.startsWith('../') && !isAbsolute(way);
  });
}
