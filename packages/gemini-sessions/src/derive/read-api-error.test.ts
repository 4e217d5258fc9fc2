import { expect, it } from 'vitest'
import { readApiError } from './failure.ts'

it('C4: what the API said is read out of the JSON that the CLI quotes, wrapped or not', () => {
  const inner = JSON.stringify({
    error: { code: 429, message: 'Quota\nexceeded.', status: 'RESOURCE_EXHAUSTED' },
  })
  const expected = { status: '429 RESOURCE_EXHAUSTED', message: 'Quota exceeded.' }
  expect(readApiError(`[API Error: ${inner}]`)).toEqual(expected)
  const wrapped = JSON.stringify({ error: { message: inner, code: 429, status: 'Too Many Requests' } })
  expect(readApiError(`[API Error: ${wrapped}]\nPlease wait and try again later.`)).toEqual(expected)
  expect(readApiError('[API Error: fetch failed]')).toEqual({ status: '', message: 'fetch failed' })
  expect(readApiError('Unknown command: /x')).toBeNull()
})
