let zone = 'UTC'
let turn: Promise<unknown> = Promise.resolve()

/** On paper it is the zone that was asked for. */
export function timeZone(): string {
  return zone
}

/** What is worked out at once, with the clocks of a zone. */
export function inZone<Made>(wanted: string, make: () => Made): Made {
  const before = zone
  zone = wanted
  try {
    return make()
  } finally {
    zone = before
  }
}

/** What is drawn over a while: one after the other, as papers of several zones are drawn in the same thread. */
export function drawInZone(wanted: string, draw: () => Promise<string>): Promise<string> {
  const drawn = turn.then(() => {
    zone = wanted
    return draw()
  })
  turn = drawn.catch(() => undefined)
  return drawn
}
