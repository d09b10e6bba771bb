import { expect } from 'vitest';
import { masked } from './masked.ts';

/** A screen as a golden file: what differs from run to run is masked, its width kept. */
export async function expectScreen(screen: string, name: string): Promise<void> {
  const file = new URL(`../golden/screens/${name}.txt`, import.meta.url).pathname;
  await expect(`${masked(screen)}\n`).toMatchFileSnapshot(file);
}
