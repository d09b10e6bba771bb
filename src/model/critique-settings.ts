// Lists the settings of the gate before a plan of a host.
import { type ShapeParts, setting } from './setting.ts';

/** The part of the table of settings that says how a plan of a host is judged. */
export const critiqueSettings = {
  critiqueHook: setting('critique.hook', {
    about:
      'how "conclave critique --hook" judges a plan: fast checks places without a model, full has other vendors examine it, which costs like every session, and ask lets you choose each time where the host can ask you',
    shape: ({ z }: ShapeParts) => z.enum(['fast', 'ask', 'full']),
    default: 'fast',
  }),
};
