/** On paper nothing can be copied by a button. */
export function PartLink(_: object) {
  return null
}
