import './ansi.css'
import { type CSSProperties, useMemo } from 'react'
import { classNames } from '../../lib/browser/class-names.ts'
import { MachineText } from '../text/machine-text.tsx'
import type { AnsiColour, AnsiLine, AnsiSpan } from './ansi-span.ts'

/** Relative luminance of `--color-sunken`, the ground of all output, in both themes. */
const GROUND_LUMINANCE = { light: 0.828, dark: 0.0038 } as const

const MINIMUM_CONTRAST = 4.5

type Ground = keyof typeof GROUND_LUMINANCE

/** Lines of terminal output in their colours, all of them at once. */
export function AnsiLines({ lines }: { lines: readonly AnsiLine[] }) {
  const placed = useMemo(() => withStarts(lines), [lines])
  return placed.map((line) => (
    <span key={line.start}>
      {line.spans.map((span) => (
        <Run key={span.start} span={span} />
      ))}
      {'\n'}
    </span>
  ))
}

function Run({ span }: { span: AnsiSpan }) {
  const { foreground, background } = span
  const className = classNames(
    isNamed(foreground) && `ansi-${foreground.name}`,
    isNamed(background) && `ansi-on-${background.name}`,
    foreground !== null && !isNamed(foreground) && 'ansi-exact',
    background !== null && !isNamed(background) && 'ansi-on-exact',
    span.isBold && 'ansi-bold',
    span.isItalic && 'ansi-italic',
    span.isUnderlined && 'ansi-underline',
    span.isDim && 'ansi-dim',
    span.isStruck && 'ansi-struck',
  )
  if (className === '') return <MachineText text={span.text} />
  return (
    <span className={className} style={exactColours(foreground, background)}>
      <MachineText text={span.text} />
    </span>
  )
}

function isNamed(colour: AnsiColour | null): colour is { name: string } {
  return colour !== null && 'name' in colour
}

/** Exact colours are pulled to what can be read, in both themes; the style sheet chooses. */
function exactColours(
  foreground: AnsiColour | null,
  background: AnsiColour | null,
): CSSProperties | undefined {
  const variables: Record<`--${string}`, string> = {}
  if (foreground !== null && !isNamed(foreground)) {
    variables['--ansi-light'] = readableColour(foreground.hex, 'light')
    variables['--ansi-night'] = readableColour(foreground.hex, 'dark')
  }
  if (background !== null && !isNamed(background)) {
    variables['--ansi-ground-light'] = readableColour(background.hex, 'light')
    variables['--ansi-ground-night'] = readableColour(background.hex, 'dark')
  }
  return Object.keys(variables).length === 0 ? undefined : variables
}

function withStarts(lines: readonly AnsiLine[]) {
  let start = 0
  return lines.map((line) => {
    const lineStart = start
    const spans = line.map((span) => {
      const placed = { ...span, start }
      start += span.text.length
      return placed
    })
    start += 1
    return { start: lineStart, spans }
  })
}

/** `#rrggbb` pulled towards black or white until it reads on the ground of the theme; the hue stays. */
export function readableColour(hex: string, theme: Ground): string {
  const target = theme === 'light' ? 0 : 255
  const channels = [1, 3, 5].map((start) => Number.parseInt(hex.slice(start, start + 2), 16))
  for (let share = 0; share <= 1; share += 0.05) {
    const mixed = channels.map((channel) => Math.round(channel + (target - channel) * share))
    if (contrast(luminance(mixed), GROUND_LUMINANCE[theme]) >= MINIMUM_CONTRAST) return toHex(mixed)
  }
  return toHex([target, target, target])
}

export function luminance(channels: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = channels.map((channel) => {
    const value = channel / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

export function contrast(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
}

function toHex(channels: readonly number[]): string {
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}
