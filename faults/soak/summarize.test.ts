import { expect, test } from 'vitest'
import { drawSamples } from './draw-samples.ts'
import { type Sample, slopeAnHour, summarize } from './summarize.ts'

const sample = (minute: number, residentMegabytes: number): Sample => ({
  minute,
  residentMegabytes,
  heapMegabytes: 20,
  homeMegabytes: 1,
  openFiles: 30,
  streams: 5,
  loopDelayMs: 1,
  pageMs: 2,
  searchMs: 3,
})
const warming = Array.from({ length: 10 }, (_, minute) => sample(minute, 50 + minute * 20))
const growing = Array.from({ length: 30 }, (_, place) => sample(10 + place, 250 + place * 2))

test('a slope is that of the last three quarters, an hour', () => {
  expect(slopeAnHour([...warming, ...growing], 'residentMegabytes')).toBeCloseTo(120)
  expect(slopeAnHour([...warming, ...growing], 'openFiles')).toBe(0)
  expect(summarize([...warming, ...growing])).toMatch(/memory \(MB\) +90\.0 +306\.0 +308\.0 +120\.0/)
})

test('the picture has a line for each measure', () => {
  expect(drawSamples([...warming, ...growing]).match(/<polyline points="160\.0,/g)).toHaveLength(8)
})
