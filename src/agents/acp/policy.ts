// Answers permission requests of an ACP agent by what its request allows, and by the places that a call names.
import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { isInside } from '../../git/disk.ts';
import { jsonIn } from '../../model/json.ts';
import { hasCode } from '../../store/system-error.ts';
import type { AgentRequest } from '../agent.ts';
import {
  type Fields,
  fieldsIn,
  objectsIn,
  isString,
  textOf,
  textOrNull,
} from '../cli/adapter-parts.ts';
import { type ToolKind, toolsOf } from '../permission.ts';

/** The answer to one permission request. */
export interface PermissionAnswer {
  readonly outcome: Fields;
  readonly isAllowed: boolean;
  /** The call that the answer was for, in a few words. */
  readonly tool: string | null;
  readonly what: string;
  readonly call: string | null;
}

/**
 * Allows a call once if the request allows what its label and its input ask for, and all places
 * that it names are in its folders. If the program offers no way to refuse, the answer is that the
 * call was cancelled. Nothing is ever allowed for longer.
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
    tool: textOrNull(call['kind']),
    what: textOf(call['title']),
    call: textOrNull(call['toolCallId']),
  };
}

/** True if the request allows a call as it is now described. */
function isPermitted(request: AgentRequest, call: Fields): boolean {
  const { permission, denied = [] } = request;
  if (permission === 'full' && denied.length === 0) return true;
  const needed = toolsFor(call);
  const tools = toolsOf(request);
  if (needed.length === 0 || !needed.every((tool) => tools.has(tool))) return false;
  // A command can reach any place.
  if (permission === 'full' || needed.includes('shell')) return true;
  return staysInside(request, call, needed.includes('file_write'));
}

/**
 * The tools that a call uses: that of its label, and those that its input reveals, whatever its
 * label says.
 */
function toolsFor(call: Fields): readonly ToolKind[] {
  const { kind, rawInput, content } = call;
  const input = inputOf(rawInput);
  const fields = fieldNames(input);
  const parts = objectsIn(content).map(({ type }) => type);
  // A text or a list on its own may be a command, or anything else.
  const isBare = isString(input) || (Array.isArray(input) && input.some(isString));
  const isCommand = isBare || fields.some((name) => commandField.test(name));
  const isChange = fields.some((name) => changeField.test(name) || textField.test(name));
  return [
    ...labels.flatMap(([tool, ...kinds]) => (kinds.some((one) => one === kind) ? tool : [])),
    ...(isCommand || parts.includes('terminal') ? (['shell'] as const) : []),
    ...(isChange || parts.includes('diff') ? (['file_write'] as const) : []),
    ...(placesIn(call).some(isAddress) ? (['web'] as const) : []),
  ];
}

/** The names of all fields; a value nested this deeply is not allowed because of its places. */
function fieldNames(value: unknown, depth = 0): readonly string[] {
  if (depth > 16) return [];
  if (Array.isArray(value)) return value.flatMap((one) => fieldNames(one, depth + 1));
  const fields = Object.entries(fieldsIn(value));
  return fields.flatMap(([name, one]) => [name, ...fieldNames(one, depth + 1)]);
}

const commandField = /(?:command|cmd|script)(?:s|_?line)?$|^(?:argv|bash|shell|exec|code)$/i;
const changeField = /^(?:patch|diff|edits|changes)$/i;

/** The tools, each with its kinds of calls in ACP; no other label allows a call. */
const labels: readonly (readonly [ToolKind, ...string[]])[] = [
  ['file_read', 'read', 'search', 'think'],
  ['file_write', 'edit', 'delete', 'move'],
  ['shell', 'execute'],
  ['web', 'fetch'],
];

/**
 * True if a call stays in its folders. A read or a change must name a place; any other call must at
 * least show its input.
 */
