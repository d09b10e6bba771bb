// Opens the page that `--web` asks for.
import { refuseAgents } from '../../app/inside-agent.ts';
import { wrongUsage } from '../../model/failure.ts';
import { openPage, type Page } from '../../web/open-page.ts';
import { wholeNumber } from '../flags.ts';

/** Opens it. Throws `usage` inside the run of an agent, and for flags that it cannot go with. */
export async function openPageOf(values: object, environment: NodeJS.ProcessEnv): Promise<Page> {
  await refuseAgents(environment);
  const given = new Map(Object.entries(values));
  const other = ['autoYes', 'approve', 'reject', 'comment', 'set', 'stdinEvents'].find((name) =>
    given.has(name),
  );
  if (other !== undefined) {
    const flag = `--${other.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    throw wrongUsage(`--web asks a person, so it cannot go with ${flag}, which answers for them.`);
  }
  const port = wholeNumber('--port', given.get('port'), { least: 1, most: 65_535 }) ?? 0;
  return await openPage({ port, environment });
}
