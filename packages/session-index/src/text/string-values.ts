/** Every string inside a JSON value, in order, without keys. Deep values are walked without recursion. */
export function stringValues(json: unknown): string[] {
  const strings: string[] = []
  const rest: unknown[] = [json]
  while (rest.length > 0) {
    const value = rest.pop()
    if (typeof value === 'string') {
      if (value !== '') strings.push(value)
    } else if (typeof value === 'object' && value !== null) {
      rest.push(...Object.values(value).reverse())
    }
  }
  return strings
}
