import { scaleLinear, scaleSymlog } from '@visx/scale'
import type { ScaleKind } from './chart-layout.ts'

/** Tokens as heights between two edges of a band, and the values that its grid names. */
export function bandScale(kind: ScaleKind, max: number, near: number, far: number) {
  const domain = [0, Math.max(max, 1)]
  const range = [near, far]
  const scale =
    kind === 'linear' ? scaleLinear({ domain, range }) : scaleSymlog({ domain, range, constant: 10 })
  const linear = scaleLinear({ domain, range })
  const values = kind === 'linear' ? linear.ticks(3) : powersOfTen(max)
  const ticks = values
    .filter((value) => value > 0 && value <= max)
    .map((value) => ({ value, y: scale(value) }))
  return { y: (tokens: number) => scale(tokens), ticks, max }
}

function powersOfTen(max: number): number[] {
  const values: number[] = []
  for (let value = 100; value <= max; value *= 10) values.push(value)
  return values.slice(-3)
}
