import { closeSync, readSync } from 'node:fs'
import type { PastedImage } from 'gemini-sessions'
import { type FoundFile, openNeighbour } from 'gemini-sessions/node'
import { PICTURE_HEAD_BYTES, pixelSize } from '../../messages/pixel-size.ts'

/** Says of each picture that is there how large it will be drawn, so that its room can be kept. */
export function measurePictures(
  images: readonly PastedImage[],
  filesById: ReadonlyMap<string, FoundFile>,
): PastedImage[] {
  return images.map((image) => {
    const found = filesById.get(image.file?.id ?? '')
    const head = found === undefined ? null : readHead(found)
    return head === null ? image : { ...image, pixelSize: pixelSize(head) }
  })
}

function readHead(found: FoundFile): Uint8Array | null {
  const opened = openNeighbour(found)
  if (opened === null) return null
  const { descriptor, sizeBytes } = opened
  try {
    const bytes = new Uint8Array(Math.min(sizeBytes, PICTURE_HEAD_BYTES))
    return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, 0))
  } catch {
    return null
  } finally {
    closeSync(descriptor)
  }
}
