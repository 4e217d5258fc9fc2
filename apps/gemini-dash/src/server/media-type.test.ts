import { expect, test } from 'vitest'
import { mediaTypeOf } from './replies.ts'

test.each([
  ['89504e470d0a1a0a0000000d', 'image/png'],
  ['ffd8ffe000104a464946', 'image/jpeg'],
  ['474946383961', 'image/gif'],
  ['524946462400000057454250', 'image/webp'],
  ['0000001c6674797061766966', 'image/avif'],
])('%s is %s', (hex, mediaType) => {
  expect(mediaTypeOf(Buffer.from(hex, 'hex'))).toBe(mediaType)
})

test.each([
  '',
  '<svg xmlns="http://www.w3.org/2000/svg">',
  '<!doctype html>',
  '%PDF-1.7',
  'GIF8',
  'RIFF....WAVE',
  'x\x89PNG\r\n\x1a\n',
])('"%s" is no picture that may be shown', (text) => {
  expect(mediaTypeOf(Buffer.from(text, 'latin1'))).toBeNull()
})
