import { disableTypes, imageSize } from 'image-size'

// What no page draws is not looked at: a session may hold anything.
disableTypes([
  ...(['bmp', 'cur', 'dds', 'heif', 'icns', 'ico', 'j2c', 'jp2', 'jxl', 'jxl-stream'] as const),
  ...(['ktx', 'pnm', 'psd', 'svg', 'tga', 'tiff'] as const),
])

/** The size stands near the beginning; before it a JPEG can hold a preview of some kilobytes. */
const HEAD_CHARS = 512 * 1024
/** Cameras that were held upright say so; browsers turn such pictures by a quarter. */
const FIRST_TURNED = 5

/**
 * What a page reserves for a picture that it has not loaded yet, from its base64. null: it does not say, or is no
 * picture.
 */
export function pixelSize(base64: string): { width: number; height: number } | null {
  try {
    const head = Buffer.from(base64.slice(0, HEAD_CHARS), 'base64')
    const { width, height, orientation = 1 } = imageSize(head)
    if (!(width > 0 && height > 0)) return null
    return orientation >= FIRST_TURNED ? { width: height, height: width } : { width, height }
  } catch {
    return null
  }
}
