import type { PixelSize } from 'gemini-sessions'
import { useEffect, useState } from 'react'
import { connection } from '../../api/request/connection.ts'
import { formatSize } from '../../lib/figures/format.ts'
import { Notice } from '../../ui/states/notice.tsx'
import { MachineText } from '../text/machine-text.tsx'

/** What a browser may draw without running anything. SVG is a document, not a picture. */
const RASTER_TYPES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'])

interface Props {
  mimeType: string
  href: string | null
  sizeBytes: number | null
  /** So much room is kept for it until it is there. */
  pixelSize?: PixelSize | null | undefined
  uri?: string | null
  alt?: string
}

/** As in the style sheet, where it is 20 rem. */
const MAX_HEIGHT = 320

/** A picture that the session itself holds. Anything that is not a raster picture is named and can be saved. */
export function StoredImage({ mimeType, href, sizeBytes, pixelSize, uri, alt }: Props) {
  const [hasFailed, setHasFailed] = useState(false)
  // it may be the server that was away, and not the picture
  const retry = () => setHasFailed(false)
  useEffect(() => (hasFailed ? connection.whenFound(() => setHasFailed(false)) : undefined), [hasFailed])
  const facts = [mimeType || 'unknown type', sizeBytes === null ? null : formatSize(sizeBytes)]
    .filter(Boolean)
    .join(', ')
  if (href === null) return <Notice>{`Attached by reference, not in the session: ${uri ?? facts}`}</Notice>
  if (!RASTER_TYPES.has(mimeType) || hasFailed) {
    return (
      <p className="stored-file">
        <a className="link" href={href} download>
          Save the attached file
        </a>{' '}
        <span className="dim">
          <MachineText text={hasFailed ? `${facts}, cannot be shown` : facts} />
        </span>{' '}
        {hasFailed && (
          <button type="button" className="link" onClick={retry}>
            Retry
          </button>
        )}
      </p>
    )
  }
  return (
    <figure className="stored-image">
      <img
        src={href}
        alt={alt ?? 'Picture in the session'}
        loading="lazy"
        {...(pixelSize && roomFor(pixelSize))}
        onError={() => setHasFailed(true)}
      />
      <figcaption>
        <MachineText text={facts} />
      </figcaption>
    </figure>
  )
}

/**
 * As large as it will be drawn where there is room enough; where there is not, the style sheet keeps its shape. That is
 * the shape of whole pixels, before and after: its own would change the height by a part of one when it comes.
 */
function roomFor(picture: PixelSize) {
  const scale = Math.min(1, MAX_HEIGHT / picture.height)
  const width = Math.max(1, Math.round(picture.width * scale))
  const height = Math.max(1, Math.round(picture.height * scale))
  return { width, height, style: { aspectRatio: `${width} / ${height}` } }
}
