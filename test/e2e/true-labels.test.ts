import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { agreedRig, analysedRig } from '../helpers/planned-rig.ts';
import { short } from '../helpers/short-form.ts';

const isDraft = /rule-based draft|rules, as a draft|no model has read the task/i;
/** Says that somebody with a model did something. */
const ofModels =
  /\b(?:an?|the|its|your) (?:default |planning )?(?:models?|agents?|planner|vendors?) (?:has |have )?(?:ch[oe]ose|chosen|wrote|made|named?|proposed?|planned|read|rated|agreed?)\b/i;

test('no face says of a draft that a model or an agent made, chose, read or rated anything', async () => {
  const rig = await analysedRig('--auto-yes');
  await rig.conclave('report');
  const html = readFileSync(join(rig.session(), 'report.html'), 'utf8');
  const { stdout: told } = await rig.conclave('resume', basename(rig.session()));
  const { stdout: reviewed } = await rig.conclave('review');
  const { stdout: exported } = await rig.conclave('sessions', 'export');
  const { stdout: shown } = await rig.conclave('sessions', 'show');
  const { stdout: previewed } = await rig.conclave('execute', '--dry-run');
  const report = html.slice(html.indexOf('<body')).replaceAll(/<[^>]*>/g, '');
  for (const text of [report, told, reviewed, exported]) expect(text).toMatch(isDraft);
  for (const text of [report, told, reviewed, exported, shown, previewed]) {
    expect(ofModels.exec(text)).toBe(null);
    expect(text).not.toMatch(/default agent|\b(?:claude|codex|gemini|copilot|opencode)\b/i);
  }
});

test(
  'a plan that nobody was ready for is called approved, and each agent says why',
  short,
  async () => {
    const rig = await agreedRig();
    rig.config(rig.configured().replaceAll(/^\[agents\.\w+\]$/gm, '$&\nenabled = false'));
    const { code, stderr } = await rig.conclave('execute', '-y');
    expect(code).toBe(3);
    expect(stderr).toContain('alpha: it is switched off in ');
    const resumed = await rig.conclave('resume', basename(rig.session()));
    expect(resumed.code).toBe(2);
    expect(resumed.stderr).toContain('the approved plan has not been fully carried out');
  },
);
