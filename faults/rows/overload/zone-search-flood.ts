import { areLatenciesReliable } from '../../figures.ts'
import { type Client, expectStatus } from '../../load/client.ts'
import { openGame, scoreEveryPlayer } from '../../load/game.ts'
import { startSender } from '../../load/sender.ts'
import { describeLatencies, isUnharmed, rankAndScoreCalls } from '../../load/steady-traffic.ts'
import { unexpectedStatuses } from '../../load/writers.ts'
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
    const { times, scale, say } = context
    const wrong = createFindings()
    const site = await openEmbeddedSite(context)
    const { client } = site
    const token = await site.token()
    await addZones(client, token, times(10, ZONES, ZONES))
    const bystander = await openGame(client, token)
    await scoreEveryPlayer(client, bystander)
    const traffic = { perSecond: 50, calls: rankAndScoreCalls(bystander) }
    const game = startSender(context, client.url())
    const attacker = startSender(context, client.url(), { isAttacker: true })
    await game.steady({ ...traffic, seconds: 2 })
    const quiet = await game.steady({ ...traffic, seconds: times(5, 20, 60) })

    const searching = attacker.flood([{ method: 'GET', path: SEARCHED }], CLIENTS)
    const seconds = times(10, 60, 60)
    const meanwhile = await game.steady({ ...traffic, seconds })
    const statuses = await searching.stop()
    const answered = Object.values(statuses).reduce((all, count) => all + count, 0)
    const refused = unexpectedStatuses(statuses, 200)
    if (refused) wrong.add('a search was refused', refused)
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
