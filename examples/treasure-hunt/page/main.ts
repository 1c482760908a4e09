import { CairnError, createCairn, type Player, type PositionFixInput } from '@cairn/sdk'
import './style.css'
import './components.css'
import { showBoard } from './board.ts'
import { element, say } from './dom.ts'
import { bearing, distance, type Point } from './geometry.ts'
import { drawMap } from './map.ts'
import { openWalk } from './position.ts'
import { settings } from './settings.ts'
import { inWords, signIn } from './sign-in.ts'
import { findsOf, type Treasure, treasuresOf } from './treasures.ts'

/** How often the position is reported. */
const REPORT_MS = 3000

const given = await settings()
const visitor = createCairn({ baseUrl: given.baseUrl, appKey: given.clientKey })
let me: Player | undefined
let here: PositionFixInput | undefined
let walkTo = (_: Point) => {}

showBoard(visitor, () => me?.id).catch((error) => say(inWords(error)))

const zone = await visitor.zones.get(given.zoneId)
const middle = middleOf(zone.boundary?.coordinates.flat(2) as number[] | number[][] | undefined)
const treasures = await treasuresOf(visitor, given.zoneId, middle)

const map = drawMap({
  zone,
  styleUrl: given.mapStyleUrl,
  reach: Math.min(...treasures.map(({ radius }) => radius)),
  onTap: (there) => walkTo(there),
  onTreasure: ({ place }) => walkTo(place),
})
map.showTreasures(treasures)

const { player, cairn } = await signIn(given)
me = player
const finds = findsOf(cairn, player.id)
element('me').hidden = false
element('my-name').textContent = player.displayName
show(await finds.load())

const walk = await openWalk(
  middle,
  (fix) => {
    here = fix
    map.movePlayer(fix)
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

// The service learns where the player walks, and so whether a find is plausible.
cairn.fences.watch({
  every: REPORT_MS,
  geolocation: walk.location,
  storage: localStorage,
  // Another player of this browser does not report what this one has not.
  storageKey: `positions of ${player.id}`,
  onEvent: ({ type, fenceId, name }) => {
    if (type === 'enter' && !finds.has(fenceId)) say(`${name} is here: dig!`)
  },
  // A device that loses its position finds it again. A service that does not answer is worth a sentence.
  onError: (error) => error instanceof CairnError && say(inWords(error)),
})

element('dig').addEventListener('click', async () => {
  const goal = nearest()
  if (!goal) return
  try {
    const { state, message, awards } = await finds.dig(goal.fenceId, await walk.measure())
    if (state === 'refused') say(message!)
    else if (state === 'held') say('This looks odd: the host decides.')
    else say(`${goal.name}! ${goal.points} points`)
    show(awards[0]?.score)
  } catch (error) {
    say(inWords(error))
  }
})
element('show-board').addEventListener('click', () => {
  const isOpen = document.body.classList.toggle('board-open')
  element('show-board').ariaExpanded = String(isOpen)
})

/** @param score unchanged without one */
function show(score: number | undefined) {
  if (score !== undefined) element('my-score').textContent = String(score)
  map.markFound(finds.all())
  showNearest()
}

/** The nearest treasure the player has not found. */
function nearest(): Treasure | undefined {
  const from = here
  if (!from) return undefined
  const left = treasures.filter(({ fenceId }) => !finds.has(fenceId))
  return left.sort((a, b) => distance(from, a.place) - distance(from, b.place))[0]
}

function showNearest() {
  if (!here) return
  const goal = nearest()
  const metres = goal ? distance(here, goal.place) : 0
  element('nearest').hidden = false
  element('nearest-title').textContent = goal?.name ?? 'You have found them all'
  element('nearest-distance').textContent = goal
    ? `${Math.round(metres)} m away (± ${Math.round(here.accuracy)} m), ${goal.points} points`
    : 'Watch the board.'
  element('arrow').style.rotate = goal ? `${bearing(here, goal.place)}deg` : '0deg'
  element('arrow').hidden = !goal
  element('dig').hidden = !goal
  // Only a hint: the service decides.
  element<HTMLButtonElement>('dig').disabled = goal === undefined || metres > goal.radius
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
