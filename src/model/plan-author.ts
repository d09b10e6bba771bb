// Names the author of a plan written outside of the session, who is not one of its agents.

/** The name used for the author of an examined plan, where agents are named. */
export const planAuthor = 'plan-author';
