// Tells which saved sessions suit what a person wants to do.
import type { SavedEntry } from './ports.ts';
import type { Sessions } from './screen-state.ts';

interface Purpose {
  readonly title: string;
  readonly fits: (entry: SavedEntry) => boolean;
  /** The text if none is suitable. */
  readonly none: string;
}

export const purposes: Readonly<Record<Sessions['purpose'], Purpose>> = {
  resume: {
    title: 'Resume a saved session',
    fits: () => true,
    none: 'There are no saved sessions here.',
  },
  review: {
    title: 'Review the plan of a session',
    fits: ({ hasPlan }) => hasPlan,
    none: 'No session here has a plan.',
  },
  execute: {
    title: 'Carry out an approved plan',
    fits: ({ canExecute }) => canExecute,
    none: 'No session here has an approved plan that is not applied yet.',
  },
};
