import { createCairn, type LocatedPin } from '@cairn/sdk'
import './style.css'
import './components.css'
import { showBoard } from './board.ts'
import { element, say } from './dom.ts'
import { dig, type Standing, settings } from './game.ts'
import { bearing, distance, type Point } from './geometry.ts'
import { drawMap } from './map.ts'
import { followPlayer } from './position.ts'
import { inWords, signIn } from './sign-in.ts'

/** Same as on the game's server, which decides. Here it only enables the button. */
const REACH = 25

const { baseUrl, clientKey, zoneId, mapStyleUrl } = await settings()
const cairn = createCairn({ baseUrl })
let me: Standing | undefined
let here: Point | undefined
let walkTo = (_: Point) => {}

showBoard({ baseUrl, clientKey }, () => me?.player?.id).catch((error) => say(inWords(error)))

const zone = await cairn.zones.get(zoneId)
const middle = middleOf(zone.boundary?.coordinates.flat(2) as number[] | number[][] | undefined)
const treasures = await cairn.pins.near(middle.lat, middle.lon, { radius: 2000, zoneId }).all()
const placeOf = ({ latitude, longitude }: LocatedPin): Point => ({ lat: latitude, lon: longitude })

const map = drawMap({
  zone,
  styleUrl: mapStyleUrl,
  reach: REACH,
  onTap: (there) => walkTo(there),
  onTreasure: (pin) => walkTo(placeOf(pin)),
})
map.showTreasures(treasures)

const { session, standing } = await signIn(baseUrl)
show(standing)

const walk = await followPlayer(
  middle,
  (point) => {
    here = point
    map.movePlayer(point)
    showNearest()
  },
  (reason) => {
    const hint = element('walk-hint')
    hint.textContent = `${reason}: tap the map or use the arrow keys to walk.`
    hint.hidden = false
  },
)
walkTo = (there) => {
  walk.to(there)
  element('walk-hint').hidden = true
}

element('dig').addEventListener('click', async () => {
  const goal = nearest()
  if (!goal || !here || !me) return
  try {
    const { points, score, title } = await dig(await session(), { pinId: goal.id, ...here })
    show({ ...me, score, found: [...me.found, goal.id] })
    say(`${title}! ${points} points`)
  } catch (error) {
    say(inWords(error))
  }
})
element('show-board').addEventListener('click', () => {
  const isOpen = document.body.classList.toggle('board-open')
  element('show-board').ariaExpanded = String(isOpen)
})

function show(standing: Standing) {
  me = standing
  element('me').hidden = !standing.player
  element('my-name').textContent = standing.player?.displayName ?? ''
  element('my-score').textContent = String(standing.score)
  map.markFound(standing.found)
  showNearest()
}

/** The nearest treasure the player has not found. */
function nearest(): LocatedPin | undefined {
  const from = here
  if (!from) return undefined
  const left = treasures.filter(({ id }) => !me?.found.includes(id))
  return left.sort((a, b) => distance(from, placeOf(a)) - distance(from, placeOf(b)))[0]
}

function showNearest() {
  if (!here || !me) return
  const goal = nearest()
  const metres = goal ? distance(here, placeOf(goal)) : 0
  element('nearest').hidden = false
  element('nearest-title').textContent = goal?.title ?? 'You have found them all'
  element('nearest-distance').textContent = goal ? `${Math.round(metres)} m away` : 'Watch the board.'
  element('arrow').style.rotate = goal ? `${bearing(here, placeOf(goal))}deg` : '0deg'
  element('arrow').hidden = !goal
  element('dig').hidden = !goal
  element<HTMLButtonElement>('dig').disabled = metres > REACH
}

/** The mean of the boundary's corners. */
function middleOf(corners: number[] | number[][] | undefined): Point {
  const flat = (corners ?? []).flat()
  const mean = (which: number) => {
    const values = flat.filter((_, i) => i % 2 === which)
    return values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1)
  }
  return { lon: mean(0), lat: mean(1) }
}
