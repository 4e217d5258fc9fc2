import { expect, test } from 'vitest'
import { whyNotOpen } from './greet.ts'

const place = (env: Record<string, string>, platform: NodeJS.Platform = 'darwin', isTerminal = true) =>
  whyNotOpen({ env, platform, isTerminal })

test.each([
  ['in CI', place({ CI: 'true' })],
  ['over SSH', place({ SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' })],
  ['in a container', place({ CODESPACES: 'true' })],
  ['without a terminal', place({ WSL_DISTRO_NAME: 'Debian' }, 'linux', false)],
])('no browser is opened %s', (reason, answer) => {
  expect(answer).toBe(reason)
})

test('under WSL the browser of Windows needs no display', () => {
  expect(place({ WSL_DISTRO_NAME: 'Debian' }, 'linux')).toBeNull()
})