function staysInside(
  { cwd, extraDirs, hidden }: AgentRequest,
  call: Fields,
  isChange: boolean,
): boolean {
  const all = placesIn(call);
  const named = all.filter((name) => !isAddress(name));
  if (all.length === 0) {
    const hasInput = fieldNames(inputOf(call['rawInput'])).length > 0;
    return hasInput && !isChange && call['kind'] !== 'read';
  }
  return named.every((name) => {
    const place = realPlace(cwd, name);
    const way = wayFrom([cwd, ...extraDirs], place);
    if (way === null || wayFrom(hidden, place) !== null) return false;
    return !isChange || (way !== '' && !/(?:^|\/)\.git(?:\/|$)/i.test(way));
  });
}

/** Every place that a call names: its own list, its changes, the input of its tool. */
function placesIn({ locations, content, rawInput }: Fields): readonly string[] {
  return namedIn([locations, content, inputOf(rawInput)]);
}

/** The input of a tool; some programs send it as JSON text. */
function inputOf(rawInput: unknown): unknown {
  return (isString(rawInput) ? jsonIn(rawInput) : undefined) ?? rawInput;
}

function namedIn(value: unknown, name = '', depth = 0): readonly string[] {
  // No tool nests its input deeper; what cannot be inspected counts as outside of every folder.
  if (depth > 16) return ['..'];
  if (isString(value)) return namedBy(value, name);
  if (Array.isArray(value)) return value.flatMap((one) => namedIn(one, name, depth + 1));
  return Object.entries(fieldsIn(value)).flatMap(([field, one]) => [
    // Some programs list changes by their paths.
    ...(field.includes('/') ? [field] : []),
    ...namedIn(one, field, depth + 1),
  ]);
}

function namedBy(value: string, name: string): readonly string[] {
  const patched = [...value.matchAll(patchedFile)].map(([, path = '']) => path.trim());
  const isPlace = placeField.test(name) || (!textField.test(name) && leadsAway.test(value));
  return value !== '' && isPlace ? [value, ...patched] : patched;
}

const placeField =
  /(?:path|file|file_?name|dir|directory|folder|root|cwd|ur[il]|glob|pattern|source|target|destination)s?$/i;
/** Matches a single-line text that starts like a path and may lead anywhere, whatever its field is called. */
const leadsAway = /^(?:~|\.\.?\/|\/|file:)[^\n]*$/i;
/** A field with the present or future text of a file. */
const textField = /^(?:old|new)_?(?:text|str|string|source|content)$|^(?:text|content|contents)$/i;
/** Matches a file that a patch names; a patch that adds or deletes a file names /dev/null, too. */
const patchedFile =
  /^(?:\*\*\* (?:(?:Add|Delete|Update) File|Move to):|(?:\+\+\+|---) (?:[ab]\/)?(?!\/?dev\/null)) ?(.+)$/gm;

/** True for a place that is not on this machine. */
function isAddress(name: string): boolean {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(name) && !/^file:/i.test(name);
}

/**
 * The place to which a name leads after all links, even if nothing is there yet; null if it may be
 * anywhere.
 */
function realPlace(cwd: string, name: string): string | null {
  const path = /^file:/i.test(name) ? (pathOfUrl.exec(name)?.[1] ?? null) : name;
  return path === null || outOfSight.test(path) ? null : realPath(resolve(cwd, path));
}

/** Matches a file URL without escapes, which programs read in different ways. */
const pathOfUrl = /^file:(?:\/\/(?:localhost)?)?(\/[^%?#]*)$/i;
/**
 * Matches names that cannot be followed: a link may precede "..", also among the choices of a
 * pattern; some programs expand "~" or a variable.
 */
const outOfSight = /\0|^[~$]|[{,][~/]|(?:^|[^\w.])\.\.(?:[^\w.]|$)/;

function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch (error) {
    if (!hasCode(error, ['ENOENT'])) return null;
  }
  // A link to nothing: writing there makes a file somewhere else.
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return null;
  const folder = realPath(dirname(path));
  return folder === null ? null : join(folder, basename(path));
}

/**
 * The path from the first of these folders that contains a real place, empty for that folder
 * itself; else null.
 */
function wayFrom(folders: readonly string[], place: string | null): string | null {
  if (place === null) return null;
  const real = folders.flatMap((one) => realPath(one) ?? []);
  const folder = real.find((one) => isInside(one, place));
  return folder === undefined ? null : relative(folder, place);
}
