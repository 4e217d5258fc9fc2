import { resolve } from 'node:path'
import { quoteForShell } from '../../store/resume/quote-for-shell.ts'
import type { Flags } from '../../terminal/flags.ts'

const LABEL = 'gemini-dash.keep'

interface Schedule {
  cron: string
  systemd: { service: string; timer: string }
  launchd: string
  text: string
}

/** What has `keep now` done once an hour where no dashboard runs. Only told: nothing is installed. */
export function scheduleLines(flags: Flags): Schedule {
  const program = resolve(process.argv[1] ?? 'gemini-dash')
  const command = [process.execPath, program, 'keep', 'now', ...places(flags)]
  const cron = `17 * * * * ${command.map(quoteForCron).join(' ')} >/dev/null`
  const service = [
    '[Unit]',
    'Description=Keep Gemini CLI sessions',
    '[Service]',
    'Type=oneshot',
    'Nice=10',
    `ExecStart=${command.map(quoteForSystemd).join(' ')}`,
  ].join('\n')
  const timer = [
    '[Unit]',
    'Description=Keep Gemini CLI sessions once an hour',
    '[Timer]',
    'OnCalendar=hourly',
    'Persistent=true',
    '[Install]',
    'WantedBy=timers.target',
  ].join('\n')
  const launchd = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0"><dict>',
    `  <key>Label</key><string>${LABEL}</string>`,
    `  <key>ProgramArguments</key><array>${command.map((word) => `<string>${escapeXml(word)}</string>`).join('')}</array>`,
    '  <key>StartInterval</key><integer>3600</integer>',
    '  <key>ProcessType</key><string>Background</string>',
    '</dict></plist>',
  ].join('\n')
  const text = `${isPassing(program) ? PASSING : ''}${textOf(cron, service, timer, launchd)}`
  return { cron, systemd: { service, timer }, launchd, text }
}

/** npx runs programs out of a cache. */
function isPassing(program: string): boolean {
  return /[\\/]_npx[\\/]/.test(program)
}

const PASSING = `# These lines name a copy in npx's cache, which npm may empty. After "npm install -g gemini-dash" ask again.

`

/** Whoever runs it later stands in another folder, with another environment. */
function places(flags: Flags): string[] {
  const homes = flags.home ?? [process.env.GEMINI_CLI_HOME ?? []].flat()
  const data = flags['data-dir']
  return [
    ...homes.flatMap((home) => ['--home', resolve(home)]),
    ...(data === undefined ? [] : ['--data-dir', resolve(data)]),
  ]
}

/** In a crontab a percent sign ends the line. */
function quoteForCron(word: string): string {
  const quoted = /^--[a-z-]+$/.test(word) ? word : quoteForShell(word, 'posix')
  return quoted.replaceAll('%', '\\%')
}

function quoteForSystemd(word: string): string {
  const escaped = word.replaceAll('%', '%%').replaceAll('$', '$$$$')
  return /^[\w./:%@-]+$/.test(escaped) ? escaped : `"${escaped.replaceAll(/["\\]/g, '\\$&')}"`
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function textOf(cron: string, service: string, timer: string, launchd: string): string {
  return `# cron: add with "crontab -e"
${cron}

# systemd: ~/.config/systemd/user/gemini-dash-keep.service
${service}

# systemd: ~/.config/systemd/user/gemini-dash-keep.timer, then "systemctl --user enable --now gemini-dash-keep.timer"
${timer}

# launchd: ~/Library/LaunchAgents/${LABEL}.plist, then "launchctl load" with that path
${launchd}
`
}
