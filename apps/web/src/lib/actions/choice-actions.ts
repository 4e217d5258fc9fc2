import type { Action, ActionPlace } from './action.ts'

interface Choice<Name extends string, Value extends string> {
  place: ActionPlace
  name: Name
  /** What is chosen, as it is read before each value. */
  legend: string
  /** What can be chosen, as the page itself says it. */
  labels: Record<Value, string>
  /** Those that are offered before anything is typed. */
  first?: readonly Value[]
}

/** A choice of a page as actions, one for each value that its menu or switch has. */
export function choiceActions<Name extends string, Value extends string>({
  place,
  name,
  legend,
  labels,
  first = [],
}: Choice<Name, Value>): Record<`${Name}:${Value}`, Action> {
  const each = (Object.keys(labels) as Value[]).map((value) => {
    const action: Action = { words: `${legend}: ${labels[value]}`, keys: [], place }
    return [`${name}:${value}`, first.includes(value) ? { ...action, isFirst: true } : action]
  })
  return Object.fromEntries(each)
}

/** What these actions do, bound to their names. */
export function choiceHandlers<Name extends string, Value extends string>(
  name: Name,
  values: readonly Value[],
  choose: (value: Value) => void,
): Record<`${Name}:${Value}`, () => undefined> {
  const each = values.map((value) => [`${name}:${value}`, () => void choose(value)])
  return Object.fromEntries(each)
}

/** The values of labels, in their order. */
export function valuesOf<Value extends string>(labels: Record<Value, string>): Value[] {
  return Object.keys(labels) as Value[]
}

/** The same as the options of a menu or switch. */
export function optionsOf<Value extends string>(labels: Record<Value, string>) {
  return valuesOf(labels).map((value) => ({ value, label: labels[value] }))
}
