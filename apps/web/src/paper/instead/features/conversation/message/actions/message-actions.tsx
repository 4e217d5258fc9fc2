/** On paper nothing can be done with a message. */
export function MessageActions(_: object) {
  return null
}
