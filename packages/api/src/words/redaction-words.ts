/** What redaction never looks for: whoever hands a session on has to. */
export const NEVER_LOOKED_FOR =
  'Never looked for: names of people, companies and projects in sentences; phone, card and account numbers; postal and IP addresses; what pictures and binary files show; secrets that nothing beside them tells and that look like words.'
