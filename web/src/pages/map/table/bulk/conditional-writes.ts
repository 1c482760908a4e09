import { type Cairn, CairnError, type Gcp, type GcpChangeInput, type Pin, type PinChangeInput } from '@cairn/sdk'
import { hashKey } from '@tanstack/react-query'
import type { Point } from '../points.ts'

/** The point was changed since it was read. */
export class ChangedByOthers extends Error {}
/** The response to a write was lost, and what it did could not be looked up. */
export class NoResponse extends Error {}

type Which = Pick<Point, 'kind' | 'id'>
type Members = PinChangeInput | GcpChangeInput

/**
 * Writes members of a point if its ETag is the current one. If the response is lost, the point is read again: one that has
 * all members was written. @returns its new ETag @throws ChangedByOthers, NoResponse, CairnError
 */
export async function putUnlessChanged(cairn: Cairn, which: Which, members: Members, etag: string): Promise<string> {
  const id = Number(which.id)
  const { pins, gcps } = cairn
  try {
    const written =
      which.kind === 'pin'
        ? await pins.updateTagged(id, members as PinChangeInput, etag)
        : await gcps.updateTagged(id, members as GcpChangeInput, etag)
    return written.etag
  } catch (error) {
    const now = await stateAfter(error, cairn, which)
    if (!now || !has(now.value, members)) throw error
    return now.etag
  }
}

/** Deletes a point if its ETag is the current one. If the response is lost, it is looked up. @throws ChangedByOthers, NoResponse, CairnError */
export async function deleteUnlessChanged(cairn: Cairn, which: Which, etag: string): Promise<void> {
  const resource = which.kind === 'pin' ? cairn.pins : cairn.gcps
  try {
    await resource.delete(Number(which.id), { ifMatch: etag })
  } catch (error) {
    if (await stateAfter(error, cairn, which)) throw error
  }
}

/** The statuses of a write whose response was lost; 0: without any. */
const LOST = [0, 502, 504]

/** The point as it is after a write without a response; undefined if it is gone. @throws the error of a write that had no effect; NoResponse */
async function stateAfter(error: unknown, { pins, gcps }: Cairn, { kind, id }: Which) {
  if (!(error instanceof CairnError)) throw error
  if (error.status === 412) throw new ChangedByOthers()
  if (!LOST.includes(error.status)) throw error
  try {
    return kind === 'pin' ? await pins.getTagged(Number(id)) : await gcps.getTagged(Number(id))
  } catch (cause) {
    if (cause instanceof CairnError && cause.status === 404) return undefined
    throw new NoResponse(error.message, { cause })
  }
}

const has = (now: Pin | Gcp, members: Members): boolean =>
  Object.entries(members).every(([name, value]) => hashKey([now[name as never]]) === hashKey([value]))
