/** What redaction never looks for: whoever hands a session on has to. */
export const NEVER_LOOKED_FOR =
  'Not looked for: names of people, companies and projects in sentences; phone, card and account numbers; postal and IP addresses; text in pictures and binary files; secrets that look like ordinary words and have no label.'
