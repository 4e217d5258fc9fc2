import type { ReactNode } from 'react'
import { linkPolicy } from './link-policy.ts'

/** A recorded link as far as it is harmless; else its text alone. Opens beside, tells the other side nothing. */
export function SafeLink({ href, children }: { href?: string | undefined; children: ReactNode }) {
  const policy = linkPolicy(href)
  if (policy.kind === 'inert') return <span className="inert-link">{children}</span>
  if (policy.kind === 'anchor') {
    return (
      <a className="link" href={policy.href}>
        {children}
      </a>
    )
  }
  return (
    <>
      <a
        className="link"
        href={policy.href}
        title={policy.href}
        target="_blank"
        rel="noopener noreferrer nofollow"
      >
        {children}
      </a>
      {policy.warning !== null && <span className="link-warning"> ({policy.warning})</span>}
    </>
  )
}
