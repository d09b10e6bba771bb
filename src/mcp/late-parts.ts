// Gathers the parts that tools load at their first call: the server has to answer its host at once.
export { checkHostFlags } from '../app/conversation-agent.ts';
export { findOutside } from '../app/conversation-context.ts';
export { searchSessions } from '../app/conversation-history.ts';
export { withHistory } from '../app/conversation-place.ts';
export { readWorkAhead } from '../app/execution.ts';
export { isFolder } from '../app/folders.ts';
export { countTokens } from '../app/count-tokens.ts';
export { loadSession } from '../app/load-session.ts';
export { nameModels } from '../app/name-models.ts';
export { listSessions } from '../app/list-sessions.ts';
export { readOutputFormat } from '../app/output-format.ts';
export { readReport } from '../app/report.ts';
export { describeSession, readSession } from '../app/saved-session.ts';
export { defaultSettings, loadSettings } from '../app/settings/load-settings.ts';
export { homeFolder } from '../app/user-folders.ts';
export { openWorkplace } from '../app/workplace.ts';
export { isDraft, unratedText } from '../model/synthesis.ts';
export { opinionsOn, opinionText } from '../phases/opinions.ts';
