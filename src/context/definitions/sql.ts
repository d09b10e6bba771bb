import { noNames, type NameReader } from './name-reader.ts';

/** What a statement creates, without its schema. Comments are left out. */
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
