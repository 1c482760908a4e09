import type { Builders } from '../builders.ts'
import { formOf } from '../multipart.ts'
import { appUrl } from '../scoring/scoring-steps.ts'
import type { Caller } from '../service.ts'

/** Common steps of profile image tests, for the players of an app. */
export function profileImagesOf(app: Caller, given: Builders) {
  const imageOf = (id: string) => appUrl(`players/${id}/profile-image`)
  return {
    imageOf,
    send: (id: string, bytes: Uint8Array | string, part: { name?: string; type?: string } = {}, as: Caller = app) =>
      as.patch(imageOf(id), formOf({ field: 'image', name: 'me.jpg', type: 'image/jpeg', bytes, ...part })),
    newPlayer: async () => (await given.player(app)).id,
    read: async (url: string) => {
      const response = await fetch(url)
      return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
    },
  }
}
