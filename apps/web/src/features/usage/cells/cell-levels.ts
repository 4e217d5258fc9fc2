/** Sizes of marks. The steps grow with the square, as single large days would leave all others at the smallest. */
const LEVELS = 5

/** 0 for nothing, else 1 to 5. */
export function levelOf(value: number, highest: number): number {
  if (value <= 0 || highest <= 0) return 0
  return Math.min(LEVELS, Math.max(1, Math.ceil(LEVELS * Math.sqrt(value / highest) - 1e-9)))
}

/** The most that each level stands for. */
export function levelLimits(highest: number): { level: number; most: number }[] {
  return Array.from({ length: LEVELS }, (_, position) => {
    const level = position + 1
    return { level, most: highest * (level / LEVELS) ** 2 }
  })
}
