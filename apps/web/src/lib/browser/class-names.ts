/** Joins what is a string: `classNames('row', isSelected && 'selected')`. */
export function classNames(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ')
}
