/** Heights of the bands, in px. Received stands on the ruler, sent hangs below it; context and cost have their own ground. */
export const LAYOUT = {
  left: 64,
  right: 104,
  receivedTop: 14,
  rulerTop: 92,
  rulerBottom: 110,
  sentBottom: 176,
  contextTop: 194,
  contextBottom: 244,
  costTop: 264,
  costBottom: 304,
  belowBands: 18,
} as const

/** Below this a step can neither be seen nor hit; more calls are drawn together. */
export const MIN_STEP_PX = 3

/** So many calls are drawn together on a phone: a line tells so, whose place is kept free before they are here. */
export const GATHERED_FROM = 200

/** Between received and sent, and below them where what was sent is hidden. */
export function rulerAt(isInputHidden: boolean): { top: number; bottom: number } {
  if (!isInputHidden) return { top: LAYOUT.rulerTop, bottom: LAYOUT.rulerBottom }
  return { top: LAYOUT.sentBottom - 18, bottom: LAYOUT.sentBottom }
}

export type ScaleKind = 'linear' | 'log'
