import type { PixelSize } from 'gemini-sessions'
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

/** So much of a picture is looked at. */
export const PICTURE_HEAD_BYTES = (HEAD_CHARS / 4) * 3

/**
 * What a page reserves for a picture that it has not loaded yet, from its bytes or their base64. null: it does not say,
 * or is no picture.
 */
export function pixelSize(picture: string | Uint8Array): PixelSize | null {
  try {
    const head =
      typeof picture === 'string' ? Buffer.from(picture.slice(0, HEAD_CHARS), 'base64') : Buffer.from(picture)
    const { width, height, orientation = 1 } = imageSize(head)
    if (!(width > 0 && height > 0)) return null
    return orientation >= FIRST_TURNED ? { width: height, height: width } : { width, height }
  } catch {
    return null
  }
}
