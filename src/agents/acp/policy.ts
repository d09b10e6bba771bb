// Answers the permission requests of an ACP agent by what its request allows.
import { isAbsolute, relative } from 'node:path';
import type { AgentRequest } from '../agent.ts';
import { type Fields, fieldsIn, isString, objectsIn, textOr } from '../cli/adapter-parts.ts';
import { type ToolKind, toolsOf } from '../permission.ts';

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
 * Allows a call once where the request allows its kind and it stays in its folders. What the program
 * does not offer to refuse is answered as broken off. Nothing is ever allowed for longer.
 */
export function answerPermission(request: AgentRequest, params: Fields): PermissionAnswer {
  const call = fieldsIn(params['toolCall']);
  const options = objectsIn(params['options']);
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

function isPermitted(request: AgentRequest, { kind, locations }: Fields): boolean {
  if (request.permission === 'full') return true;
  const tool = Object.entries(toolsOfKinds).find(([name]) => name === kind)?.[1];
  if (tool === undefined || !toolsOf(request).has(tool)) return false;
  const paths = objectsIn(locations).map(({ path }) => textOr(path, ''));
  return tool !== 'file_write' || paths.every((path) => isWithin(request, path));
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
