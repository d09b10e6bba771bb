import { globSync, readFileSync } from 'node:fs';
import { checkClaims } from '../../src/phases/discussion/check-references.ts';
import { plantRates, plantReferences, repositoryOf } from './planted-references.ts';
import type { Row } from './row.ts';

/** How many planted false references are found, and how many true ones are accused. */
export async function referenceRows(): Promise<Row[]> {
  const root = new URL('../../src', import.meta.url).pathname;
  const sources = globSync('**/*.ts', { cwd: root }).map((path) => ({
    path,
    content: readFileSync(`${root}/${path}`, 'utf8'),
  }));
  const { files, planned, plants } = plantReferences({ files: sources, count: 1_000, seed: 1 });
  const claims = plants.map(({ claim }) => claim);
  const repository = repositoryOf(files);
  const checked = await checkClaims({ repository, agent: 'bench', claims, planned });
  const { found, accused } = plantRates(
    plants,
    checked.map(({ status }) => status),
  );
  const floor = `${plants.length} planted in ten kinds`;
  return [
    {
      name: 'false references found',
      measured: percent(found),
      floor,
      ratio: '',
      limit: '>= 99 %',
      ok: found >= 0.99,
    },
    {
      name: 'true references accused',
      measured: percent(accused),
      floor,
      ratio: '',
      limit: '<= 1 %',
      ok: accused <= 0.01,
    },
  ];
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
