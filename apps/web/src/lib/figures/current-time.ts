/** The server writes it into the page of the sample sessions, so that it is known before anything is drawn. */
const sampleNow = globalThis.document?.documentElement.dataset.sampleNow

/** What all ages, days and ranges of the page are counted from: the time, or that of the sample sessions, which stands still. */
export function currentTime(): Date {
  return sampleNow === undefined ? new Date() : new Date(sampleNow)
}
