// Names the author of a plan that somebody else has written, who is no agent of the session.

/** Stands for whoever wrote a plan that is examined, where agents are named. */
export const planAuthor = 'plan-author';
