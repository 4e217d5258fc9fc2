/** A session id, call id or tool name as the CLI writes it into file names. */
export function toSafeName(text: string): string {
  return text.replace(/[^A-Za-z0-9_-]/g, '_')
}
