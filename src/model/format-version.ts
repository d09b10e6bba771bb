// Numbers the format of session folders; whoever changes what they mean raises it.

/** The format of journal records and session state that this version writes. */
export const formatVersion = 3;
