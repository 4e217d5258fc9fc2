import { useEffect } from 'react'

/** `Usage - gemini-dash`; undefined parts (not loaded yet) are left out. */
export function useDocumentTitle(...parts: (string | undefined)[]) {
  const title = [...parts, 'gemini-dash'].filter(Boolean).join(' - ')
  useEffect(() => {
    document.title = title
  }, [title])
}
