// Defines what the server tells a page, part by part, and what a page sends.
import type { Document } from '../../model/document.ts';
import type { Form } from '../../model/form.ts';
import type { SavedComment } from '../../model/plan-edit.ts';

/** A comment with what came of it. */
export interface PageComment extends SavedComment {
  readonly state: string;
}

/** A question that waits for its answer. */
interface PageQuestion {
  readonly id: number;
  readonly form: Form;
}

/** Everything that a page shows. A part is sent again only when it has changed. */
export interface PageParts {
  readonly document: Document;
  /** What the session does now, in a few words. */
  readonly state: string;
  /** What happened last. */
  readonly news: string;
  readonly question: PageQuestion | null;
  readonly comments: readonly PageComment[];
  /** The digest of the document, by which an answer says what was seen. */
  readonly seen: string;
  /** How the review ended; null while it goes on. */
  readonly end: string | null;
}

/** Sends something to the server; resolves to why it was refused, or null. */
export type Send = (path: string, body: unknown) => Promise<string | null>;
