// JavaScript, because the build reads the texts of the commands before anything is built

/** What is redacted. */
export const TAKEN_OUT =
  'Taken out: secrets, home folders, names of user and computer in paths and addresses, and e-mail addresses.'

/** What is never searched for, and is up to the user. */
export const NEVER_LOOKED_FOR =
  'Not looked for: names of people, companies and projects in sentences; phone, card and account numbers; postal and IP addresses; text in pictures and binary files; secrets that look like ordinary words and have no label.'
