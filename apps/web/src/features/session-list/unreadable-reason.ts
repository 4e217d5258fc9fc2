import { issueReason } from '../../lib/issue-reason.ts'

/** `Could not read: the file is empty`; `sentence` is what the doctor says, if he knows. */
export function unreadableReason(sentence: string | undefined): string {
  return sentence === undefined ? 'Could not read' : `Could not read: ${issueReason(sentence)}`
}
