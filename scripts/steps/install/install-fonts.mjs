import { spawnSync } from 'node:child_process'
import { runAsRoot } from './run-as-root.mjs'

const PACKAGES = [
  { name: 'fonts-noto-cjk', family: 'Noto Sans CJK' },
  { name: 'fonts-noto-color-emoji', family: 'Noto Color Emoji' },
]

/** Installs fonts for the Chinese, Japanese and emoji titles of the demo home on Debian. Other systems have their own. */
export async function installFonts() {
  if (process.platform !== 'linux') return
  const { stdout } = spawnSync('fc-list', [':', 'family'], { encoding: 'utf8' })
  const missing = PACKAGES.filter(({ family }) => !stdout?.includes(family)).map(({ name }) => name)
  if (missing.length === 0) return
  process.stderr.write(`Installing ${missing.join(' and ')} ...\n`)
  await runAsRoot('apt-get', ['update'])
  const exitCode = await runAsRoot('apt-get', ['install', '-y', '--no-install-recommends', ...missing])
  if (exitCode !== 0)
    process.stderr.write(`Without ${missing.join(' and ')} some titles will show empty boxes.\n`)
}
