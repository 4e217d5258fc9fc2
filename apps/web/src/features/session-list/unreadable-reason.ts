/** The doctor's sentence as the end of another one: `Could not read: the file is empty`. */
export function unreadableReason(sentence: string | undefined): string {
  if (sentence === undefined) return 'Could not read'
  const clause = sentence.replace(/\.$/, '')
  return `Could not read: ${clause.charAt(0).toLowerCase()}${clause.slice(1)}`
}
