import { expect, it } from 'vitest'
import { replacePlaceholders, textPlaceholder } from './large-texts.ts'
import { readExitCode, readSignal } from './lift/calls.ts'
import { isMask } from './row.ts'

const TEXT = `first words\n${'a line\n'.repeat(500)}`
const NAME = { owner: 'seven', index: 3 }

it('a stand-in is short, begins as its text does, and gives way to it', () => {
  const short = textPlaceholder(TEXT, NAME)
  expect(short.length).toBeLessThan(200)
  expect(short.startsWith('first words\na line\n')).toBe(true)
  expect(
    replacePlaceholders(short, (name) => (name.owner === 'seven' && name.index === 3 ? TEXT : undefined)),
  ).toBe(TEXT)
})

it('is found within a text that was made of it, and of another file it is left alone', () => {
  const joined = `the error\n${textPlaceholder(TEXT, NAME)}, and ${textPlaceholder(TEXT, { owner: 'eight', index: 0 })}`
  const half = replacePlaceholders(joined, ({ owner }) => (owner === 'seven' ? TEXT : undefined))
  expect(half.startsWith(`the error\n${TEXT}, and first words`)).toBe(true)
  expect(replacePlaceholders(half, () => 'other')).toBe(`the error\n${TEXT}, and other`)
})

it.each([
  [0, `${TEXT}Exit Code: 0`],
  [127, `${TEXT}Exit Code: 127\nSignal: (none)\nProcess Group PGID: 4711`],
  [-1, `${TEXT}\nExit Code: -1\n</subagent>`],
  [null, `${TEXT}The Exit Code: 1 in a line is no end`],
])('tells the exit code %s of its text', (exitCode, text) => {
  expect(readExitCode(text)).toBe(exitCode)
  expect(readExitCode(textPlaceholder(text, NAME))).toBe(exitCode)
  expect(replacePlaceholders(textPlaceholder(text, NAME), () => text)).toBe(text)
})

it.each([
  ['SIGKILL', `${TEXT}Signal: SIGKILL\nProcess Group PGID: 4711`],
  [
    '15',
    `${TEXT}Exit Code: 1\nSignal: 15\nBackground PIDs: 1, 2\nProcess Group PGID: 3\n</untrusted_context>`,
  ],
  [null, `${TEXT}Exit Code: 0\nSignal: (none)\nBackground PIDs: (none)\nProcess Group PGID: 4711`],
  [null, `${TEXT}Signal: 0`],
  [null, `${TEXT}Signal: green\nand the command went on\n`],
  [null, `Signal: ${TEXT}`],
])('tells the signal %s that ended its command', (signal, text) => {
  expect(readSignal(text)).toBe(signal)
  expect(readSignal(textPlaceholder(text, NAME))).toBe(signal)
  expect(readExitCode(textPlaceholder(text, NAME))).toBe(readExitCode(text))
  expect(replacePlaceholders(textPlaceholder(text, NAME), () => text)).toBe(text)
})

it('of a mask is a mask', () => {
  expect(isMask({ output: textPlaceholder(`  <tool_output_masked>\n${TEXT}`, NAME) })).toBe(true)
  expect(isMask({ output: textPlaceholder(TEXT, NAME) })).toBe(false)
})

it('comes back whole where its head was cut within a character', () => {
  const text = `${'x'.repeat(95)}👋${TEXT}`
  expect(replacePlaceholders(textPlaceholder(text, NAME), () => text)).toBe(text)
})
