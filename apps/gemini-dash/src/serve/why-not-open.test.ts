import { expect, test } from 'vitest'
import { whyNotOpen } from './greet.ts'

const desk = (env: Record<string, string>, platform: NodeJS.Platform = 'darwin', isTerminal = true) =>
  whyNotOpen({ env, platform, isTerminal })

test.each([
  ['in CI', desk({ CI: 'true' })],
  ['over SSH', desk({ SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' })],
  ['in a container', desk({ CODESPACES: 'true' })],
  ['without a terminal', desk({ WSL_DISTRO_NAME: 'Debian' }, 'linux', false)],
])('no browser is opened %s', (reason, answer) => {
  expect(answer).toBe(reason)
})

test('under WSL the browser of Windows needs no display', () => {
  expect(desk({ WSL_DISTRO_NAME: 'Debian' }, 'linux')).toBeNull()
})
