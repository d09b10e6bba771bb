import type { Writable } from 'node:stream';
import type { View } from '../workflow/view.ts';

/** Prints one event per line, for programs; the answers come from elsewhere. */
export function jsonView(out: Writable, answers: Omit<View, 'show'>): View {
  return {
    ...answers,
    show(event) {
      out.write(`${JSON.stringify(event)}\n`);
    },
  };
}
