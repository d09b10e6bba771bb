// Defines what the server tells a page, part by part, how a page asks it, and what only a page in a browser has.
import { createContext } from 'preact';
import type { Block, Document } from '../../model/document.ts';
import type { Form } from '../../model/form.ts';
import type { CommentFate } from '../../phases/planning/comments.ts';

/** Everything that a page shows. */
export interface PageParts {
  readonly document: Document | null;
  /** What the session does now, in a few words. */
  readonly state: string;
  /** What happened last. */
  readonly news: string;
  /** The question that waits for its answer. */
  readonly question: { readonly id: number; readonly form: Form } | null;
  readonly comments: readonly CommentFate[];
  /** The digest of the document, by which an answer says what was seen. */
  readonly seen: string;
  /** How the review ended; null while it goes on. */
  readonly end: string | null;
}

export const emptyParts: PageParts = {
  document: null,
  state: '',
  news: '',
  question: null,
  comments: [],
  seen: '',
  end: null,
};

/** The parts that have changed; a block that an open page has already stands as its place in the last document. */
export type PageNews = Partial<Omit<PageParts, 'document'>> & {
  readonly document?: { readonly title: string; readonly blocks: readonly (Block | number)[] };
};

/** The parts after these news: what has not changed stays the same object, which is not drawn again. */
export function partsAfter(parts: PageParts, { document: told, ...others }: PageNews): PageParts {
  const known = parts.document?.blocks ?? [];
  const blocks = told?.blocks.flatMap((one) =>
    typeof one === 'number' ? (known[one] ?? []) : one,
  );
  const document = told && blocks ? { title: told.title, blocks } : parts.document;
  return { ...parts, ...others, document };
}

/** Asks the server for an act; the reply has a `why` if it was refused or the server not reached. */
export type AskServer = (act: {
  readonly name: string;
  readonly about: string;
  readonly values?: object;
  readonly seen?: string;
}) => Promise<{ readonly [part: string]: unknown; readonly why?: string }>;

/** Asks the server; null in a report, which is still, while a page draws long parts when they come near. */
export const Live = createContext<AskServer | null>(null);

/** The comments that stand beside their lines. */
export const CommentList = createContext<PageParts['comments']>([]);
