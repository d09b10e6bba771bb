// Lists the tools that have another agent work, ask models, or have a host's plan examined by other vendors.
import { listed } from '../model/wording.ts';
import { askPerson, openFolder } from './consent.ts';
import { takes } from './job-request.ts';
import { loadParts } from './tool-host.ts';
import { startWork, tool } from './tool-table.ts';

export const conversationTools = [
  tool({
    name: 'work_with',
    title: 'Let another agent work',
    description:
      'Hand a task to another coding agent (claude, codex, gemini, copilot, opencode), which may edit files and run commands in the folder. One conversation can go on across agents by its session.',
    takes: takes.work,
    effect: 'changes',
    async act(input, call) {
      const { agent, task, folder, role, session_id, context, cli_flags: flags } = input;
      const { settings } = await openFolder(folder, call);
      const { checkHostFlags } = await loadParts();
      checkHostFlags(agent, flags, settings);
      const conversation = session_id ?? 'a new one';
      const consent = {
        asks: `May ${agent} edit files and run commands in ${folder}`,
        agreement: { agent, flags, folder, role, conversation, context, task },
        setting: 'write' as const,
        isAllowed: settings.mcp.may.includes('write'),
      };
      const outside = await askPerson(consent, call);
      return await startWork({ kind: 'work', ...input, outside }, call);
    },
  }),
  tool({
    name: 'consult_with',
    title: 'Ask another model',
    description:
      'Get a second opinion from another model. It reads only the files in context, and changes nothing.',
    takes: takes.consult,
    effect: 'adds',
    async act(input, call) {
      const { model, question: task, folder, role, session_id, context, output_format } = input;
      await openFolder(folder, call);
      const { readOutputFormat } = await loadParts();
      await readOutputFormat(output_format, { cwd: folder, name: 'output_format' });
      const conversation = session_id ?? 'a new one';
      const agreement = { agent: model, folder, role, conversation, context, task };
      const outside = await askPerson({ asks: `May ${model} be asked`, agreement }, call);
      return await startWork({ kind: 'consult', ...input, outside }, call);
    },
  }),
  tool({
    name: 'group_think',
    title: 'Let several models discuss',
    description:
      'Let two to five models discuss a topic about the code, without a plan: their positions, what they agree on, and what they do not.',
    takes: takes.discuss,
    effect: 'adds',
    async act(input, call) {
      const { topic: task, models: agents, context, folder } = input;
      await openFolder(folder, call);
      const agreement = { agents, folder, context, task };
      await askPerson({ asks: `May ${listed(agents)} discuss this`, agreement }, call);
      return await startWork({ kind: 'discuss', ...input }, call);
    },
  }),
  tool({
    name: 'critique_plan',
    title: 'Have a plan examined',
    description:
      'Have a plan that exists already examined by agents of other vendors: the places that are wrong, and objections whose evidence was checked in the code. Nobody changes anything.',
    takes: takes.critique,
    effect: 'adds',
    async act(input, call) {
      await openFolder(input.folder, call);
      return await startWork({ kind: 'critique', ...input }, call);
    },
  }),
];
