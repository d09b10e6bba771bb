// Gathers the parts that tools load at their first call, so that the server answers its host at once.
export { checkHostFlags } from '../app/conversation-agent.ts';
export { countTokens, findOutside } from '../app/conversation-context.ts';
export { searchSessions } from '../app/conversation-history.ts';
export { withHistory } from '../app/conversation-place.ts';
export { readWorkAhead } from '../app/check-execution.ts';
export { isFolder, isRepository, findStartFolder } from '../app/folders.ts';
export { loadSession } from '../app/load-session.ts';
export { listSessions } from '../app/list-sessions.ts';
export { readOutputFormat } from '../app/output-format.ts';
export { readReport } from '../app/read-report.ts';
export { readSession } from '../app/read-session.ts';
export { describeSession } from '../app/saved-session.ts';
export { loadSettings } from '../app/settings/load-settings.ts';
export { openWorkplace } from '../app/workplace.ts';
export { markdownOf } from '../phases/documents/markdown.ts';
export { optionsBlocks } from '../phases/documents/options-document.ts';
export { listJobs } from './job-store.ts';
