/** On paper no other session can be opened. */
export function OriginLink() {
  return 'another session'
}
