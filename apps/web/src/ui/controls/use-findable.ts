import { type RefObject, useLayoutEffect, useRef } from 'react'

/** What is built though it is closed is hidden, until the browser's own find meets something in it. */
export function useFindable(isOpen: boolean, onFound: () => void): RefObject<HTMLDivElement | null> {
  const body = useRef<HTMLDivElement>(null)
  const latest = useRef(onFound)
  useLayoutEffect(() => {
    const element = body.current
    latest.current = onFound
    if (element === null) return undefined
    // React knows this attribute as a switch only
    if (isOpen) element.removeAttribute('hidden')
    else element.setAttribute('hidden', 'until-found')
    const found = () => latest.current()
    element.addEventListener('beforematch', found)
    return () => element.removeEventListener('beforematch', found)
  })
  return body
}
