// Readers of URL parameters: what is not of its form counts as absent, so that a hand-edited address still opens.

export type RawSearch = Record<string, unknown>

export function textParam(search: RawSearch, name: string): string | undefined {
  const value = search[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** `YYYY-MM-DD` */
export function dayParam(search: RawSearch, name: string): string | undefined {
  const value = textParam(search, name)
  const isDay = value !== undefined && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
  return isDay ? value : undefined
}

const MOST_PAGES = 200

/** How far an endless list was loaded: two pages or more. */
export function pagesParam(search: RawSearch): number | undefined {
  const pages = Number(textParam(search, 'pages') ?? search.pages)
  return Number.isInteger(pages) && pages >= 2 ? Math.min(pages, MOST_PAGES) : undefined
}

export function choiceParam<Choice extends string>(
  search: RawSearch,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  return choices.find((choice) => choice === search[name])
}

/** `a,b` as a list of known choices; undefined if none is known. */
export function choicesParam<Choice extends string>(
  search: RawSearch,
  name: string,
  choices: readonly Choice[],
): Choice[] | undefined {
  const value = textParam(search, name)
  if (value === undefined) return undefined
  const asked = new Set(value.split(','))
  const known = choices.filter((choice) => asked.has(choice))
  return known.length > 0 ? known : undefined
}

/** Plain `a=1&b=2`: values stay text (the router's own codec would read `?q=123` as a number). */
export const plainSearchCodec = {
  parseSearch: (text: string): RawSearch => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search: RawSearch): string => {
    const parameters = new URLSearchParams()
    for (const [name, value] of Object.entries(search)) {
      if (value !== undefined && value !== '') parameters.set(name, String(value))
    }
    const text = parameters.toString()
    return text === '' ? '' : `?${text}`
  },
}
