import { useState } from 'react'
import { formatSize } from '../lib/format.ts'
import { Notice } from '../ui/notice.tsx'

/** What a browser may draw without running anything. SVG is a document, not a picture. */
const RASTER_TYPES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'])

interface Props {
  mimeType: string
  href: string | null
  sizeBytes: number | null
  uri?: string | null
  alt?: string
}

/** A picture that the session itself holds. Anything that is not a raster picture is named and can be saved. */
export function StoredImage({ mimeType, href, sizeBytes, uri, alt }: Props) {
  const [hasFailed, setHasFailed] = useState(false)
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
        <span className="dim">{hasFailed ? `${facts}, cannot be shown` : facts}</span>
      </p>
    )
  }
  return (
    <figure className="stored-image">
      <img
        src={href}
        alt={alt ?? 'Picture in the session'}
        loading="lazy"
        onError={() => setHasFailed(true)}
      />
      <figcaption>{facts}</figcaption>
    </figure>
  )
}
