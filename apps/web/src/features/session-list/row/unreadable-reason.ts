/** `Could not read: the file is empty`, from the first sentence of what the doctor says, if he knows. */
export function unreadableReason(sentences: string | undefined): string {
  const first = sentences?.split(/\.(?=\s|$)/)[0]
  if (!first) return 'Could not read'
  return `Could not read: ${first.charAt(0).toLowerCase()}${first.slice(1)}`
}
