import { type Cairn, CairnError, type FollowedFenceEvent } from '@cairn/sdk'
import { useEffect, useState } from 'react'

/** Events shown: the last ones. */
const SHOWN = 50

/** The last events at the fences of an app, newest first, from when the page was opened. */
export function useLiveEvents(cairn: Cairn) {
  const [events, setEvents] = useState<FollowedFenceEvent[]>([])
  const [isConnected, setIsConnected] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  useEffect(() => {
    const left = new AbortController()
    const follow = async () => {
      for await (const event of cairn.fences.follow({ signal: left.signal, onConnection: setIsConnected }))
        setEvents((before) => [event, ...before].slice(0, SHOWN))
    }
    follow().catch((failure) => {
      if (!left.signal.aborted) setError(failure instanceof Error ? failure : new CairnError(0, String(failure)))
    })
    return () => left.abort(new Error('the page was left'))
  }, [cairn])
  return { events, isConnected, error }
}
