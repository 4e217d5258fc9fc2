import { sessionPath } from '@gemini-dash/api/paths'
import { Link } from '@tanstack/react-router'
import type {
  NeighbourFile,
  PastedImage,
  PixelSize,
  Plan,
  SavedOutput,
  SessionSummary,
} from 'gemini-sessions'
import { createContext, useEffect, useState } from 'react'
import { connection } from '../api/connection.ts'
import { formatSize } from '../lib/figures.ts'
import { usePaper } from '../lib/paper.ts'
import { Notice } from '../ui/states.tsx'
import { MachineText } from './machine-text.tsx'

interface NeighbourLinks {
  sessionRef: string
  /** Folder of the project; null if unknown. */
  root: string | null
  savedOutputs: readonly SavedOutput[]
  images: readonly PastedImage[]
  plans: readonly Plan[]
  /** Rows of linked sessions. */
  related: readonly SessionSummary[]
}

/** The surroundings of the session whose messages are drawn below: its project folder and adjacent files. */
export const NeighbourContext = createContext<NeighbourLinks>({
  sessionRef: '',
  root: null,
  savedOutputs: [],
  images: [],
  plans: [],
  related: [],
})

/** URL of a file beside a session; `limitBytes`: only its first bytes. */
export function neighbourHref(sessionRef: string, file: NeighbourFile, limitBytes?: number): string {
  return sessionPath('neighbours/:fileId', sessionRef, {
    fileId: file.id,
    ...(limitBytes === undefined ? {} : { limit: limitBytes }),
  })
}

interface Props {
  sessionKey: string
  /** Known rows. */
  related: readonly SessionSummary[]
}

/** Link to the session that counts certain requests of this one. A session that is gone has no title and no link. */
export function OriginLink({ sessionKey, related }: Props) {
  const origin = related.find(({ key }) => key === sessionKey)
  if (usePaper() !== null || origin === undefined) return 'another session'
  return (
    <Link to="/s/$key" params={{ key: sessionKey }} className="link" dir="auto">
      {origin.title || 'another session'}
    </Link>
  )
}

/** Image types that a browser can draw without running anything. SVG is a document. */
const RASTER_TYPES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'])

const BASE64 = /^[A-Za-z0-9+/\s]+={0,2}\s*$/

interface StoredImageProps {
  mimeType: string
  href: string | null
  /** Base64 on paper; null if only the name was exported. */
  data?: string | null
  sizeBytes: number | null
  /** Size used to reserve space until the image loads. */
  pixelSize?: PixelSize | null | undefined
  uri?: string | null
  alt?: string
}

/** 20 rem, as in the style sheet. */
const MAX_HEIGHT = 320

/** A picture stored in the session. Anything but a raster image is named and can be saved. */
export function StoredImage(props: StoredImageProps) {
  return usePaper() === null ? <ServedImage {...props} /> : <ImageInside {...props} />
}

/** A picture embedded in the document. */
function ImageInside({ mimeType, data = null, sizeBytes, uri, alt }: StoredImageProps) {
  const facts = [factsOf(mimeType, sizeBytes), uri].filter(Boolean).join(', ')
  if (data === null || !RASTER_TYPES.has(mimeType) || !BASE64.test(data))
    return (
      <p className="stored-file dim">
        <MachineText text={`${facts}, not in this file`} />
      </p>
    )
  return (
    <figure className="stored-image">
      <img src={`data:${mimeType};base64,${data}`} alt={alt ?? 'Picture in the session'} loading="lazy" />
      <figcaption>
        <MachineText text={facts} />
      </figcaption>
    </figure>
  )
}

function factsOf(mimeType: string, sizeBytes: number | null): string {
  return sizeBytes === null
    ? mimeType || 'unknown type'
    : `${mimeType || 'unknown type'}, ${formatSize(sizeBytes)}`
}

function ServedImage({ mimeType, href, sizeBytes, pixelSize, uri, alt }: StoredImageProps) {
  const [hasFailed, setHasFailed] = useState(false)
  // the server may have been away, rather than the picture missing
  const retry = () => setHasFailed(false)
  useEffect(() => (hasFailed ? connection.whenFound(() => setHasFailed(false)) : undefined), [hasFailed])
  const facts = factsOf(mimeType, sizeBytes)
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
 * The drawn size if there is enough room; otherwise the style sheet keeps the aspect ratio. Uses whole pixels before and after loading: the
 * image's own ratio would change the height by a fraction of a pixel.
 */
function roomFor(picture: PixelSize) {
  const scale = Math.min(1, MAX_HEIGHT / picture.height)
  const width = Math.max(1, Math.round(picture.width * scale))
  const height = Math.max(1, Math.round(picture.height * scale))
  return { width, height, style: { aspectRatio: `${width} / ${height}` } }
}
