// Gives each line of a document what stands beside it, and says whether a page is still or alive.
import { type ComponentChildren, createContext } from 'preact';

/** What stands beside the line with this anchor: its comments, and the field for a new one; nothing in a report. */
export const Margin = createContext<(anchor: string) => ComponentChildren>(() => null);

/** True in a browser, where long parts are drawn when they come near; false in a report. */
export const IsLive = createContext(false);
