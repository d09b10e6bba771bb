// Makes what runs the checks and set-ups of other machines here, in the confinement of this one.
import { adapters } from '../agents/cli/list.ts';
import type { CheckSpot, WorkerSetup } from '../machines/worker.ts';
import { runCheck, runSetUp } from '../phases/execution/checks.ts';
import { keyFile } from './folders.ts';
import { confinementFor } from './session-places.ts';
import type { Workplace } from './workplace.ts';

/** Makes what runs a check, or a command of a set-up, with the variables of this user. */
export function workerChecks(
  workplace: Pick<Workplace, 'settings' | 'environment'>,
): Pick<WorkerSetup, 'runCheck' | 'runSetUp'> {
  const { settings, environment } = workplace;
  const confinement = confinementFor(workplace);
  const secrets = [keyFile(environment), ...adapters.flatMap(({ keepsIn }) => keepsIn)];
  const placeOf = ({ slot, top, ...spot }: CheckSpot) => ({
    ...spot,
    home: top,
    environment,
    variables: { CONCLAVE_SLOT: slot, ...settings.execution.env },
    confine: confinement === null ? null : { confinement, top, secrets },
  });
  return {
    runCheck: (check, spot) => runCheck(check, placeOf(spot)),
    runSetUp: (argv, spot) => runSetUp(argv, placeOf(spot)),
  };
}
