// Gives the lines of a document what only a page in a browser has: comments beside them, and a server to ask.
import { type ComponentChildren, createContext } from 'preact';
import type { AskServer } from './page-parts.ts';

/** What stands beside the line with this anchor: its comments, and the field for a new one; nothing in a report. */
export const Margin = createContext<(anchor: string) => ComponentChildren>(() => null);

/** Asks the server; null in a report, which is still, while a page draws long parts when they come near. */
export const Live = createContext<AskServer | null>(null);
