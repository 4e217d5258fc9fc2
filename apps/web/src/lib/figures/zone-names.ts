/** More than any name has. */
const MOST_LETTERS = 64

/** What places are called today; some browsers list them by an older name only, and know both. */
const TODAYS_NAMES = [
  'America/Argentina/Buenos_Aires',
  'America/Nuuk',
  'Asia/Ho_Chi_Minh',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Asia/Yangon',
  'Atlantic/Faroe',
  'Europe/Kyiv',
]

let known: readonly string[] | undefined

/** All zones that this browser knows, by their names of IANA. */
export function zoneNames(): readonly string[] {
  const todays = () => TODAYS_NAMES.filter((name) => resolveZone(name) !== null)
  known ??= [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), ...todays()])].sort()
  return known
}

/** A zone as it is listed, in whatever letters it is written; an old name is one, too. null: there is none. */
export function findZone(name: string): string | null {
  // `+05:30` is a zone for newer browsers only, and never one of IANA
  if (!/^[a-z]/i.test(name) || name.length > MOST_LETTERS) return null
  const wanted = name.toLowerCase()
  return zoneNames().find((each) => each.toLowerCase() === wanted) ?? resolveZone(name)
}

function resolveZone(name: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

/** The zone that is meant by its name or a part of it, as `new york`; all of them where that is none or several. */
export function zonesLike(text: string): readonly string[] {
  const wanted = text.trim().replace(/\s+/g, '_')
  const exact = findZone(wanted)
  if (exact !== null) return [exact]
  const part = wanted.toLowerCase()
  const cities = zoneNames().filter((name) => name.toLowerCase().endsWith(`/${part}`))
  return cities.length > 0 ? cities : zoneNames().filter((name) => name.toLowerCase().includes(part))
}
