/** The doctor's sentence as the end of another one: `the file ends in the middle (byte 10240)`. */
export function issueReason(sentence: string): string {
  const clause = sentence.replace(/\.$/, '')
  return clause.charAt(0).toLowerCase() + clause.slice(1)
}
