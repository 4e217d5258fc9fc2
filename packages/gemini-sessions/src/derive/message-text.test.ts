import { expect, test } from 'vitest'
import { oneLine } from './messages.ts'

test('a line is cut between words: half a secret would not be known as one', () => {
  expect(oneLine('the key is ghp_aB3dE6', 16)).toBe('the key is …')
  expect(oneLine('the key is ghp_aB3dE6', 21)).toBe('the key is ghp_aB3dE6')
  expect(oneLine('the key  is\nghp', 40)).toBe('the key is ghp')
})

test('a long path or address ends at one of its parts', () => {
  expect(oneLine('see https://example.com/a/b?token=secret', 36)).toBe('see https://example.com/a/b?token=…')
  expect(oneLine(`see ${'a'.repeat(40)}`, 20)).toBe('see …')
})

test('a first word, and words without blanks between, are cut within', () => {
  expect(oneLine('averylongfirstword', 8)).toBe('averylo…')
  expect(oneLine('说明：请把这个文件里的函数改成异步的', 8)).toBe('说明：请把这个…')
  expect(oneLine('ok 请把这个文件里的函数改成异步的', 8)).toBe('ok 请把这个…')
})
