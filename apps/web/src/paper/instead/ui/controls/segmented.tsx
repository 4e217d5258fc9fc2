/** On paper nothing is chosen. */
export function Segmented(_: object) {
  return null
}
