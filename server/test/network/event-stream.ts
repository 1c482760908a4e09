import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'

export type ServerEvent = { event: string; id: string; data: unknown }

/** An open stream of server-sent events, read as they arrive (WHATWG HTML, 9.2.6). Close it after use. */
export type EventStream = {
  status: number
  headers: IncomingMessage['headers']
  /** The next event. @throws if the stream has ended, or after a minute without one */
  next: () => Promise<ServerEvent>
  /** Resolves when the server has ended the stream. */
  ended: Promise<void>
  /** The number of comment lines so far. */
  comments: () => number
  close: () => void
}

const patienceMs = 60_000

export async function openEventStream(url: string, headers: Record<string, string> = {}): Promise<EventStream> {
  const request = get(url, { headers, agent: false }) // a connection of its own, without a reconnect when it is closed
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  let isClosed = false
  const arrived: ServerEvent[] = []
  const waiting: (() => void)[] = []
  let isOver = false
  let comments = 0

  const ended = (async () => {
    try {
      let rest = ''
      const decoder = new TextDecoder()
      for await (const chunk of response) {
        const blocks = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n\n')
        rest = blocks.pop()!
        for (const block of blocks) {
          if (block.startsWith(':')) comments++
          const fields = new Map(block.split('\n').map((line) => line.split(/: (.*)/s, 2) as [string, string]))
          const [event, id, data] = ['event', 'id', 'data'].map((name) => fields.get(name) ?? '')
          if (data) arrived.push({ event: event!, id: id!, data: JSON.parse(data) })
        }
        for (const wake of waiting.splice(0)) wake()
      }
    } catch (error) {
      if (!isClosed) throw error
    } finally {
      isOver = true
      for (const wake of waiting.splice(0)) wake()
    }
  })()
  ended.catch(() => {}) // callers that await the end get the error

  return {
    status: response.statusCode!,
    headers: response.headers,
    async next() {
      const tooLate = AbortSignal.timeout(patienceMs)
      while (arrived.length === 0) {
        if (isOver) throw new Error('The stream has ended')
        if (tooLate.aborted) throw new Error('No event arrived')
        await new Promise<void>((wake) => {
          waiting.push(wake)
          tooLate.addEventListener('abort', () => wake(), { once: true })
        })
      }
      return arrived.shift()!
    },
    ended,
    comments: () => comments,
    close() {
      isClosed = true
      request.destroy()
    },
  }
}

/** The streams opened by a test file, closed together after each test. */
export function eventStreams() {
  const opened: EventStream[] = []
  return {
    async open(url: string, headers: Record<string, string>): Promise<EventStream> {
      const stream = await openEventStream(url, headers)
      opened.push(stream)
      return stream
    },
    closeAll() {
      for (const stream of opened.splice(0)) stream.close()
    },
  }
}

type Entry = { playerId: string; playerScore: number; ranking: number }
type Changes = { changed: (Entry & { index: number })[]; removed: string[] }

/** Applies an event to a leaderboard, as docs/scoring.md describes. */
export function boardAfter(board: Entry[], { event, data }: ServerEvent): Entry[] {
  if (event === 'board') return (data as { leaderboard: Entry[] }).leaderboard
  const { changed, removed } = data as Changes
  const gone = new Set([...removed, ...changed.map((entry) => entry.playerId)])
  const after = board.filter((entry) => !gone.has(entry.playerId))
  for (const { index, ...entry } of changed) after.splice(index, 0, entry)
  for (const [i, entry] of after.entries()) {
    const isEqual = i > 0 && after[i - 1]!.playerScore === entry.playerScore
    after[i] = { ...entry, ranking: isEqual ? after[i - 1]!.ranking : i + 1 }
  }
  return after
}
