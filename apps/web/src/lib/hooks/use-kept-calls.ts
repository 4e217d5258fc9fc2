import { useEffect, useRef } from 'react'

/** What is asked for before there is anything to do it with is kept, and done in its order as soon as there is. */
export function useKeptCalls<Call>(isReady: boolean, act: (calls: readonly Call[]) => void) {
  const kept = useRef<Call[]>([])
  useEffect(() => {
    if (isReady && kept.current.length > 0) act(kept.current.splice(0))
  })
  return (call: Call) => {
    if (isReady) act([call])
    else kept.current.push(call)
  }
}
