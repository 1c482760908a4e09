import { type Cairn, CairnError, type GcpChangeInput, type Pin, type PinChangeInput } from '@cairn/sdk'
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
/** A point that was changed: its title and ETag since, and what it was before. */
export type Changed = { point: Point; title: string; etag: string; before: Before }

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
  const { value: pin, etag } = await cairn.pins.getTagged(Number(point.id))
  if (pin.updatedAt !== point.updatedAt) throw new ChangedByOthers()
  const { title, visibility, contentType, zoneId } = pin
  const was = { visibility, contentType, zoneId }
  const before = Object.fromEntries(Object.keys(members).map((name) => [name, was[name as keyof typeof was]]))
  const after = await unlessChanged(
    answered(cairn.pins.updateTagged(pin.id, { title, ...members }, etag), () => cairn.pins.getTagged(pin.id), {
      title,
      ...members,
    }),
  )
  return { point, title, etag: after.etag, before: { kind: 'pin', members: before } }
}

async function changeGcp(cairn: Cairn, { tag }: Change, point: Point): Promise<Changed> {
  const { value: gcp, etag } = await cairn.gcps.getTagged(Number(point.id))
  if (gcp.updatedAt !== point.updatedAt) throw new ChangedByOthers()
  const aprilTagId = tag === 'remove' ? null : await freeTagFor(cairn, point)
  const { title, aprilTagId: was, tagSize, tagPose } = gcp
  const write = async () => {
    const { value, etag: now } = await cairn.gcps.updateTagged(gcp.id, { title, aprilTagId }, etag)
    return { value: value.gcp, etag: now }
  }
  const after = await unlessChanged(answered(write(), () => cairn.gcps.getTagged(gcp.id), { title, aprilTagId }))
  const members = { aprilTagId: was, ...(was === null ? {} : { tagSize, tagPose }) }
  return { point, title, etag: after.etag, before: { kind: 'gcp', members } }
}

async function freeTagFor(cairn: Cairn, { id, lat, lon }: Point): Promise<number> {
  const place = { latitude: lat, longitude: lon, excludeGcpId: Number(id) }
  const { available, suggestedIds } = await cairn.gcps.checkAprilTag({ aprilTagId: 0, ...place })
  const free = available ? 0 : suggestedIds[0]
  if (free === undefined) throw new NoFreeTag()
  return free
}

/** Sets back what a change has set, unless the point was changed since. @throws ChangedByOthers, CairnError */
export async function undoChange(cairn: Cairn, { point, title, etag, before }: Changed): Promise<void> {
  const id = Number(point.id)
  await unlessChanged<unknown>(
    before.kind === 'pin'
      ? cairn.pins.updateTagged(id, { title, ...before.members }, etag)
      : cairn.gcps.updateTagged(id, { title, ...before.members }, etag),
  )
}

/** Deletes a point, unless it was changed since it was listed. @throws ChangedByOthers, CairnError */
export async function deletePoint(cairn: Cairn, { kind, id, updatedAt }: Point): Promise<void> {
  const resource = kind === 'pin' ? cairn.pins : cairn.gcps
  const { value, etag } = await resource.getTagged(Number(id))
  if (value.updatedAt !== updatedAt) throw new ChangedByOthers()
  await unlessChanged(resource.delete(Number(id), { ifMatch: etag }))
}

/** The statuses of a write whose response was lost; 0: without any. */
const LOST = [0, 502, 504]

/** The result of a write. If its response was lost, what is read decides: a record with all members was written. */
async function answered<Result extends { value: object }>(
  write: Promise<Result>,
  read: () => Promise<Result>,
  members: object,
): Promise<Result> {
  try {
    return await write
  } catch (error) {
    if (!(error instanceof CairnError) || !LOST.includes(error.status)) throw error
    const now = await read().catch(() => undefined)
    const isWritten = now && Object.entries(members).every(([name, value]) => now.value[name as never] === value)
    if (!isWritten) throw error
    return now
  }
}

/** The result of a write with `If-Match`. @throws ChangedByOthers instead of 412 */
async function unlessChanged<Result>(write: Promise<Result>): Promise<Result> {
  try {
    return await write
  } catch (error) {
    throw error instanceof CairnError && error.status === 412 ? new ChangedByOthers() : error
  }
}
