/** Nothing opens it on paper. */
export function RawDialog(_: object) {
  return null
}
