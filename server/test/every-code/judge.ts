import { readdirSync } from 'node:fs'
import { distance } from '../../modules/places/geodesy.ts'
import { type Crs, type CrsTable, loadCrsTable, type Operation } from '../../modules/reference-systems/crs.ts'
import { cs2cs, operationOf, PROJ_DATA, type Operation as TheirOperation } from '../programs/cs2cs.ts'
import { type EpsgCode, inRegister, pointsIn } from './codes.ts'
import { knownDifferences, knownOf, knownRefusals } from './known.ts'

/** Tolerance for positions by one operation in two versions of PROJ. */
const SAME_METRES = 0.001

/**
 * The result of the comparison of one code:
 * - `same`: every point is within {@link SAME_METRES} of `cs2cs`
 * - `within`: points by another operation are within the sum of both stated accuracies
 * - `known`: neither, but within the difference that `known.ts` explains
 * - `off`: neither
 * - `refused`: the service refuses the code, or all of the points; `why` is its error
 * - `alone`: Debian's register does not have the code, or `cs2cs` has no position for it
 */
export type Outcome = 'same' | 'within' | 'known' | 'off' | 'refused' | 'alone'

export type Judged = {
  code: number
  outcome: Outcome
  why?: string
  /** The greatest distance from `cs2cs`, in metres. */
  metres?: number
  /** Number of the five points that the service refuses. */
  refusedPoints?: number
  /** Whether it is listed in `known.ts`, and must be. */
  isKnown?: true
  /** The operation of `cs2cs` from a refused code to WGS 84, if it states an accuracy. */
  lost?: string
  /** Whether `cs2cs` looked for an installed grid and did not find it. */
  wantsGrids: boolean
}

const DEBIAN_GRIDS = new Set(readdirSync(PROJ_DATA))
const WGS84 = 'EPSG:4326'

/**
 * Compares the service with `cs2cs` at five points of a code's area of use. The coordinates are those of the service for the
 * points, so that both of its directions are checked.
 * @param data the folder of `cs2cs`'s register and grids @param isRegistered whether its register has the code
 */
export async function judge(code: EpsgCode, data: string, isRegistered: boolean): Promise<Judged> {
  const table = await loadCrsTable()
  try {
    return judgeIn(table, code, data, isRegistered)
  } finally {
    table.close()
  }
}

function judgeIn(table: CrsTable, code: EpsgCode, data: string, isRegistered: boolean): Judged {
  const name = `EPSG:${code.code}`
  const crs = table.find(name)
  const verdict = (outcome: Outcome, more: Partial<Judged> = {}): Judged => ({
    code: code.code,
    outcome,
    wantsGrids: false,
    ...more,
  })
  const refused = (why: string) => verdict('refused', { why, ...(isRegistered && lostBy(code, data)) })
  if (typeof crs === 'string') return refused(crs)
  const answers = pointsIn(code.area).map((point) => answerAt(crs, code, ...point))
  const refusals = answers.flatMap((answer) => (typeof answer === 'string' ? [answer] : []))
  const usable = answers.filter((answer) => typeof answer === 'object')
  if (usable.length === 0) return refused(refusals[0]!)
  const partly = refusals.length > 0 ? { refusedPoints: refusals.length } : {}
  if (!isRegistered) return verdict('alone', { why: 'unknown to the register of cs2cs', ...partly })

  const given = usable.map((answer) => answer.given)
  const { points: theirs, missingFiles } = cs2cs(name, WGS84, given, { data })
  const wantsGrids = missingFiles.some((file) => DEBIAN_GRIDS.has(file))
  const compared = usable.flatMap((ours, i) => {
    const [latitude, longitude] = theirs[i] ?? []
    if (latitude === undefined || longitude === undefined) return []
    return [{ ...ours, metres: distance(ours, { latitude, longitude }) }]
  })
  if (compared.length === 0) return verdict('alone', { why: 'cs2cs has no position', wantsGrids, ...partly })
  const metres = Math.max(...compared.map((one) => one.metres))
  const differing = compared
    .filter((one) => one.metres > SAME_METRES)
    .map((one) => ({ ...one, theirs: operationOf(name, WGS84, one.given, { data }) }))
  if (differing.length === 0) return verdict('same', { metres, wantsGrids, ...partly })
  const off = differing.find((one) => !(one.metres <= allowed(one.operation, one.theirs)))
  const shown = off ?? differing[0]!
  const why = `${shown.metres.toFixed(3)} m: ${shown.operation.name} (${shown.operation.accuracy} m) and ${shown.theirs?.name} (${shown.theirs?.accuracy} m)`
  const known = off && knownOf(knownDifferences, code.code)
  if (known && metres <= known.metres) return verdict('known', { metres, why, isKnown: true, wantsGrids, ...partly })
  return verdict(off ? 'off' : 'within', { metres, why, wantsGrids, ...partly })
}

type Answer = { given: number[]; latitude: number; longitude: number; operation: Operation }

/** The service's position of a point in both directions, or its error. */
function answerAt(crs: Crs, code: EpsgCode, latitude: number, longitude: number): Answer | string {
  const there = crs.fromWgs84(longitude, latitude)
  const back = there && crs.toWgs84(there.x, there.y)
  if (!there || !back) return 'the point has no position'
  const { operation } = back
  const refusal = crs.refusal(operation)
  if (refusal !== undefined) return refusal
  return {
    given: inRegister(code, there.x, there.y),
    latitude: back.latitude,
    longitude: back.longitude,
    operation,
  }
}

/** Tolerance between two operations: none for the same, otherwise both stated accuracies; NaN if one states none. */
function allowed(ours: Operation, theirs: TheirOperation | undefined): number {
  if (theirs === undefined || theirs.name === ours.name) return SAME_METRES
  if (theirs.ballpark) return Number.POSITIVE_INFINITY
  return (ours.accuracy ?? Number.NaN) + (theirs.accuracy ?? Number.NaN)
}

/** The transformation of `cs2cs` for a code that the service refuses; nothing if it also omits the datum shift, or fails. */
function lostBy(code: EpsgCode, data: string): { lost: string } | { isKnown: true } | undefined {
  const name = `EPSG:${code.code}`
  const [middle] = pointsIn(code.area)
  const [there] = cs2cs(WGS84, name, [middle!], { data }).points
  if (!there || !cs2cs(name, WGS84, [there], { data }).points[0]) return undefined
  const operation = operationOf(name, WGS84, there, { data })
  if (!operation || operation.ballpark || operation.accuracy === undefined) return undefined
  return knownOf(knownRefusals, code.code) ? { isKnown: true } : { lost: operation.name }
}
