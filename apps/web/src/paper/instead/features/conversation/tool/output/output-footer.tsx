/** On paper all of an output is there. */
export function OutputFooter(_: object) {
  return null
}
