/** Relative luminance of `--color-sunken`, the ground of all output, in both themes. */
const GROUND_LUMINANCE = { light: 0.832, dark: 0.0043 } as const
const MINIMUM_CONTRAST = 4.5

export type Ground = keyof typeof GROUND_LUMINANCE

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
