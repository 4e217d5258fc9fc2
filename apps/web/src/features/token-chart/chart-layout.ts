/** Heights of the three bands, in px. Received stands on the ruler, sent hangs below it, cost has its own ground. */
export const LAYOUT = {
  height: 256,
  left: 64,
  right: 104,
  receivedTop: 14,
  rulerTop: 92,
  rulerBottom: 110,
  sentBottom: 190,
  costTop: 206,
  costBottom: 244,
} as const

/** Below this a step can neither be seen nor hit; more calls are drawn together. */
export const MIN_STEP_PX = 3

export type ScaleKind = 'linear' | 'log'
