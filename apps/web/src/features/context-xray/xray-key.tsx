import type { Tone } from './xray-series.ts'

/** Shades alone are few: within a family (the CLI, you, tools) patterns tell them apart. */
const PATTERNED: ReadonlySet<Tone> = new Set([
  'session-context',
  'file',
  'tool-2',
  'tool-3',
  'tools',
  'unrecorded',
])

/** What an area is filled with: a shade, or a pattern of `XrayPatterns`. */
export function toneFill(tone: Tone): { className: string; fill?: string } {
  const className = `xray-${tone}`
  return PATTERNED.has(tone) ? { className, fill: `url(#xray-${tone})` } : { className }
}

/** The patterns, once a page. */
export function XrayPatterns() {
  return (
    <svg width="0" height="0" className="xray-patterns" aria-hidden="true">
      <defs>
        <Pattern tone="session-context" path="M0 2.5H5" angle={90} />
        <Pattern tone="file" path="M0 2.5H5" angle={135} />
        <Pattern tone="tool-2" path="M1.5 2.5H3.5" angle={45} />
        <Pattern tone="tool-3" path="M0 2.5H5" angle={45} />
        <Pattern tone="tools" path="M0 2.5H5" angle={0} />
        <Pattern tone="unrecorded" path="M0 2.5H5" angle={45} />
      </defs>
    </svg>
  )
}

function Pattern({ tone, path, angle }: { tone: Tone; path: string; angle: number }) {
  return (
    <pattern
      id={`xray-${tone}`}
      className={`xray-pattern ${tone}`}
      width="5"
      height="5"
      patternUnits="userSpaceOnUse"
      patternTransform={`rotate(${angle})`}
    >
      <rect width="5" height="5" />
      <path d={path} />
    </pattern>
  )
}

/** How much of the largest row a row is, 0 to 1. Decoration for the figures beside it. */
export function XrayBar({ tone, share }: { tone: Tone; share: number }) {
  return (
    <svg className="xray-bar" aria-hidden="true">
      <rect width={`${(Math.max(share, 0.01) * 100).toFixed(1)}%`} height="100%" {...toneFill(tone)} />
    </svg>
  )
}

/** The key of an area in a list. */
export function XrayKey({ tone }: { tone: Tone }) {
  return (
    <svg className="xray-key" width="12" height="12" aria-hidden="true">
      <rect width="12" height="12" rx="1" {...toneFill(tone)} />
    </svg>
  )
}
