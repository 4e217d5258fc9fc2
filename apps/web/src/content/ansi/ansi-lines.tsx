import './ansi.css'
import { type CSSProperties, useMemo } from 'react'
import { classNames } from '../../lib/browser/class-names.ts'
import { MachineText } from '../text/machine-text.tsx'
import type { AnsiColour, AnsiLine, AnsiSpan } from './ansi-span.ts'
import { readableColour } from './readable-colour.ts'

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
