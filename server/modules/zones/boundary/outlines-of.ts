import { createYielder } from '../yield-loop.ts'
import { type Outline, outlineOf } from './outline.ts'

/** What one statement loads. */
const LOADED_AT_ONCE = 10
const STRETCH_MS = 4

/**
 * Reads the boundaries of zones, by ID; zones without one are left out. The function returns undefined once the
 * boundaries have more than `maxPositions` together.
 */
export const outlinesOf =
  (load: (ids: number[]) => Promise<{ id: number; positions: Uint8Array }[]>) =>
  async (ids: number[], maxPositions: number): Promise<Map<number, Outline> | undefined> => {
    const outlines = new Map<number, Outline>()
    const pace = createYielder(STRETCH_MS)
    let positions = 0
    for (let at = 0; at < ids.length; at += LOADED_AT_ONCE)
      for (const { id, positions: bytes } of await load(ids.slice(at, at + LOADED_AT_ONCE))) {
        await pace()
        const outline = outlineOf(bytes)
        positions += outline.positions.length / 2
        if (positions > maxPositions) return undefined
        outlines.set(id, outline)
      }
    return outlines
  }
