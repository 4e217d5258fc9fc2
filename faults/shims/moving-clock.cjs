// Loaded into every thread before its own code: the clock is off by as many milliseconds as the file CLOCK_CONTROL says.
const { readFileSync } = require('node:fs')
const { performance } = require('node:perf_hooks')

const LOOK_MS = 50
const control = process.env.CLOCK_CONTROL
const RealDate = Date
const realNow = Date.now
let offMs = 0
let lookedAtMs = -LOOK_MS

function now() {
  if (performance.now() - lookedAtMs >= LOOK_MS) {
    lookedAtMs = performance.now()
    try {
      offMs = Number(readFileSync(control, 'utf8'))
    } catch {
      offMs = 0
    }
  }
  return realNow() + offMs
}

globalThis.Date = class MovingDate extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(now())
    else super(...args)
  }

  static now() {
    return now()
  }
}
