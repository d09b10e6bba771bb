import { partsOf } from '../../context/identifiers.ts';
import { importsIn } from '../../context/imports.ts';
import { folderOf, isFolderEntry, nameOfPath, stemOf } from '../../git/paths.ts';
import { definitionsIn } from '../../context/symbols.ts';
import type { OldName } from './old-name.ts';

export interface Place {
  readonly path: string;
  /** Where the name stands first. From 1. */
  readonly start: number;
}

interface Text {
  readonly path: string;
  readonly content: string;
}

/** A file that uses what has a name. */
interface User extends Place {
  readonly imports: boolean;
}

/** Tells of a file where it uses what has the name, and whether it imports it. */
export function userOf(
  old: OldName,
  about: { readonly homes: readonly Home[]; readonly known: ReadonlySet<string> },
): (text: Text) => User | null {
  const { homes, known } = about;
  const own = new Set(homes.map(({ path }) => path));
  const isFile = homes.every(({ kind }) => kind === 'file');
  const isMember = homes.every(({ kind }) => kind === 'member');
  const spelled = memberOf(homes.find(({ kind }) => kind !== 'file')?.name ?? old.name);
  const isTelling = old.isTelling && spelled.length >= leastTelling;
  return (text) => {
    // What uses a member goes by its class, wherever the member stands there.
    if (isMember && old.isMove) return null;
    const line = isFile ? 0 : lineWith(text.content, spelled);
    if (!isFile && (line === 0 || lineWith(text.content, ownerOf(old.name) ?? spelled) === 0))
      return null;
    const edge = importsIn(text, known).find(({ target }) => own.has(target));
    if (edge === undefined && (isFile || old.isMove || !isTelling)) return null;
    return { path: text.path, start: line || (edge?.line ?? 1), imports: edge !== undefined };
  };
}

/** A shorter name may be another one’s too, so that only those who import its file use it. */
const leastTelling = 6;

/** The path itself or its end, the name of the file, or that of the folder whose entry it is. */
export function isCalled(path: string, name: string): boolean {
  if (path === name || path.endsWith(`/${name}`)) return true;
  const own = isFolderEntry(path) ? nameOfPath(folderOf(path)) : stemOf(path);
  return isSameName(own, name);
}

/** `date parser` is `DateParser` and `date-parser`; a single word is only itself. */
function isSameName(own: string, name: string): boolean {
  if (own === name) return true;
  return name.includes(' ') && partsOf(own).join(' ') === name.toLowerCase();
}

interface Home extends Place {
  /** As it is spelled there. */
  readonly name: string;
  /** Whether the file itself has the name, or something at its top, or a part of that. */
  readonly kind: 'file' | 'top' | 'member';
}

export function homeIn({ path, content }: Text, name: string): Home | null {
  const definitions = definitionsIn(path, content);
  const defined = definitions.find((one) => isSameName(one.name, name));
  if (defined !== undefined) {
    const kind = /^\s/.test(defined.text) ? 'member' : 'top';
    return { path, start: defined.line, kind, name: defined.name };
  }
  if (isCalled(path, name)) return { path, start: 1, kind: 'file', name };
  const [owner, last, ...more] = name.split('.');
  const isOwner = more.length === 0 && definitions.some((one) => one.name === owner);
  const member = isOwner ? definitions.find((one) => one.name === last) : undefined;
  return member === undefined ? null : { path, start: member.line, kind: 'member', name };
}

/** `addChild` of `Element.addChild`. */
function memberOf(name: string): string {
  return /^[\w$]+\.[\w$]+$/.test(name) ? name.slice(name.indexOf('.') + 1) : name;
}

/** `Element` of `Element.addChild`. */
function ownerOf(name: string): string | null {
  return memberOf(name) === name ? null : name.slice(0, name.indexOf('.'));
}

function lineWith(content: string, name: string): number {
  if (!content.includes(name)) return 0;
  return content.split('\n').findIndex((line) => hasWord(line, name)) + 1;
}

function hasWord(line: string, name: string): boolean {
  for (let at = line.indexOf(name); at !== -1; at = line.indexOf(name, at + 1)) {
    const around = [line[at - 1] ?? '', line[at + name.length] ?? ''];
    if (around.every((char) => !/[\w$]/.test(char))) return true;
  }
  return false;
}
