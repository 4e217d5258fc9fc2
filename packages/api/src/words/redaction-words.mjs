// JavaScript, since the build reads the texts of the commands before anything is built

/** What redaction takes out. */
export const TAKEN_OUT =
  'Taken out: secrets, home folders, names of user and computer in paths and addresses, and e-mail addresses.'

/** What it never looks for: whoever hands a session on has to. */
export const NEVER_LOOKED_FOR =
  'Not looked for: names of people, companies and projects in sentences; phone, card and account numbers; postal and IP addresses; text in pictures and binary files; secrets that look like ordinary words and have no label.'
