import { noNames, type NameReader } from './name-reader.ts';

/** TOML, INI and the like: the sections, and the keys before the first one. */
export function sections(): NameReader {
  let inText = false;
  let isBefore = true;
  return (line) => {
    const wasInText = inText;
    // A text of several lines is opened and closed by three quotes.
    if ((line.match(/"""|'''/g)?.length ?? 0) % 2 === 1) inText = !inText;
    if (wasInText) return noNames;
    const section = /^\s*\[{1,2}\s*([A-Za-z_][^\],[]*)\]{1,2}\s*(?:[#;].*)?$/.exec(line)?.[1];
    if (section !== undefined) {
      isBefore = false;
      return [section.trim()];
    }
    const key = isBefore ? /^(?:([A-Za-z_][\w.-]*)|"([^"]+)")\s*[=:]/.exec(line) : null;
    const name = key?.[1] ?? key?.[2];
    return name === undefined ? noNames : [name];
  };
}

/** The keys that are not indented. */
export const yaml: readonly RegExp[] = [
  /^([A-Za-z_$][\w.$/-]*)\s*:(?:\s|$)/,
  // A table of numbers is data.
  /^"(?=[^"]*[A-Za-z])([^"]+)"\s*:(?:\s|$)/,
  /^'(?=[^']*[A-Za-z])([^']+)'\s*:(?:\s|$)/,
];

/** The keys of the outermost object, which are those that are indented like the first one. */
export function json(): NameReader {
  let isObject: boolean | null = null;
  let indent: string | null = null;
  return (line) => {
    if (isObject === null) {
      const first = /^\s*(?!\/[/*]|\*)(\S)/.exec(line)?.[1];
      if (first !== undefined) isObject = first === '{';
      return noNames;
    }
    if (!isObject) return noNames;
    const [, before, key] = /^(\s*)"(?=[^"]*[A-Za-z])([^"\\]{1,80})"\s*:/.exec(line) ?? [];
    if (before === undefined || key === undefined) return noNames;
    indent ??= before;
    return before === indent ? [key] : noNames;
  };
}

/** The variables of a `.env` file. */
export const environment: readonly RegExp[] = [/^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/];

/** The named stages of a build. */
export const dockerfile: readonly RegExp[] = [/^\s*FROM\s.*\sAS\s+([\w.-]+)\s*$/i];

/** The targets, without rules for a kind of file and names that are special to make. */
export function makefile(): NameReader {
  return (line) => {
    const targets = /^([\w.$()/ -]*[\w)])\s*::?(?![=:])/.exec(line)?.[1];
    return targets === undefined ? noNames : targets.split(' ').filter(isTarget);
  };
}

function isTarget(name: string): boolean {
  return /^(?!\.[A-Z]+$)[\w./][\w./-]*$/.test(name);
}

/** SQL: what a statement creates, without its schema. Comments are left out. */
export function sql(): NameReader {
  let inComment = false;
  return (line) => {
    const wasIn = inComment;
    const opened = line.lastIndexOf('/*');
    const closed = line.lastIndexOf('*/');
    if (opened !== closed) inComment = opened > closed;
    if (wasIn) return noNames;
    const name = created.exec(line)?.groups?.['name'];
    return name === undefined ? noNames : [name];
  };
}

const kinds =
  'table|view|function|procedure|index|type|trigger|sequence|schema|domain|extension|policy|role|database|event|aggregate|package(?:\\s+body)?';
const qualities =
  'or\\s+(?:replace|alter)|global|local|temp|temporary|unlogged|external|foreign|virtual|unique|clustered|nonclustered|fulltext|materialized|recursive|constraint|definer\\s*=\\s*\\S+|editionable';
const quote = '["`\\[]?';

const created = new RegExp(
  `^\\s*create\\s+(?:(?:${qualities})\\s+)*(?:${kinds})\\s+(?:concurrently\\s+)?(?:if\\s+not\\s+exists\\s+)?(?!on\\b|if\\b)(?:${quote}[\\w$]+["\`\\]]?\\.)*${quote}(?<name>[A-Za-z_][\\w$]*)`,
  'i',
);
