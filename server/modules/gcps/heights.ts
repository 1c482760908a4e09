import { invalid } from '../../platform/errors.ts'
import type { GeoPose, HeightTransformation } from '../places/schema.ts'
import { completePose, type GcpChange, type Heights, type SettledHeights } from './schema.ts'
import type { GcpState } from './store.ts'

/**
 * Reads what heights are above, and brings a height there to the ellipsoid: metres, degrees on WGS84. Without a place only
 * the datum is read. @returns the datum's one name, or in one sentence why nothing is meant by it
 */
export type BringHeight = (
  datum: string,
  at: { latitude: number; longitude: number; altitude: number } | null,
) => Promise<{ datum: string; h: number | null; transformation: HeightTransformation | null } | { refusal: string }>

type Place = SettledHeights['place']

/** What a point starts from, of which a request leaves something as it is. */
type Before = { geoPose: GeoPose | null; place: Place; altitude: number | null }

const nothing: Before = { geoPose: null, place: null, altitude: null }

const placeOf = (pose: { position: { lat: number; lon: number } } | null): Place =>
  pose && { latitude: pose.position.lat, longitude: pose.position.lon }

/** Heights of a request that says nothing of their datum: of altitude and the height of the pose, one given is both. */
export function plainHeights(asked: Heights): SettledHeights {
  const geoPose = completePose(asked) ?? null
  const altitude = asked.altitude ?? geoPose?.position.h ?? null
  return { geoPose, place: placeOf(geoPose), altitude, heightDatum: null, heightTransformation: null }
}

/**
 * Heights of a request that says what altitude is above. A pose without a height has the altitude's, brought to the
 * ellipsoid; one that has a height keeps it. With an unknown datum and no height of the pose only the place is known.
 * @throws 400 for a datum that means nothing, or that does not lead to the ellipsoid, and without an altitude
 */
export async function datedHeights(
  asked: Heights & { heightDatum: string },
  bring: BringHeight,
  before = nothing,
): Promise<SettledHeights> {
  const read = await bring(asked.heightDatum, null)
  if ('refusal' in read) throw refused('heightDatum', read.refusal)
  const { datum: heightDatum } = read
  const given = asked.geoPose?.position.h
  const isEllipsoid = heightDatum === 'ellipsoid'
  const altitude =
    asked.altitude !== undefined ? asked.altitude : given === undefined ? before.altitude : isEllipsoid ? given : null
  if (altitude === null) throw refused('altitude', 'is missing: heightDatum says what altitude is above')
  const known = { altitude, heightDatum, heightTransformation: null }
  const pose = asked.geoPose === undefined ? poseOf(before) : asked.geoPose
  if (!pose) return { ...known, geoPose: null, place: null }
  const place = placeOf(pose)!
  const withHeight = (h: number) => ({ geoPose: { ...pose, position: { ...pose.position, h } }, place })
  if (given !== undefined) return { ...known, ...withHeight(given) }
  if (isEllipsoid) return { ...known, ...withHeight(altitude) }
  if (heightDatum === 'unknown') {
    if (Object.values(pose.angles).some((angle) => angle !== 0))
      throw refused('geoPose', 'has angles, and needs a height above the ellipsoid beside them: give position.h')
    return { ...known, geoPose: null, place }
  }
  const brought = await bring(heightDatum, { ...place, altitude })
  if ('refusal' in brought) throw refused('heightDatum', brought.refusal)
  if (brought.h === null)
    throw refused('heightDatum', `${heightDatum} does not lead to the ellipsoid here: give geoPose.position.h`)
  return { ...known, ...withHeight(brought.h), heightTransformation: brought.transformation }
}

/** The pose of a point, or where it lies, to be given another height. */
function poseOf({ geoPose, place }: Before): Heights['geoPose'] {
  if (geoPose) return geoPose
  return place && { position: { lat: place.latitude, lon: place.longitude }, angles: { yaw: 0, pitch: 0, roll: 0 } }
}

/** The heights of a point after a change that says nothing of their datum. */
export function changedHeights(current: GcpState, change: GcpChange): SettledHeights {
  const { altitude } = change
  const pose = completePose(change)
  const kept = pose === undefined ? current.geoPose : pose
  const geoPose =
    kept && pose === undefined && altitude != null ? { ...kept, position: { ...kept.position, h: altitude } } : kept
  const place = pose === undefined ? placeIn(current) : placeOf(pose)
  const next = { geoPose, place, altitude: altitude === undefined ? (pose?.position.h ?? current.altitude) : altitude }
  const isSame = change.heightDatum === undefined && !isMoved(current, next) && !isLifted(current, next)
  const { heightDatum, heightTransformation } = current
  return {
    ...next,
    ...(isSame ? { heightDatum, heightTransformation } : { heightDatum: null, heightTransformation: null }),
  }
}

export const placeIn = ({ latitude, longitude }: { latitude: number | null; longitude: number | null }): Place =>
  latitude === null || longitude === null ? null : { latitude, longitude }

/** Whether a point is elsewhere than it was: how it was brought to WGS84 is then no longer true. */
export const isMoved = (current: GcpState, { place }: Pick<SettledHeights, 'place'>): boolean =>
  current.latitude !== (place?.latitude ?? null) || current.longitude !== (place?.longitude ?? null)

/** Whether one of its heights is another. */
export const isLifted = (current: GcpState, next: Pick<SettledHeights, 'geoPose' | 'altitude'>): boolean =>
  current.altitude !== next.altitude || current.geoPose?.position.h !== next.geoPose?.position.h

const refused = (path: string, message: string) => invalid([{ code: 'custom', message, path: [path] }])
