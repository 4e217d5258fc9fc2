/** On paper nothing can be pressed. */
export function CopyButton(_: object) {
  return null
}
