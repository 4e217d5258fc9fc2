import { zoneChoice } from './time-zone.ts'

/** Day before month and a 24-hour clock, as in the rest of the interface. */
const LOCALE = 'en-GB'

const FORMS = {
  minutes: { hour: '2-digit', minute: '2-digit' },
  seconds: { hour: '2-digit', minute: '2-digit', second: '2-digit' },
  date: { day: 'numeric', month: 'short' },
  dateOfYear: { day: 'numeric', month: 'short', year: 'numeric' },
  longDate: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  wholeDate: { day: 'numeric', month: 'long' },
  wholeDateOfYear: { day: 'numeric', month: 'long', year: 'numeric' },
  weekday: { weekday: 'long' },
  month: { month: 'short' },
  monthOfYear: { month: 'short', year: 'numeric' },
  moment: { dateStyle: 'full', timeStyle: 'long' },
  zone: { timeZoneName: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

export type DateForm = keyof typeof FORMS

const made = new Map<string, Intl.DateTimeFormat>()

/** Writes moments in the chosen zone. Making a format takes much longer than using it, so each is made once. */
export function dateFormat(form: DateForm): Intl.DateTimeFormat {
  const choice = zoneChoice.get()
  const key = `${form} ${choice}`
  const known = made.get(key)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat(LOCALE, {
    ...FORMS[form],
    timeZone: choice === 'utc' ? 'UTC' : undefined,
  })
  made.set(key, format)
  return format
}
