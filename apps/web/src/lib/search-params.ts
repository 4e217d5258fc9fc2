// Parsers for URL parameters: invalid values count as absent, so that a hand-edited address still opens.

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

/** Number of loaded pages of an infinite list, if two or more. */
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

/** Parses `a,b` as a list of known choices; undefined if none is known. */
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

/** Settings pages by their address, `/settings/storage`; the first one is at `/settings`. */
export const SETTINGS_PAGES = {
  appearance: 'Appearance',
  prices: 'Prices',
  storage: 'Storage',
  privacy: 'Privacy',
  diagnostics: 'Diagnostics',
} as const
export type SettingsPageName = keyof typeof SETTINGS_PAGES

export function isSettingsPage(name: string): name is SettingsPageName {
  return Object.hasOwn(SETTINGS_PAGES, name)
}

/** Where the sections of the former health page and of the former single settings page are now. */
const MOVED: Readonly<Record<string, { section: SettingsPageName; hash?: string }>> = {
  prices: { section: 'prices' },
  privacy: { section: 'privacy' },
  homes: { section: 'storage' },
  keep: { section: 'storage', hash: 'keep' },
  cache: { section: 'storage', hash: 'cache' },
  marks: { section: 'storage', hash: 'marks' },
  journal: { section: 'storage', hash: 'journal' },
  disk: { section: 'storage', hash: 'disk' },
  retention: { section: 'storage', hash: 'retention' },
  'not-read': { section: 'storage', hash: 'not-read' },
  new: { section: 'diagnostics', hash: 'new' },
  health: { section: 'diagnostics' },
}

/** The new address for such a section after `#`; undefined if there is none. */
export function movedSettings(hash: string): { section: SettingsPageName; hash?: string } | undefined {
  return Object.hasOwn(MOVED, hash) ? MOVED[hash] : undefined
}
