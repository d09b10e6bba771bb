import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkClaims } from '../../src/phases/discussion/check-references.ts';
import { plantRates, plantReferences, repositoryOf } from './planted-references.ts';

const root = new URL('../../', import.meta.url);
const files = globSync('src/**/*.ts', { cwd: root }).map((path) => ({
  path,
  content: readFileSync(new URL(path, root), 'utf8'),
}));

test('the check finds planted false references and accuses no true ones', async () => {
  const { plants, planned, files: kept } = plantReferences({ files, count: 200, seed: 7 });
  const claims = plants.map(({ claim }) => claim);
  const repository = repositoryOf(kept);
  const checked = await checkClaims({
    repository,
    agent: 'planter',
    claims,
    planned: new Set(planned),
  });
  const rates = plantRates(
    plants,
    checked.map(({ status }) => status),
  );
  expect(rates.found).toBeGreaterThanOrEqual(0.99);
  expect(rates.accused).toBeLessThanOrEqual(0.01);
  expect(rates.exact).toBeGreaterThanOrEqual(0.99);
});
