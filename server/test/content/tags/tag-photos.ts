import sharp from 'sharp'
import { expect } from 'vitest'
import type { Answer, Caller } from '../../service.ts'
import { drawScene, type ScenePart } from './tag-scene.ts'

/** EXIF of a photo that was taken there, at a time without a zone. */
const exifAt = ([latitude, longitude]: readonly [number, number]) => {
  const sexagesimal = (degrees: number) => {
    const ten = Math.round(Math.abs(degrees) * 3600 * 10_000)
    return `${Math.floor(ten / 36_000_000)}/1 ${Math.floor((ten % 36_000_000) / 600_000)}/1 ${ten % 600_000}/10000`
  }
  return {
    IFD3: {
      GPSLatitudeRef: latitude < 0 ? 'S' : 'N',
      GPSLatitude: sexagesimal(latitude),
      GPSLongitudeRef: longitude < 0 ? 'W' : 'E',
      GPSLongitude: sexagesimal(longitude),
    },
  }
}

type Options = { blur?: number; side?: number; takenAt?: readonly [number, number] }

/** A JPEG of 640 by 480 that shows these tags, and where they are in it. */
export async function tagPhoto(ids: number[], { blur = 0.7, side = 80, takenAt }: Options = {}) {
  const tags = ids.map((id, at): ScenePart => ({ id, at: [130.25 + 200 * at, 220.5], side, turn: 25, tilt: 20 }))
  const { image, truths } = drawScene({ width: 640, height: 480, tags, blur })
  const picture = sharp(image.pixels, { raw: { width: 640, height: 480, channels: 1 } }).jpeg({ quality: 90 })
  return { bytes: await (takenAt ? picture.withExif(exifAt(takenAt)) : picture).toBuffer(), truths }
}

/** Matches a tag of that photo as the API returns it, with corners to half a pixel. */
export const shownTag = ({ id, corners, centre }: ReturnType<typeof drawScene>['truths'][number]) => ({
  id,
  family: 'tag36h11',
  source: 'detector',
  corners: corners.map(([x, y]) => [expect.closeTo(x, 0), expect.closeTo(y, 0)]),
  center: centre.map((at) => expect.closeTo(at, 0)),
  hamming: 0,
  margin: expect.any(Number),
})

/** Reads until no photo of the point is pending. */
export async function checkedPhotos(caller: Caller, gcpId: number) {
  for (;;) {
    const { status, body }: Answer = await caller.get(`/api/upload/gcp-photos?gcpId=${gcpId}`)
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
    if (!body.files.some(({ tagCheck }: { tagCheck: string }) => tagCheck === 'pending')) return body.files
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
