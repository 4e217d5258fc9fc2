import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const PATIENCE_MS = 120_000

/** Path of the Gemini CLI program installed below a folder; undefined if there is none. */
export function findGemini(installed) {
  return ['bundle/gemini.js', 'dist/index.js']
    .map((path) => join(installed, 'node_modules', '@google', 'gemini-cli', path))
    .find((path) => existsSync(path))
}

/** Creates a project in `folder`, and settings in `home` with which the CLI needs no sign-in or confirmation. */
export function prepareHome(home, folder, sessionRetention = { enabled: false }) {
  mkdirSync(folder, { recursive: true })
  mkdirSync(join(home, '.gemini'), { recursive: true })
  writeFileSync(
    join(folder, 'price.js'),
    'export const total = (prices) => prices.reduce((a, b) => a + b, 0)\n',
  )
  const settings = {
    selectedAuthType: 'gemini-api-key',
    security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
    general: { enableAutoUpdate: false, disableAutoUpdate: true, sessionRetention },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    tools: { useRipgrep: false, shell: { enableInteractiveShell: false } },
    ide: { enabled: false, hasSeenNudge: true },
  }
  writeFileSync(join(home, '.gemini', 'settings.json'), JSON.stringify(settings))
}

/** Environment for the CLI: its home, and the stand-in for its model on loopback at `port`. */
export function geminiEnvironment(home, port) {
  return {
    PATH: process.env.PATH,
    HOME: home,
    GEMINI_CLI_HOME: home,
    GEMINI_API_KEY: 'none',
    GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${port}`,
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    GEMINI_CLI_NO_RELAUNCH: '1',
    NO_BROWSER: '1',
    CI: '1',
  }
}

/** Resolves to its exit code; null if it was killed after two minutes. Any exit code is accepted. */
export function runGemini(program, { home, folder, port, args, isQuiet = false }) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: folder,
      env: geminiEnvironment(home, port),
      stdio: ['ignore', 'ignore', isQuiet ? 'ignore' : 'inherit'],
      timeout: PATIENCE_MS,
    })
    child.on('exit', resolve)
  })
}
