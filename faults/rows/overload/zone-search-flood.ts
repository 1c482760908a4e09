import { areLatenciesReliable } from '../../figures.ts'
import { type Client, expectStatus } from '../../load/client.ts'
import { openGame, scoreEveryPlayer } from '../../load/game.ts'
import { describeLatencies, isUnharmed, rankAndScoreCalls, steadyTraffic } from '../../load/steady-traffic.ts'
import { createFindings, type Row } from '../../row.ts'
import { openEmbeddedSite } from '../../sites/embedded-site.ts'

const ZONES = 61
const POSITIONS = 10_000
const CLIENTS = 40
/** Inside the box of every zone, and inside no zone. */
const SEARCHED = '/api/zones/at?lat=50&lon=20.7'

/** F18: clients without credentials search a point that is in the boxes of many large zones, but in none of them. */
export const zoneSearchFlood: Row = {
  id: 'F18',
  title: 'Flood of zone searches',
  async run(context) {
    const { times, scale, after, say } = context
    const wrong = createFindings()
    const site = await openEmbeddedSite(context)
    const { client } = site
    const token = await site.token()
    await addZones(client, token, times(10, ZONES, ZONES))
    const bystander = await openGame(client, token)
    await scoreEveryPlayer(client, bystander)
    const traffic = { perSecond: 50, calls: rankAndScoreCalls(bystander) }
    await steadyTraffic(client, { ...traffic, seconds: 2 })
    const quiet = await steadyTraffic(client, { ...traffic, seconds: times(5, 20, 60) })

    let [isOver, answered] = [false, 0]
    after(() => {
      isOver = true
    })
    const search = async () => {
      while (!isOver) {
        const { status } = await client.send({ method: 'GET', path: SEARCHED })
        answered++
        if (status !== 200) wrong.add('a search was refused', String(status))
      }
    }
    const searching = Promise.all(Array.from({ length: CLIENTS }, search))
    const seconds = times(10, 60, 60)
    const meanwhile = await steadyTraffic(client, { ...traffic, seconds })
    isOver = true
    await searching
    say(`${answered} searches; ${describeLatencies(quiet, meanwhile)}`)

    const isJudged = areLatenciesReliable(scale)
    if (isJudged && !isUnharmed(quiet, meanwhile)) wrong.add('the game was slow')
    for (const [what, count] of Object.entries(meanwhile.others)) wrong.add(`the game got ${what}`, `${count}`)
    return {
      what: `${CLIENTS} clients search a point near ${ZONES} zones of ${POSITIONS} positions, beside 50 requests a second of a game`,
      count: `${answered} searches in ${seconds} s`,
      criterion: `every search is answered; every request of the game is answered, with p99 below twice the quiet one or 50 ms${isJudged ? '' : ' (not judged here)'}`,
      seen: `${wrong.any ? `${wrong.text()}; ` : ''}${Math.round(answered / seconds)} searches/s; ${describeLatencies(quiet, meanwhile)}`,
      passed: !wrong.any,
    }
  },
}

async function addZones(client: Client, token: string, count: number): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  const boundary = { type: 'Polygon', coordinates: [openRing()] }
  for (let n = 0; n < count; n++)
    await expectStatus(
      client.send({ method: 'POST', path: '/api/zones', headers, body: { title: `C ${n}`, boundary } }),
    )
}

/** A ring with a gap in the east, like the letter C: its box has points that only an exact test excludes. */
function openRing(): number[][] {
  const half = (POSITIONS - 2) / 2
  const arc = (radius: number) =>
    Array.from({ length: half }, (_, i) => {
      const angle = 0.2 + (i / (half - 1)) * (2 * Math.PI - 0.4)
      return [20 + radius * Math.cos(angle), 50 + radius * Math.sin(angle)]
    })
  const ring = [...arc(1), ...arc(0.6).reverse()]
  return [...ring, ring[0]!]
}
