import type { ParseIssueCode } from 'gemini-sessions'

const REASONS: Record<ParseIssueCode, string> = {
  'empty-file': 'the file is empty',
  'not-a-session': 'not a Gemini CLI session',
  'truncated-json': 'the file ends in the middle',
  'torn-tail': 'the last line is incomplete',
  'bad-line': 'a line is not JSON',
  'no-metadata': 'the first line is missing',
  unreadable: 'the system refused to read it',
  'too-deep': 'nested too deeply',
  'too-large': 'larger than can be read',
  'unknown-record': 'a record of an unknown kind',
  'unknown-type': 'a message of an unknown type',
  'bad-field': 'a field of an unknown form',
  'outside-home': 'a link that leads out of the home',
  'not-a-file': 'not a file',
}

/** A code as half a sentence: `the file ends in the middle`. What is no code is a sentence already. */
export function issueReason(reason: string): string {
  return reason in REASONS ? REASONS[reason as ParseIssueCode] : reason
}
