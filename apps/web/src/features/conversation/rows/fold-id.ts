/** Every message of a fold carries its state, so that it stays open when more of it is loaded. */
export function foldId(messageKey: string): string {
  return `${messageKey}/fold`
}
