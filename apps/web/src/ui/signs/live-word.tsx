import './badge.css'

/** The pulsing dot of what is being written right now, with its word. */
export function LiveWord({ children = 'Live' }: { children?: string }) {
  return <span className="live-word">{children}</span>
}
