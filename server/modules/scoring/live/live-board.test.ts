import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { boardAfter } from '../../../test/network/event-stream.ts'
import { assignRanks, type RankedRow } from '../leaderboards/assign-ranks.ts'
import { LiveBoard } from './live-board.ts'

const row = (playerId: string, score: number, at: number, name = playerId): RankedRow => ({
  playerId,
  playerDisplayName: name,
  playerScore: score,
  createdAt: '2026-01-31T12:00:00.000Z',
  updatedAt: '2026-01-31T12:00:00.000Z',
  gameSessionId: 'session',
  playerImageUrl: null,
  userId: null,
  rankKey: score,
  achievedAt: String(at),
})

/** The events of some frames, as a client reads them. */
const eventsOf = (frames: Buffer) =>
  frames
    .toString()
    .split('\n\n')
    .filter(Boolean)
    .map((block) => {
      const [, event, id, data] = /^event: (\w+)\nid: (\S+)\ndata: (.*)$/.exec(block) ?? []
      return { event: event!, id: id!, data: JSON.parse(data!) }
    })

describe('a live board', () => {
  test('leads every client to the board as it is, wherever it comes back', () => {
    const states = fc.array(
      fc.uniqueArray(
        fc.record({
          player: fc.integer({ min: 0, max: 9 }),
          score: fc.integer({ min: 0, max: 4 }),
          at: fc.nat(3),
          name: fc.nat(1),
        }),
        { selector: ({ player }) => player, maxLength: 10 },
      ),
      { minLength: 1, maxLength: 12 },
    )
    fc.assert(
      fc.property(states, (boards) => {
        const live = new LiveBoard(10)
        /** What clients know that went away after each state, with the last id they saw. */
        const clients: { id: string; board: ReturnType<typeof boardAfter> }[] = []
        for (const state of boards) {
          const rows = state
            .map(({ player, score, at, name }) => row(`p${player}`, score, at, `name ${name}`))
            .sort(
              (a, b) =>
                b.rankKey - a.rankKey || a.achievedAt.localeCompare(b.achievedAt) || (a.playerId < b.playerId ? -1 : 1),
            )
          live.update(rows)
          let known = { id: '', board: [] as ReturnType<typeof boardAfter> }
          for (const client of [...clients, known]) {
            let { id, board } = client
            for (const event of eventsOf(live.since(id, {}))) {
              expect(event.event).toBe(client.id === '' ? 'board' : 'entries')
              board = boardAfter(board, event)
              id = event.id
            }
            expect(board).toEqual(assignRanks(rows))
            known = { id, board }
          }
          clients.push(known)
        }
      }),
      { numRuns: 60 },
    )
  })

  test('says nothing when nothing changed, and sends no entry whose rank alone changed', () => {
    const live = new LiveBoard(100)
    const rows = [row('a', 9, 1), row('b', 5, 1), row('c', 5, 2)]
    expect(live.update(rows)).toBeUndefined()
    expect(live.update(structuredClone(rows))).toBeUndefined()
    const [event] = eventsOf(live.update([row('d', 10, 1), ...rows])!)
    expect(event!.data).toEqual({
      changed: [expect.objectContaining({ playerId: 'd', index: 0, ranking: 1 })],
      removed: [],
    })
  })

  test('forgets the oldest changes beyond a thousand, and beyond 4 KiB an entry it shows', () => {
    const live = new LiveBoard(1000)
    live.update([])
    const isKnown = (of: LiveBoard, id: string) => eventsOf(of.since(id, {}))[0]?.event !== 'board'
    const [first] = eventsOf(live.since(undefined, {}))
    for (let i = 0; i < 1000; i++) live.update([row('a', i, i)])
    expect(isKnown(live, first!.id)).toBe(true)
    live.update([row('a', -1, 1)])
    expect(isKnown(live, first!.id)).toBe(false)
    expect(isKnown(live, first!.id.replace('-0', '-1'))).toBe(true)

    const short = new LiveBoard(1)
    short.update([])
    const [begin] = eventsOf(short.since(undefined, {}))
    short.update([row('a', 1, 1)])
    expect(isKnown(short, begin!.id)).toBe(true)
    for (let i = 0; i < 12; i++) short.update([row('a', i, i, 'x'.repeat(250))])
    expect(isKnown(short, begin!.id)).toBe(false)
  })
})
