/** On paper nothing can be pressed. */
export function Button(_: object) {
  return null
}
