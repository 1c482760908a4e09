// @module-tag long
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { randomOf } from '../../../test/attack/random.ts'
import { drawScene } from '../../../test/content/tags/tag-scene.ts'
import { PhotoFault } from '../reading/photo-facts.ts'
import { createPhotoReader } from './photo-reader.ts'

const MUTANTS = 300

const reader = createPhotoReader()
afterAll(() => reader.close())

async function* whole(bytes: Uint8Array) {
  yield bytes
}
const read = (bytes: Uint8Array) =>
  reader.read({ bytes: whole(bytes), size: bytes.length }, AbortSignal.timeout(60_000))

/** Photos of tag 7 in each format, with EXIF. */
async function photos(): Promise<Buffer[]> {
  const { image } = drawScene({ width: 320, height: 240, tags: [{ id: 7, at: [160, 120], side: 80 }] })
  const picture = () =>
    sharp(image.pixels, { raw: { width: 320, height: 240, channels: 1 } }).withExif({
      IFD2: { DateTimeOriginal: '2026:06:21 14:00:00', FocalLengthIn35mmFilm: '26' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 12/1', GPSLongitudeRef: 'E', GPSLongitude: '13/1 24/1 0/1' },
    })
  return Promise.all(
    [picture().jpeg(), picture().png(), picture().webp(), picture().avif()].map((one) => one.toBuffer()),
  )
}

/** Some bytes changed, a piece removed, or one repeated; mostly near the start, where the headers are. */
function mutantOf(bytes: Buffer, seed: number): Buffer {
  const { below, chance } = randomOf(seed)
  const at = below(chance(0.7) ? Math.min(bytes.length, 900) : bytes.length)
  const length = 1 + below(64)
  if (chance(0.2)) return bytes.subarray(0, at)
  if (chance(0.2)) return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)])
  if (chance(0.2)) return Buffer.concat([bytes.subarray(0, at + length), bytes.subarray(at)])
  const mutant = Buffer.from(bytes)
  for (let i = 0; i < 1 + below(8); i++) mutant[Math.min(bytes.length - 1, at + below(length))] = below(256)
  return mutant
}

test('a damaged photo is read or refused with a sentence, and the reader goes on', async () => {
  const originals = await photos()
  const outcomes = { read: 0, refused: 0 }
  for (let seed = 0; seed < MUTANTS; seed++) {
    const mutant = mutantOf(originals[seed % originals.length]!, seed)
    try {
      const { width, height, tags } = await read(mutant)
      expect({ seed, isSound: width > 0 && height > 0 && tags.every(({ id }) => id === 7) }).toEqual({
        seed,
        isSound: true,
      })
      outcomes.read++
    } catch (error) {
      if (!(error instanceof PhotoFault)) throw new Error(`mutant ${seed}`, { cause: error })
      outcomes.refused++
    }
  }
  expect(Math.min(outcomes.read, outcomes.refused)).toBeGreaterThan(MUTANTS / 10)
  for (const original of originals) expect(await read(original)).toMatchObject({ tags: [{ id: 7 }] })
})
