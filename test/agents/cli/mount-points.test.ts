import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { codex } from '../../../src/agents/cli/codex.ts';
import { mountPoints } from '../../../src/agents/cli/run-cli.ts';

test('empty folders that a sandbox left are removed, and nothing that was there or is in use', () => {
  const folder = mkdtempSync(join(tmpdir(), 'conclave-mounts-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const at = (name: string) => join(folder, name);
  mkdirSync(at('.aws'));
  const remove = mountPoints([folder], codex.mounts ?? []);
  for (const name of ['.git', '.codex', '.agents']) mkdirSync(at(name));
  writeFileSync(at('.codex/config.toml'), '');
  remove();
  const left = ['.git', '.agents', '.codex', '.aws'].filter((name) => existsSync(at(name)));
  expect(left).toEqual(['.codex', '.aws']);
});
