import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkClaims } from '../../src/phases/discussion/check-references.ts';
import { plantKinds } from './plant-kinds.ts';
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
  const checked = await checkClaims({ repository, agent: 'planter', claims, planned });
  const rates = plantRates(
    plants,
    checked.map(({ status }) => status),
  );
  expect(rates.found).toBeGreaterThanOrEqual(0.99);
  expect(rates.accused).toBeLessThanOrEqual(0.01);
  expect(rates.exact).toBeGreaterThanOrEqual(0.99);
});

test('there are at least ten kinds of plants of each sort, and the same seed gives the same', () => {
  expect(plantKinds.filter(({ genuine }) => !genuine).length).toBeGreaterThanOrEqual(10);
  const first = plantReferences({ files, count: 40, seed: 3 });
  expect(plantReferences({ files, count: 40, seed: 3 })).toEqual(first);
  expect(new Set(first.plants.map(({ kind }) => kind)).size).toBe(plantKinds.length);
  expect(plantReferences({ files, count: 40, seed: 4 }).plants).not.toEqual(first.plants);
});

test('rates tell a check that accuses nobody from one that accuses all', () => {
  const { plants } = plantReferences({ files, count: 40, seed: 3 });
  const all = (status: 'verified' | 'failed') =>
    plantRates(
      plants,
      plants.map(() => status),
    );
  expect(all('verified')).toMatchObject({ found: 0, accused: 0 });
  expect(all('failed')).toMatchObject({ found: 1, accused: 1 });
});
