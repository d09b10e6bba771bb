import type { Emit } from '../model/event.ts';
import type { View } from './view.ts';

/**
 * Numbers and dates every event on its way to the view. Events that come from recorded steps
 * are marked as replayed, so that a face can show a resumed session without telling it as news: all
 * until the first step that is done anew, then those whose teller says so.
 */
export function emitter(view: View, replaying: () => boolean): Emit {
  let seq = 0;
  return (event, fromRecord = replaying()) => {
    seq += 1;
    view.show({ ...event, seq, at: new Date().toISOString(), replayed: fromRecord });
  };
}
