import type { Cairn, GcpChangeInput, Pin, PinChangeInput } from '@cairn/sdk'
import type { Point } from '../points.ts'
import { ChangedByOthers, deleteUnlessChanged, putUnlessChanged } from './conditional-writes.ts'

/** What a change of several points sets. Absent members stay as they are. */
export type Change = {
  visibility?: Pin['visibility']
  contentType?: Pin['contentType']
  /** Null takes pins out of their zone. */
  zoneId?: number | null
  /** Takes the AprilTags of control points away, or gives a free one to each that has none. */
  tag?: 'remove' | 'assign'
}

/** A point that was changed: its ETag since, and what it was before. */
export type Changed = { point: Point; etag: string; before: PinChangeInput | GcpChangeInput }

/** No AprilTag is free where the point is. */
export class NoFreeTag extends Error {}

/** Whether the change sets anything of the point. */
export function appliesTo({ visibility, contentType, zoneId, tag }: Change, point: Point): boolean {
  if (point.kind === 'pin') return visibility !== undefined || contentType !== undefined || zoneId !== undefined
  return tag === 'remove' ? point.tag !== null : tag === 'assign' && point.tag === null
}

/** How many points a change writes at a time: tags must not be given to two neighbours at once. */
export const atOnce = ({ tag }: Change): number => (tag === 'assign' ? 1 : 4)

/** Changes a point, unless it was changed since it was listed. @throws ChangedByOthers, NoFreeTag, NoResponse, CairnError */
export function changePoint(cairn: Cairn, change: Change, point: Point): Promise<Changed> {
  return point.kind === 'pin' ? changePin(cairn, change, point) : changeGcp(cairn, change, point)
}

async function changePin(cairn: Cairn, { tag: _, ...members }: Change, point: Point): Promise<Changed> {
  const { value: pin, etag } = await cairn.pins.getTagged(Number(point.id))
  if (pin.updatedAt !== point.updatedAt) throw new ChangedByOthers()
  const { title, visibility, contentType, zoneId } = pin
  const was = { visibility, contentType, zoneId }
  const before = Object.fromEntries(Object.keys(members).map((name) => [name, was[name as keyof typeof was]]))
  const now = await putUnlessChanged(cairn, point, { title, ...members }, etag)
  return { point, etag: now, before: { title, ...before } }
}

async function changeGcp(cairn: Cairn, { tag }: Change, point: Point): Promise<Changed> {
  const { value: gcp, etag } = await cairn.gcps.getTagged(Number(point.id))
  if (gcp.updatedAt !== point.updatedAt) throw new ChangedByOthers()
  const aprilTagId = tag === 'remove' ? null : await freeTagFor(cairn, point)
  const { title, aprilTagId: was, tagSize, tagPose } = gcp
  const now = await putUnlessChanged(cairn, point, { title, aprilTagId }, etag)
  const before = { title, aprilTagId: was, ...(was === null ? {} : { tagSize, tagPose }) }
  return { point, etag: now, before }
}

async function freeTagFor(cairn: Cairn, { id, lat, lon }: Point): Promise<number> {
  const place = { latitude: lat, longitude: lon, excludeGcpId: Number(id) }
  const { available, suggestedIds } = await cairn.gcps.checkAprilTag({ aprilTagId: 0, ...place })
  const free = available ? 0 : suggestedIds[0]
  if (free === undefined) throw new NoFreeTag()
  return free
}

/** Sets back what a change has set, unless the point was changed since. @throws ChangedByOthers, NoResponse, CairnError */
export async function undoChange(cairn: Cairn, { point, etag, before }: Changed): Promise<void> {
  await putUnlessChanged(cairn, point, before, etag)
}

/** Deletes a point, unless it was changed since it was listed. @throws ChangedByOthers, NoResponse, CairnError */
export async function deletePoint(cairn: Cairn, point: Point): Promise<void> {
  const resource = point.kind === 'pin' ? cairn.pins : cairn.gcps
  const { value, etag } = await resource.getTagged(Number(point.id))
  if (value.updatedAt !== point.updatedAt) throw new ChangedByOthers()
  await deleteUnlessChanged(cairn, point, etag)
}
