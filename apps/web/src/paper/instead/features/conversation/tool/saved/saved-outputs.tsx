/** Files beside a session do not leave with it. */
export function SavedOutputs(_: object) {
  return null
}
