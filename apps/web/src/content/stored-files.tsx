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
import { connection } from '../api/request.ts'
import { formatSize } from '../lib/figures.ts'
import { usePaper } from '../lib/paper.ts'
import { Notice } from '../ui/states.tsx'
import { MachineText } from './machine-text.tsx'

interface NeighbourLinks {
  sessionRef: string
  /** Folder of the project; null where it is not known. */
  root: string | null
  savedOutputs: readonly SavedOutput[]
  images: readonly PastedImage[]
  plans: readonly Plan[]
  /** Rows of other sessions that it leads to. */
  related: readonly SessionSummary[]
}

/** What lies around the session whose messages are drawn below: its project's folder, and files beside it. */
export const NeighbourContext = createContext<NeighbourLinks>({
  sessionRef: '',
  root: null,
  savedOutputs: [],
  images: [],
  plans: [],
  related: [],
})

/** Where a file beside a session is served; `limitBytes`: only so much of its beginning. */
export function neighbourHref(sessionRef: string, file: NeighbourFile, limitBytes?: number): string {
  return sessionPath('neighbours/:fileId', sessionRef, {
    fileId: file.id,
    ...(limitBytes === undefined ? {} : { limit: limitBytes }),
  })
}

interface Props {
  sessionKey: string
  /** Rows that are known. */
  related: readonly SessionSummary[]
}

/** A session that counts requests of the one that is read, by its title. One that is gone has none, and leads nowhere. */
export function OriginLink({ sessionKey, related }: Props) {
  const origin = related.find(({ key }) => key === sessionKey)
  if (usePaper() !== null || origin === undefined) return 'another session'
  return (
    <Link to="/s/$key" params={{ key: sessionKey }} className="link" dir="auto">
      {origin.title || 'another session'}
    </Link>
  )
}

/** What a browser may draw without running anything. SVG is a document, not a picture. */
const RASTER_TYPES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'])

const BASE64 = /^[A-Za-z0-9+/\s]+={0,2}\s*$/

interface StoredImageProps {
  mimeType: string
  href: string | null
  /** On paper, base64; null where it left by its name only. */
  data?: string | null
  sizeBytes: number | null
  /** So much room is kept for it until it is there. */
  pixelSize?: PixelSize | null | undefined
  uri?: string | null
  alt?: string
}

/** As in the style sheet, where it is 20 rem. */
const MAX_HEIGHT = 320

/** A picture that the session itself holds. Anything that is not a raster picture is named and can be saved. */
export function StoredImage(props: StoredImageProps) {
  return usePaper() === null ? <ServedImage {...props} /> : <ImageInside {...props} />
}

/** Pictures embedded in the document. */
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
  // it may be the server that was away, and not the picture
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
 * As large as it will be drawn where there is room enough; where there is not, the style sheet keeps its shape. That is
 * the shape of whole pixels, before and after: its own would change the height by a part of one when it comes.
 */
function roomFor(picture: PixelSize) {
  const scale = Math.min(1, MAX_HEIGHT / picture.height)
  const width = Math.max(1, Math.round(picture.width * scale))
  const height = Math.max(1, Math.round(picture.height * scale))
  return { width, height, style: { aspectRatio: `${width} / ${height}` } }
}
