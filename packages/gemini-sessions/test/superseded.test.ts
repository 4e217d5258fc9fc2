import fc from 'fast-check'
import { expect, it } from 'vitest'
import { stitchGroup } from '../src/derive/stitch.ts'
import { logFile } from './make-file.ts'
import { simulate, simulatedEvents } from './simulated-cli.ts'

function read(events: Parameters<typeof simulate>[0]) {
  const cli = simulate(events)
  const [session] = stitchGroup([logFile({ start: 1 }, cli.records)])
  return { cli, messages: session?.messages ?? [] }
}

it('every message ever recorded is there once, with why it left the conversation', () => {
  fc.assert(
    fc.property(simulatedEvents, (events) => {
      const { cli, messages } = read(events)
      const found = Object.fromEntries(messages.map(({ id, superseded }) => [id, superseded]))
      expect(found).toEqual(Object.fromEntries(cli.fates))
      expect(messages).toHaveLength(cli.fates.size)
    }),
    { numRuns: 400 },
  )
})

it('each copy of an aborted turn names the message that it repeats, and nothing else is a copy', () => {
  fc.assert(
    fc.property(simulatedEvents, (events) => {
      const { cli, messages } = read(events)
      const found = messages.flatMap(({ id, copyOf }) => (copyOf === null ? [] : [[id, copyOf]]))
      expect(Object.fromEntries(found)).toEqual(Object.fromEntries(cli.originals))
    }),
    { numRuns: 400 },
  )
})

it('what is drawn stands in the order in which it was recorded, notices of dropped turns among them', () => {
  fc.assert(
    fc.property(simulatedEvents, (events) => {
      const { cli, messages } = read(events)
      expect(messages.map(({ id }) => id)).toEqual([...cli.fates.keys()])
    }),
    { numRuns: 400 },
  )
})
