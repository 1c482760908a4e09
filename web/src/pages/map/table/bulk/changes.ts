import type { Cairn, GcpChangeInput, Pin, PinChangeInput } from '@cairn/sdk'
import type { Point } from '../points.ts'

/** What a change of several points sets. Absent members stay as they are. */
export type Change = {
  visibility?: Pin['visibility']
  contentType?: Pin['contentType']
  /** Null takes pins out of their zone. */
  zoneId?: number | null
  /** Takes the AprilTags of control points away, or gives a free one to each that has none. */
  tag?: 'remove' | 'assign'
}

type Before =
  | { kind: 'pin'; members: Omit<PinChangeInput, 'title'> }
  | { kind: 'gcp'; members: Omit<GcpChangeInput, 'title'> }
/** A point that was changed: when, and what it was before. */
export type Changed = { point: Point; updatedAt: string; before: Before }

/** The point was changed since it was listed. */
export class ChangedByOthers extends Error {}
/** No AprilTag is free where the point is. */
export class NoFreeTag extends Error {}

/** Whether the change sets anything of the point. */
export function appliesTo({ visibility, contentType, zoneId, tag }: Change, point: Point): boolean {
  if (point.kind === 'pin') return visibility !== undefined || contentType !== undefined || zoneId !== undefined
  return tag === 'remove' ? point.tag !== null : tag === 'assign' && point.tag === null
}

/** How many points a change writes at a time: tags must not be given to two neighbours at once. */
export const atOnce = ({ tag }: Change): number => (tag === 'assign' ? 1 : 4)

/** Changes a point, unless it was changed since it was listed. @throws ChangedByOthers, NoFreeTag, CairnError */
export function changePoint(cairn: Cairn, change: Change, point: Point): Promise<Changed> {
  return point.kind === 'pin' ? changePin(cairn, change, point) : changeGcp(cairn, change, point)
}

async function changePin(cairn: Cairn, { tag: _, ...members }: Change, point: Point): Promise<Changed> {
  const pin = await cairn.pins.get(Number(point.id))
  if (pin.updatedAt !== point.updatedAt) throw new ChangedByOthers()
  const { visibility, contentType, zoneId } = pin
  const was = { visibility, contentType, zoneId }
  const before = Object.fromEntries(Object.keys(members).map((name) => [name, was[name as keyof typeof was]]))
  const { updatedAt } = await cairn.pins.update(pin.id, { title: pin.title, ...members })
  return { point, updatedAt, before: { kind: 'pin', members: before } }
}

async function changeGcp(cairn: Cairn, { tag }: Change, point: Point): Promise<Changed> {
  const gcp = await cairn.gcps.get(Number(point.id))
  if (gcp.updatedAt !== point.updatedAt) throw new ChangedByOthers()
  const aprilTagId = tag === 'remove' ? null : await freeTagFor(cairn, point)
  const { aprilTagId: was, tagSize, tagPose } = gcp
  const { gcp: after } = await cairn.gcps.update(gcp.id, { title: gcp.title, aprilTagId })
  const members = { aprilTagId: was, ...(was === null ? {} : { tagSize, tagPose }) }
  return { point, updatedAt: after.updatedAt, before: { kind: 'gcp', members } }
}

async function freeTagFor(cairn: Cairn, { id, lat, lon }: Point): Promise<number> {
  const place = { latitude: lat, longitude: lon, excludeGcpId: Number(id) }
  const { available, suggestedIds } = await cairn.gcps.checkAprilTag({ aprilTagId: 0, ...place })
  const free = available ? 0 : suggestedIds[0]
  if (free === undefined) throw new NoFreeTag()
  return free
}

/** Sets back what a change has set, unless the point was changed since. @throws ChangedByOthers, CairnError */
export async function undoChange(cairn: Cairn, { point, updatedAt, before }: Changed): Promise<void> {
  const id = Number(point.id)
  const now = before.kind === 'pin' ? await cairn.pins.get(id) : await cairn.gcps.get(id)
  if (now.updatedAt !== updatedAt) throw new ChangedByOthers()
  const { title } = now
  if (before.kind === 'pin') await cairn.pins.update(id, { title, ...before.members })
  else await cairn.gcps.update(id, { title, ...before.members })
}
