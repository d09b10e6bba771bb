// Makes sure that nothing is executed, applied or removed by accident: asks, or requires the whole id.
import { shorten } from '../faces/short-forms.ts';
import { wrongUsage } from '../model/failure.ts';
import { isAgreed, type ChosenSession } from './wiring/session-setup.ts';

/** An action on a session. */
export interface Intent {
  /** The verb before the task: `carry out`. */
  readonly does: string;
  /** True if no other screen asks a person about it. */
  readonly asks: boolean;
}

/**
 * True if a person agrees, or if no person is present and the session was named by its whole id. Throws `usage`
 * if it was not.
 */
export async function isMeantBy(
  { face, folder, planned }: ChosenSession,
  { wanted, intent }: { readonly wanted: string | undefined; readonly intent: Intent | null },
): Promise<boolean> {
  if (intent === null) return true;
  const { id } = folder;
  const what = `${intent.does} “${shorten(planned?.start.task ?? '', 80)}”`;
  if (face.person === null) {
    if (wanted === id) return true;
    throw wrongUsage(
      `This would ${what} (${id}), and there is no terminal to ask in. Add -y, or give the whole id.`,
    );
  }
  return (
    !intent.asks ||
    (await isAgreed(face.person.view, {
      session: id,
      name: 'Yes',
      asks: `This will ${what}. Do it?`,
      lines: [id],
      yes: { name: 'Yes', means: 'do it now', does: 'do it' },
      no: { name: 'No', means: 'leave everything as it is', does: 'leave it' },
    }))
  );
}
